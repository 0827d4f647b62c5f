"""What keeps judgments: which documents, and which of their passages, help to answer which question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.judgment import Judgment, PassageJudgment


class JudgmentStore(Protocol):
    """Judgments of one workspace, one for each question and document; they go with the workspace.

    Those of passages: one for each question, document, text and judge. They move no revision, because plans never read
    them, and they stay when a document is written anew or removed.
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

    def passages(self, query: str | None = None) -> tuple[PassageJudgment, ...]:
        """Judgments of passages, all or those of one question; by query, document_id, text_hash, then by judge."""
        ...

    def said(self, query: str | None = None) -> tuple[tuple[Judgment, ...], tuple[PassageJudgment, ...]]:
        """``judgments`` and ``passages`` at once."""
        ...

    def judge_passages(self, judgments: Sequence[PassageJudgment]) -> int:
        """Keep them, all or none; one of the same judge about the same text gives way. How many were not there."""
        ...

    def withdraw_passage(self, query: str, document_id: str, *, text_hash: str, by: str) -> bool:
        """Forget what one judge said of one text; whether it was there."""
        ...
