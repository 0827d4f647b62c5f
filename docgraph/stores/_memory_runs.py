"""Saved runs in a dict: the reference of ``ports.RunArchive``."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any

from docgraph.domain.saved_run import CorpusState, ReviewEntry, RunSummary, SavedRun
from docgraph.errors import NotFoundError, UserError
from docgraph.stores._run_rows import approver, checked_prefix, summary_of


@dataclass(frozen=True)
class _Kept:
    saved: SavedRun
    deleted_at: str = ""
    reviews: tuple[ReviewEntry, ...] = field(default=())


class MemoryRuns:
    """Holds saved runs by id (``ports.RunArchive``)."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._states: dict[tuple[str, str], CorpusState] = {}
        self._lock = threading.Lock()

    def save(self, saved: SavedRun, state: CorpusState | None = None) -> SavedRun:
        """Keep a run; the same content again takes the new name, note, pin and baselines."""
        with self._lock:
            there = self._kept.get(saved.run_id)
            if there is not None:
                old = there.saved
                saved = old.model_copy(
                    update={
                        "name": saved.name or old.name, "note": saved.note or old.note,
                        "pinned": saved.pinned or old.pinned, "baselines": old.baselines | saved.baselines,
                    }
                )  # fmt: skip
            self._kept[saved.run_id] = _Kept(saved, reviews=there.reviews if there else ())
            if state is not None:
                self._states.setdefault((state.workspace, state.revision), state)
        return saved

    def load(self, run_id: str) -> SavedRun:
        """The run as it was saved. Raises NotFoundError."""
        return self._one(run_id).saved

    def find(
        self, *, workspace: str | None = None, text: str = "", deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Pinned ones first, then the newest."""
        rows = [self._summary(kept) for kept in self._kept.values() if bool(kept.deleted_at) == deleted]
        rows = [row for row in rows if workspace in (None, row.workspace) and _says(row, text)]
        rows.sort(key=lambda row: row.run_id)
        rows.sort(key=lambda row: row.saved_at, reverse=True)
        rows.sort(key=lambda row: not row.pinned)
        return tuple(rows[:limit])

    def describe(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change what is said about a run. Raises NotFoundError."""
        said: dict[str, Any] = {"name": name, "note": note, "pinned": pinned}
        update = {field: value for field, value in said.items() if value is not None}
        kept = self._one(run_id)
        return self._put(replace(kept, saved=kept.saved.model_copy(update=update)))

    def delete(self, run_id: str, *, at: str, forever: bool = False) -> RunSummary:
        """Put a run away, or remove it. Raises NotFoundError."""
        kept = self._one(run_id, deleted=True if forever else None)
        if forever:
            with self._lock:
                self._kept.pop(kept.saved.run_id, None)
            return self._summary(replace(kept, deleted_at=at))
        return self._put(replace(kept, deleted_at=at))

    def restore(self, run_id: str) -> RunSummary:
        """Bring back a deleted run. Raises NotFoundError."""
        return self._put(replace(self._one(run_id, deleted=True), deleted_at=""))

    def add_review(self, run_id: str, entry: ReviewEntry) -> None:
        """Add a line to the review of a run. Raises NotFoundError."""
        kept = self._one(run_id)
        self._put(replace(kept, reviews=(*kept.reviews, entry)))

    def reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a run, oldest line first. Raises NotFoundError."""
        return self._one(run_id).reviews

    def state(self, workspace: str, revision: str) -> CorpusState | None:
        """What the workspace held at a revision."""
        return self._states.get((workspace, revision))

    def _one(self, run_id: str, *, deleted: bool | None = None) -> _Kept:
        """``deleted=True`` finds deleted runs as well, else only those that are not."""
        prefix = checked_prefix(run_id)
        found = [k for i, k in sorted(self._kept.items()) if i.startswith(prefix) and (deleted or not k.deleted_at)]
        if not found:
            raise NotFoundError(f"there is no saved run {run_id[:64]!r}", hint="list them: docgraph runs list")
        if len(found) > 1:
            names = ", ".join(k.saved.run_id for k in found[:3])
            raise UserError(f"{run_id!r} is the beginning of {len(found)} saved runs: {names}", hint="give more of it")
        return found[0]

    def _put(self, kept: _Kept) -> RunSummary:
        with self._lock:
            self._kept[kept.saved.run_id] = kept
        return self._summary(kept)

    def _summary(self, kept: _Kept) -> RunSummary:
        return summary_of(kept.saved, approved_by=approver(kept.reviews), deleted_at=kept.deleted_at)


def _says(row: RunSummary, text: str) -> bool:
    wanted = text.casefold()
    return any(wanted in said.casefold() for said in (row.name, row.note, row.query, row.run_id))
