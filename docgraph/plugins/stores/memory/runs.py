"""Saved runs in a dict: the reference of ``ports.RunArchive``."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from docgraph.domain.saved_run import CorpusState, ReviewEntry, RunSummary, SavedRun
from docgraph.plugins.stores._rows.runs import (
    approver,
    checked_prefix,
    clean_fields,
    merged,
    named,
    ready,
    said,
    summary_of,
    the_one,
    with_what_is_new,
)
from docgraph.plugins.stores._rows.writing import cleaned


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
        saved = ready(saved)
        with self._lock:
            there = self._kept.get(saved.run_id)
            saved = with_what_is_new(there.saved, saved) if there else named(saved)
            self._kept[saved.run_id] = _Kept(saved, reviews=there.reviews if there else ())
            if state is not None:
                key = (state.workspace, state.revision)
                self._states[key] = merged(self._states.get(key), state)
        return saved

    def load(self, run_id: str, *, baselines: bool = True) -> SavedRun:
        """The run as it was saved. Raises NotFoundError."""
        saved = self._one(run_id).saved
        return saved if baselines else saved.model_copy(update={"baselines": {}})

    def find(
        self, *, workspace: str | None = None, text: str = "", deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Pinned ones first, then the newest."""
        rows = [self._summary(kept) for kept in list(self._kept.values()) if bool(kept.deleted_at) == deleted]
        rows = [row for row in rows if workspace in (None, row.workspace) and _says(row, text)]
        rows.sort(key=lambda row: row.run_id)
        rows.sort(key=lambda row: row.saved_at, reverse=True)
        rows.sort(key=lambda row: not row.pinned)
        return tuple(rows[:limit])

    def describe(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change what is said about a run. Raises NotFoundError."""
        update = clean_fields({"name": name, "note": note, "pinned": pinned})
        with self._lock:
            kept = self._one(run_id)
            return self._put(replace(kept, saved=named(kept.saved.model_copy(update=update))))

    def delete(self, run_id: str, *, at: str, forever: bool = False) -> RunSummary:
        """Put a run away, or remove it. Raises NotFoundError."""
        with self._lock:
            kept = replace(self._one(run_id, deleted=forever), deleted_at=at)
            if not forever:
                return self._put(kept)
            del self._kept[kept.saved.run_id]
            key = (kept.saved.workspace, kept.saved.corpus_revision)
            if all(key != (k.saved.workspace, k.saved.corpus_revision) for k in self._kept.values()):
                self._states.pop(key, None)
        return self._summary(kept)

    def restore(self, run_id: str) -> RunSummary:
        """Restore a deleted run. Raises NotFoundError."""
        with self._lock:
            return self._put(replace(self._one(run_id, deleted=True), deleted_at=""))

    def add_review(self, run_id: str, entry: ReviewEntry) -> None:
        """Add a line to the review of a run. Raises NotFoundError."""
        entry = entry.model_copy(update=clean_fields(entry.model_dump()))
        with self._lock:
            kept = self._one(run_id)
            self._put(replace(kept, reviews=(*kept.reviews, entry)))

    def reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a run, oldest line first. Raises NotFoundError."""
        return self._one(run_id).reviews

    def state(self, workspace: str, revision: str) -> CorpusState | None:
        """What the workspace held at a revision."""
        return self._states.get((workspace, revision))

    def _one(self, run_id: str, *, deleted: bool = False) -> _Kept:
        """``deleted`` = among those that were put away as well."""
        prefix = checked_prefix(run_id)
        found = [
            i for i, kept in sorted(self._kept.items()) if i.startswith(prefix) and (deleted or not kept.deleted_at)
        ]
        return self._kept[the_one(run_id, found)]

    def _put(self, kept: _Kept) -> RunSummary:
        self._kept[kept.saved.run_id] = kept
        return self._summary(kept)

    def _summary(self, kept: _Kept) -> RunSummary:
        return summary_of(kept.saved, approved_by=approver(kept.reviews), deleted_at=kept.deleted_at)


def _says(row: RunSummary, text: str) -> bool:
    return cleaned(text).casefold() in said(row.name, row.note, row.query, row.run_id)
