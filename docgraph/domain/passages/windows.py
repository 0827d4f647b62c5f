"""Windows of a chunk: neighbouring sentences, list items and rows, about as long as one answer."""

from __future__ import annotations

import re
from functools import lru_cache

from docgraph.domain.sentences import sentence_spans

WINDOW_TOKENS = 60
"""What a window has at most where its sentences are shorter, by the chunk's own tokens per character."""

Span = tuple[int, int]
"""(start, end) in characters of a chunk's text."""

_LINE = re.compile(r"[^\n]+")


@lru_cache(maxsize=4_096)
def windows(text: str, token_count: int) -> tuple[Span, ...]:
    """The windows of a chunk in order; together they hold every word of it, and none is empty.

    Sentences are joined while they fit into ``WINDOW_TOKENS``; one that is longer by far, as code and tables are, is
    cut at its lines. Tokens are estimated by the chunk's own (``token_count`` over its characters), so that execution
    needs no tokenizer.
    """
    most = max(int(WINDOW_TOKENS * len(text) / max(token_count, 1)), 40)
    found: list[Span] = []
    for start, end in (part for span in sentence_spans(text) for part in _lines(text, span, most)):
        if found and end - found[-1][0] <= most:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(found)


def joined(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The spans in order, those that only white space parts made one."""
    made: list[Span] = []
    for start, end in sorted(spans):
        if made and not text[made[-1][1] : start].strip():
            made[-1] = (made[-1][0], end)
        else:
            made.append((start, end))
    return tuple(made)


def _lines(text: str, span: Span, most: int) -> tuple[Span, ...]:
    start, end = span
    if end - start <= 2 * most or "\n" not in text[start:end]:
        return (span,)
    lines = ((line.start(), line.end()) for line in _LINE.finditer(text, start, end))
    return tuple(line for line in lines if text[line[0] : line[1]].strip())
