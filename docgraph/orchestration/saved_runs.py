"""Saved runs: kept beside the workspaces, found again by name or short id, described, put away and reviewed."""

from __future__ import annotations

from docgraph.boundary.text import clean, one_line
from docgraph.domain.run import Run
from docgraph.domain.saved_run import (
    MAX_NAME,
    MAX_NOTE,
    MAX_PERSON,
    RUN_ID_LENGTH,
    CorpusState,
    ReviewEntry,
    ReviewKind,
    RunSummary,
    SavedRun,
    content_hash,
)
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.workspace import Holdings
from docgraph.ports import RunArchive, Snapshot

MAX_STATE_ENTRIES = 100_000
"""Documents plus relationships up to which a whole corpus is written down beside a run, to say later what changed."""


class SavedRuns(Holdings):
    """What a workbench remembers of runs. A ``run_id`` may be shortened to 4 characters and more while it is unique."""

    def saved_run(self, run_id: str) -> SavedRun:
        """The run as it was saved, whatever became of its documents. Raises NotFoundError, UserError (ambiguous)."""
        return self._archive.load(run_id)

    def saved_runs(
        self, *, text: str = "", everywhere: bool = False, deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Saved runs of this workspace (or of all), pinned first, then the newest; ``text`` = part of what is said."""
        where = None if everywhere else self._name
        return self._archive.find(workspace=where, text=text, deleted=deleted, limit=limit)

    def describe_run(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change name, note or pin of a saved run; ``None`` leaves a field as it is. Raises NotFoundError."""
        name = None if name is None else one_line(name, MAX_NAME)
        note = None if note is None else _checked(note, MAX_NOTE, what="the note")
        return self._archive.describe(run_id, name=name, note=note, pinned=pinned)

    def delete_run(self, run_id: str, *, forever: bool = False) -> RunSummary:
        """Put a saved run away; ``restore_run`` undoes it, unless it is ``forever``. Raises NotFoundError."""
        return self._archive.delete(run_id, at=self._adapters.now(), forever=forever)

    def restore_run(self, run_id: str) -> RunSummary:
        """Bring back a saved run that was put away. Raises NotFoundError."""
        return self._archive.restore(run_id)

    def review_run(
        self,
        run_id: str,
        kind: ReviewKind,
        *,
        by: str = "",
        item: str = "",
        checked: bool | None = None,
        text: str = "",
    ) -> ReviewEntry:
        """Add a line to the review of a saved run. Raises NotFoundError."""
        entry = ReviewEntry(
            kind=kind,
            at=self._adapters.now(),
            by=one_line(by, MAX_PERSON),
            item=one_line(item, MAX_NAME),
            checked=checked,
            text=_checked(text, MAX_NOTE, what="the note"),
        )
        self._archive.add_review(run_id, entry)
        return entry

    def run_reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a saved run, oldest line first. Raises NotFoundError."""
        return self._archive.reviews(run_id)

    # ------------------------------------------------------------ inside

    @property
    def _archive(self) -> RunArchive:
        return self._adapters.database.runs

    def _keep(self, run: Run, *, name: str, note: str, by: str, pinned: bool, baselines: dict[str, Run]) -> SavedRun:
        whole = content_hash(run)
        saved = SavedRun(
            run_id=whole[:RUN_ID_LENGTH],
            name=one_line(name, MAX_NAME),
            note=_checked(note, MAX_NOTE, what="the note"),
            saved_at=self._adapters.now(),
            saved_by=one_line(by, MAX_PERSON),
            pinned=pinned,
            content_hash=whole,
            run=run,
            baselines=baselines,
        )
        return self._archive.save(saved, self._new_state(run))

    def _new_state(self, run: Run) -> CorpusState | None:
        """The state that the run was made on, unless it is written down already or the data have moved on."""
        there = self._archive.state(run.plan.workspace, run.plan.corpus_revision)
        if there is not None and there.complete:
            return None
        now = self._state_of(run)
        return now if now is not None and now.revision == run.plan.corpus_revision else None

    def _state_of(self, run: Run) -> CorpusState | None:
        """What the run's workspace holds today, whichever embedder is configured; None when it is gone."""
        try:
            with self._adapters.database.open_workspace(run.plan.workspace).reading() as snapshot:
                return corpus_state(snapshot, run)
        except NotFoundError:
            return None

    def _revision_of(self, workspace: str) -> str:
        """The revision that a workspace is at, whichever embedder is configured; empty when it is gone."""
        return next((w.revision for w in self._adapters.database.workspaces() if w.name == workspace), "")


def corpus_state(snapshot: Snapshot, run: Run, *, max_entries: int = MAX_STATE_ENTRIES) -> CorpusState:
    """What the workspace holds now; of a very large one only the run's documents and the relationships at them."""
    workspace, ids = snapshot.workspace, run.plan.document_ids
    complete = workspace.n_documents + workspace.n_relationships <= max_entries
    if complete:
        documents = {d.document_id: (d.title, d.content_hash) for d in snapshot.documents()}
        keys = {edge.key for edge in snapshot.relationships()}
    else:
        documents = {i: (d.title, d.content_hash) for i, d in snapshot.documents_by_id(ids).items()}
        keys = {edge.key for i in ids for edge in snapshot.relationships(document_id=i)}
    return CorpusState(
        workspace=workspace.name,
        revision=workspace.revision,
        documents=documents,
        relationships=tuple(sorted(keys)),
        off_relation_types=workspace.off_relation_types,
        complete=complete,
    )


def _checked(text: str, longest: int, *, what: str) -> str:
    text = clean(text).strip()
    if len(text) > longest:
        raise UserError(f"{what} has {len(text):,} characters; at most {longest:,} are kept", hint="shorten it")
    return text
