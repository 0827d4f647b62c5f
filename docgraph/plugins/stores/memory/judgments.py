"""Judgments in the reference store."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from docgraph.domain.judgment import Judgment, PassageJudgment, PassageKey, passage_key
from docgraph.plugins.stores._rows.ready import (
    JudgmentKey,
    moved_passage,
    ready_judgments,
    ready_passages,
)
from docgraph.plugins.stores._rows.writing import cleaned


class MemoryJudgments:
    """What people said about documents and questions (``ports.JudgmentStore``).

    Kept beside the ``Content``: snapshots do not see it, and no revision moves with it.
    """

    _lock: threading.Lock
    _judgments: Mapping[JudgmentKey, Judgment] = {}  # replaced, never changed
    _passages: Mapping[PassageKey, PassageJudgment] = {}  # likewise

    def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """All of them, or those of one question, by query, then by document_id."""
        there, asked = self._judgments, None if query is None else cleaned(query)
        return tuple(there[key] for key in sorted(there) if asked in (None, key[0]))

    def judge(self, judgments: Sequence[Judgment], *, replace: bool = True) -> int:
        """Keep them; how many were not there before."""
        ready = ready_judgments(judgments)
        with self._lock:
            there = self._judgments
            self._judgments = {**there, **ready} if replace else {**ready, **there}
        return len(ready.keys() - there.keys())

    def withdraw_judgment(self, query: str, document_id: str) -> bool:
        """Forget one; whether it was there."""
        key = (cleaned(query), cleaned(document_id))
        with self._lock:
            there = self._judgments
            self._judgments = {each: judgment for each, judgment in there.items() if each != key}
        return key in there

    def passages(self, query: str | None = None) -> tuple[PassageJudgment, ...]:
        """Judgments of passages, all or those of one question, by key."""
        there, asked = self._passages, None if query is None else cleaned(query)
        return tuple(there[key] for key in sorted(there) if asked in (None, key[0]))

    def said(self, query: str | None = None) -> tuple[tuple[Judgment, ...], tuple[PassageJudgment, ...]]:
        """Both at once."""
        return self.judgments(query), self.passages(query)

    def judge_passages(self, judgments: Sequence[PassageJudgment]) -> int:
        """Keep them; how many were not there before."""
        ready = ready_passages(judgments)
        with self._lock:
            there = self._passages
            self._passages = {**there, **ready}
        return len(ready.keys() - there.keys())

    def withdraw_passage(self, query: str, document_id: str, *, text_hash: str, by: str) -> bool:
        """Forget what one judge said of one text; whether it was there."""
        key = (cleaned(query), cleaned(document_id), text_hash, cleaned(by))
        with self._lock:
            there = self._passages
            self._passages = {each: judgment for each, judgment in there.items() if each != key}
        return key in there


def judged_anew(judgments: Mapping[JudgmentKey, Judgment], moves: Mapping[str, str]) -> dict[JudgmentKey, Judgment]:
    """The judgments under the new ids; one that is there already stands, and the old one stays with its id."""
    kept = dict(judgments)
    for (query, document_id), judgment in judgments.items():
        new = moves.get(document_id)
        if new is not None and (query, new) not in kept:
            kept[query, new] = judgment.model_copy(update={"document_id": new})
            del kept[query, document_id]
    return kept


def passages_anew(
    passages: Mapping[PassageKey, PassageJudgment], moves: Mapping[str, str]
) -> dict[PassageKey, PassageJudgment]:
    """The same of judgments of passages."""
    kept = dict(passages)
    for key, judgment in passages.items():
        new = moves.get(judgment.document_id)
        moved = moved_passage(judgment, new) if new is not None else judgment
        if passage_key(moved) not in kept:
            kept[passage_key(moved)] = moved
            del kept[key]
    return kept
