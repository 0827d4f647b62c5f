"""Judgments in the reference store."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from docgraph.domain.judgment import Judgment
from docgraph.plugins.stores._rows.judgments import Key, ready_judgments
from docgraph.plugins.stores._rows.writing import cleaned


class MemoryJudgments:
    """What people said about documents and questions (``ports.JudgmentStore``).

    Kept beside the ``Content``: snapshots do not see it, and no revision moves with it.
    """

    _lock: threading.Lock
    _judgments: Mapping[Key, Judgment] = {}  # replaced, never changed

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
