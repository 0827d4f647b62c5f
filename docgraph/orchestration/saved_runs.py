"""Saved runs: kept beside the workspaces, found again by name or short id, described, put away and reviewed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.boundary.records import as_request
from docgraph.boundary.text import clean, one_line
from docgraph.comparison.staleness import changes
from docgraph.domain.baselines import BASELINES, SAVED_BASELINES, TODAY, baseline_request
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.run import Run
from docgraph.domain.saved_run import (
    MAX_NAME,
    MAX_NOTE,
    MAX_PERSON,
    RUN_ID_LENGTH,
    CorpusChanges,
    CorpusState,
    ReviewEntry,
    ReviewKind,
    RunSummary,
    SavedRun,
    content_hash,
)
from docgraph.domain.workspace import Workspace
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.orchestration.comparisons import Question, baseline_of, compare_sides
from docgraph.orchestration.evaluating import own_ranking
from docgraph.orchestration.pipeline import run, verified
from docgraph.orchestration.session import Namespace, Session
from docgraph.planning.planner import make_plan
from docgraph.ports import Snapshot

MAX_STATE_ENTRIES = 100_000
"""Documents plus relationships up to which a whole corpus is written down beside a run, to say later what changed."""


class Runs(Namespace):
    """Saved runs of a workspace. A ``run_id`` may be shortened to 4 or more characters while it is unique."""

    compare_with = own_ranking.compare_with

    def get(self, run_id: str) -> SavedRun:
        """The run as it was saved, even if its documents have changed. Raises NotFoundError, UserError (ambiguous)."""
        return self.session.archive.load(run_id)

    def list(
        self, *, text: str = "", everywhere: bool = False, deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Saved runs of this workspace (or of all), pinned first, then the newest; ``text`` filters them."""
        where = None if everywhere else self.session.workspace
        return self.session.archive.find(workspace=where, text=text, deleted=deleted, limit=limit)

    def describe(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change name, note or pin of a saved run; ``None`` leaves a field unchanged. Raises NotFoundError."""
        name = None if name is None else one_line(name, MAX_NAME)
        note = None if note is None else _checked(note, MAX_NOTE, what="the note")
        return self.session.archive.describe(run_id, name=name, note=note, pinned=pinned)

    def delete(self, run_id: str, *, forever: bool = False) -> RunSummary:
        """Move a saved run to the trash (``restore`` undoes it), or delete it ``forever``. Raises NotFoundError."""
        return self.session.archive.delete(run_id, at=self.session.now(), forever=forever)

    def restore(self, run_id: str) -> RunSummary:
        """Restore a saved run from the trash. Raises NotFoundError."""
        return self.session.archive.restore(run_id)

    def review(
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
            at=self.session.now(),
            by=self.session.named(by, MAX_PERSON),
            item=one_line(item, MAX_NAME),
            checked=checked,
            text=_checked(text, MAX_NOTE, what="the note"),
        )
        self.session.archive.add_review(run_id, entry)
        return entry

    def reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a saved run, oldest line first. Raises NotFoundError."""
        return self.session.archive.reviews(run_id)

    def save(
        self, question: Question | Run, *, name: str = "", note: str = "", by: str = "", pinned: bool = False
    ) -> SavedRun:
        """Save a run with its baselines; equal content keeps its id and takes the new name.

        If the data have changed since the run was made, it is saved without baselines.
        """
        made = _complete(self.session, question)
        whole = content_hash(made)
        saved = SavedRun(
            run_id=whole[:RUN_ID_LENGTH],
            name=one_line(name, MAX_NAME),
            note=_checked(note, MAX_NOTE, what="the note"),
            saved_at=self.session.now(),
            saved_by=self.session.named(by, MAX_PERSON),
            pinned=pinned,
            content_hash=whole,
            run=made,
            baselines=_baselines_of(self.session, made),
            content_revision=_content_of(self.session, made),
        )
        return self.session.archive.save(saved, _new_state(self.session, made))

    def verify(self, run: Run, query_vector: Sequence[float] | None = None) -> Run:
        """The run with its contract, planned and executed again. Raises ConflictError when the data have changed."""
        return verified(self.session.at(run.plan.workspace), run, query_vector)

    baseline = baseline_of
    compare = compare_sides

    def changes_since(self, saved: SavedRun) -> CorpusChanges:
        """Changes in the data since a run was saved: documents and relationships, the run's own first."""
        here, then = _workspace_of(self.session, saved.workspace), saved.corpus_revision
        now = "" if here is None else here.revision
        if here is None or now == then:
            return CorpusChanges(revision_before=then, revision_now=now, known=now == then)
        same = saved.content_revision != "" and saved.content_revision == here.content_revision
        before, today = self.session.archive.state(saved.workspace, then), _state_of(self.session, saved.run)
        if before is None or today is None:
            return CorpusChanges(revision_before=then, revision_now=now, known=False, same_documents=same)
        found = changes(before, today, saved.run)
        return found.model_copy(update={"same_documents": same and found.revision_now == now})

    def rerun(self, saved: SavedRun) -> Comparison:
        """The saved run (A) compared with the same request on today's data (B).

        Raises NotFoundError for a deleted workspace, or when a seed that the request names is deleted.
        """
        changed = self.changes_since(saved)
        if not changed.revision_now:
            raise NotFoundError(
                f"the workspace {saved.workspace!r} of the saved run {saved.run_id} is gone",
                hint="the saved run stays readable; import its documents again to run it on today's data",
            )
        gone = [edit.document_id for edit in changed.documents if edit.change == "removed"]
        today = run(self.session.at(saved.workspace), saved.run.request)
        return self.compare(Side.of(saved), Side(name=TODAY, label=BASELINES[TODAY][0], run=today), gone=gone)


def summaries(session: Session, *, limit: int) -> tuple[RunSummary, ...]:
    """The saved runs of the session's workspace, pinned first, then the newest."""
    return session.archive.find(workspace=session.workspace, text="", deleted=False, limit=limit)


def loaded(session: Session, rows: Sequence[RunSummary]) -> Iterator[SavedRun]:
    """The runs behind a list, one at a time; one that somebody deletes meanwhile is left out."""
    for row in rows:
        try:
            yield session.archive.load(row.run_id, baselines=False)
        except NotFoundError:
            continue


def _complete(session: Session, question: Question | Run) -> Run:
    """The run with its contract: a saved run shows its promises, unless the data have moved on before it had any."""
    if not isinstance(question, Run):
        return run(session, as_request(question), verify="full")
    try:
        return question if question.contract else verified(session.at(question.plan.workspace), question)
    except (ConflictError, NotFoundError):
        return question


def _baselines_of(session: Session, made: Run) -> dict[str, Run]:
    """Name → baseline, all on the data that the run was made on; nothing when those are not there any more."""
    plan, there = made.plan, session.at(made.plan.workspace)
    then = (plan.corpus_revision, plan.embedder_id)
    here = _workspace_of(session, plan.workspace)
    if here is None or (here.revision, session.embedder.embedder_id) != then:
        return {}
    again = {name: run(there, baseline_request(made.request, name)) for name in SAVED_BASELINES}
    return {name: each for name, each in again.items() if each.plan.corpus_revision == plan.corpus_revision}


def _content_of(session: Session, made: Run) -> str:
    """The revision of the documents that the run's plan is made on; empty where they may be others by now.

    The revision of the data does not cover given vectors, so the plan is made once more and has to be the same.
    """
    plan, there = made.plan, session.at(made.plan.workspace)
    try:
        with there.reading() as snapshot:
            now, probe = snapshot.workspace, there.probe(made.request.query)
            if (now.revision, now.embedder.embedder_id) != (plan.corpus_revision, plan.embedder_id):
                return ""
            return now.content_revision if make_plan(made.request, probe, snapshot) == plan else ""
    except UserError:
        return ""


def _new_state(session: Session, run: Run) -> CorpusState | None:
    """The state that the run was made on, unless it is written down already or the data have moved on."""
    there = session.archive.state(run.plan.workspace, run.plan.corpus_revision)
    if there is not None and there.complete:
        return None
    now = _state_of(session, run)
    return now if now is not None and now.revision == run.plan.corpus_revision else None


def _state_of(session: Session, run: Run) -> CorpusState | None:
    """What the run's workspace holds today, whichever embedder is configured; None when it is gone."""
    try:
        with session.database.open_workspace(run.plan.workspace).reading() as snapshot:
            return corpus_state(snapshot, run)
    except NotFoundError:
        return None


def _workspace_of(session: Session, workspace: str) -> Workspace | None:
    """A workspace as it is now, whichever embedder is configured; None when it is gone."""
    return next((w for w in session.database.workspaces() if w.name == workspace), None)


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
        reasons_only_types=tuple(each.relation_type for each in workspace.decided.reasons_only),
        complete=complete,
    )


def _checked(text: str, longest: int, *, what: str) -> str:
    text = clean(text).strip()
    if len(text) > longest:
        raise UserError(f"{what} has {len(text):,} characters; at most {longest:,} are kept", hint="shorten it")
    return text
