"""What keeps saved runs: beside the workspaces, so that nothing that happens to documents touches them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.saved_run import CorpusState, ReviewEntry, RunSummary, SavedRun


class RunArchive(Protocol):
    """Saved runs of all workspaces of a database; ``Database.runs``.

    A ``run_id`` may be given as a prefix of at least 4 characters; a whole one means itself. Every method raises
    NotFoundError for an unknown one and UserError for a prefix that fits several. Deleted runs are found by
    ``restore``, ``delete(forever=True)`` and ``find(deleted=True)`` only. Text is kept without NUL.
    """

    def save(self, saved: SavedRun, state: CorpusState | None = None) -> SavedRun:
        """Keep a run, and the state of the corpus that it was made on (once a revision).

        The content decides the id: the same content again keeps what is there (also a deleted one comes back), but
        takes the new name, note, pin and baselines when they are given. States of a corpus too large to be written
        down whole are put together. Returns what is kept now. Raises UserError for a run whose hash is not that of
        its content and ConflictError when another run has its id.
        """
        ...

    def load(self, run_id: str, *, baselines: bool = True) -> SavedRun:
        """The run as it was saved; raises StoreError when what is stored is not what was saved.

        Without ``baselines`` these are not read: much the greater part of what is kept.
        """
        ...

    def find(
        self, *, workspace: str | None = None, text: str = "", deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Pinned ones first, then the newest; ``text`` = part of name, note, query or id, whatever its case."""
        ...

    def describe(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change what is said about a run, never the run.

        ``None`` leaves a field as it is; an empty name stands for the beginning of the question.
        """
        ...

    def delete(self, run_id: str, *, at: str, forever: bool = False) -> RunSummary:
        """Put a run away (``restore`` brings it back), or with ``forever`` remove it.

        Its review goes with it, and the state of the corpus when no other run was made on that.
        """
        ...

    def restore(self, run_id: str) -> RunSummary:
        """Bring back a deleted run."""
        ...

    def add_review(self, run_id: str, entry: ReviewEntry) -> None:
        """Add a line to the review of a run; lines are never changed."""
        ...

    def reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a run, oldest line first."""
        ...

    def state(self, workspace: str, revision: str) -> CorpusState | None:
        """What the workspace held at a revision; None when that was not written down."""
        ...
