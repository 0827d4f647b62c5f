"""Word pieces of a short text by the vocabulary's file alone: to read it is faster than to build a tokenizer of it."""

from __future__ import annotations

import json
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from docgraph.plugins._word_pieces import NORMALIZER, SPACE

LONGEST = 300
"""Characters of a text that is cut here; the time grows with their square."""
MOST = 8
"""Texts that are cut here: who cuts more is served sooner by the tokenizer."""


class Merges:
    """The pieces that the tokenizer of a file gives, for texts without anything special; thread-safe.

    What was read of the file is forgotten with the first text that is one too many.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._n = path, 0

    def ids(self, text: str) -> list[int] | None:
        """Numbers of the pieces; None where a tokenizer has to say it."""
        self._n += 1
        if self._n > MOST:
            vars(self).pop("_read", None)  # 16 MB that nothing is cut by any more
            return None
        if not 0 < len(text) <= LONGEST or (read := self._read) is None:
            return None
        vocabulary, ranks, apart = read
        pieces = list(SPACE + text.replace(" ", SPACE))
        if any(token in text for token in apart) or not all(piece in vocabulary for piece in pieces):
            return None
        last = len(ranks)
        order = [ranks.get(f"{one} {next_}", last) for one, next_ in pairwise(pieces)]
        while order and (best := min(order)) < last:  # the earliest merge first, of equal ones the leftmost
            at = order.index(best)
            pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
            del order[at]
            for pair in range(max(at - 1, 0), min(at + 1, len(order))):
                order[pair] = ranks.get(f"{pieces[pair]} {pieces[pair + 1]}", last)
        return [vocabulary[piece] for piece in pieces]

    @cached_property
    def _read(self) -> tuple[dict[str, int], dict[str, int], tuple[str, ...]] | None:
        """Piece → number, two pieces → rank of their merge, tokens that stand apart; None for another kind of file."""
        try:
            made = json.loads(self._path.read_bytes())
            model = made["model"]
            if not _is_plain(made, model):
                return None
            merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
            apart = tuple(token["content"] for token in made["added_tokens"])
            return model["vocab"], dict(zip(merges, range(len(merges)), strict=True)), apart
        except (OSError, ValueError, LookupError, TypeError):  # the tokenizer says what is wrong with it
            return None


def _is_plain(made: dict[str, Any], model: dict[str, Any]) -> bool:
    return (
        made["normalizer"] == NORMALIZER
        and made["pre_tokenizer"] is None
        and model["type"] == "BPE"
        and not any(model.get(name) for name in ("dropout", "ignore_merges"))
        and not any(model.get(name) for name in ("continuing_subword_prefix", "end_of_word_suffix"))
        and not any(token["single_word"] or token["lstrip"] or token["rstrip"] for token in made["added_tokens"])
    )
