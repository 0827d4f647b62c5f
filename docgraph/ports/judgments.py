"""What keeps judgments: which documents help to answer which question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from docgraph.domain.judgment import Judgment


class JudgmentStore(Protocol):
    """Judgments of one workspace, one for each question and document; they go with the workspace.

    They move no revision, because plans never read them, and they stay when a document is written anew or removed.
    """

    def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """All of them, or those of one question (its exact text); by query, then by document_id."""
        ...

    def judge(self, judgments: Sequence[Judgment], *, replace: bool = True) -> int:
        """Keep them, all or none; of two about the same question and document the last one counts.

        One that is there already gives way, or stays as it is when not ``replace``. Returns how many were not there
        before.
        """
        ...

    def withdraw_judgment(self, query: str, document_id: str) -> bool:
        """Forget one; whether it was there."""
        ...
