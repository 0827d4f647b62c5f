"""The imports of a workspace: listed, and what is different after one from what was there after another."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice, pairwise

from docgraph.comparison.imports import import_diff
from docgraph.curation.impact import planned_today
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import StoredDocument
from docgraph.domain.imports.fields import status_word
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.imports.record import (
    AnsweredQuestion,
    ImportDiff,
    ImportedDocument,
    ImportState,
    ImportSummary,
)
from docgraph.domain.report import IngestReport
from docgraph.domain.saved_run import SavedQuestion
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.relationships.impact import Stages
from docgraph.orchestration.relationships.insight import newest_state, questions
from docgraph.orchestration.saved_runs import MAX_STATE_ENTRIES, summaries
from docgraph.orchestration.session import Namespace, Session
from docgraph.ports import Snapshot

LIST_THEM = "list them: docgraph imports"
MAX_SOURCE = 200
MAX_MOVED = 10_000
MAX_REASON = 300
MAX_REJECTED = 2_000
MAX_SOURCES = 20
MOST_ASKED = 100
"""Saved questions that are planned after an import, pinned ones first, then the newest: a plan takes milliseconds."""


class Imports(Namespace):
    """The log of imports of folders, files and uploads: the newest of a workspace.

    Dry runs and ``ingest_records`` leave no entry.
    """

    def list(self) -> tuple[ImportSummary, ...]:
        """All logged imports, newest first."""
        return self.session.store().imports()

    def diff(self, before: int, after: int | None = None) -> ImportDiff:
        """Differences between the data after import ``before`` and after import ``after`` (None: the newest).

        By whatever made them, manual edits included; what was added and removed in between is not in it. Saved
        questions are compared by the documents of their plans. Raises NotFoundError for an import that is not logged,
        UserError when ``before`` is not the older one, and when a workspace was too large to store its state.
        """
        every = {each.import_id: each for each in self.list()}
        if not every:
            raise NotFoundError("no import is kept", hint="docgraph ingest FOLDER makes the first")
        first, last = self._known(before, every), self._known(max(every) if after is None else after, every)
        if first.import_id > last.import_id:
            raise UserError(
                f"import {first.import_id} is not older than {last.import_id}", hint="name the older one first"
            )
        then, now = self._state(first), self._state(last)
        return import_diff(first, then, last, now)

    def since(self, moment: str) -> ImportDiff:
        """Differences between ``moment`` (a date, or ISO 8601; without a zone: UTC) and today; see ``diff``.

        Compares the newest import before that moment (else the oldest) with the newest of all. Raises what ``diff``
        raises, and UserError for an invalid date.
        """
        at = _moment(moment)
        every = self.list()
        if not every:
            raise NotFoundError("no import is kept", hint="docgraph ingest FOLDER makes the first")
        before = next((each for each in every if datetime.fromisoformat(each.at) <= at), every[-1])
        return self.diff(before.import_id)

    def newest_diffs(self, *, limit: int = 20) -> tuple[ImportDiff, ...]:
        """Changes of each of the newest imports against the one before it, newest first; where both are stored."""
        pairs = [(a, b) for a, b in pairwise(self.list()) if a.comparable and b.comparable]
        return tuple(self.diff(older.import_id, newer.import_id) for newer, older in pairs[:limit])

    def _known(self, import_id: int, every: dict[int, ImportSummary]) -> ImportSummary:
        if import_id not in every:
            raise NotFoundError(f"no import {import_id} is kept", hint=LIST_THEM)
        return every[import_id]

    def _state(self, summary: ImportSummary) -> ImportState:
        state = self.session.store().import_state(summary.import_id) if summary.comparable else None
        if state is None:
            said = f"more than {MAX_STATE_ENTRIES:,} documents and relationships"
            raise UserError(f"the state after import {summary.import_id} is not kept: {said}", hint=LIST_THEM)
        return state


def recorded(
    session: Session, report: IngestReport, *, source: str, profile: ImportProfile | str | None
) -> IngestReport:
    """Keep what an import did and what the workspace holds after it; the report as it was.

    A dry run, and an import before there is a workspace, leave nothing.
    """
    if report.dry_run:
        return report
    try:
        store = session.store()
    except NotFoundError:
        return report
    with session.reading() as snapshot:
        here = snapshot.workspace
        comparable = here.n_documents + here.n_relationships <= MAX_STATE_ENTRIES
        state = _state_of(session, snapshot, report, source[:MAX_SOURCE], newest_state(store)) if comparable else None
    summary = ImportSummary(
        at=session.now() or datetime.now(UTC).isoformat(timespec="seconds"),
        by=session.person.name if session.person else "",
        source=source[:MAX_SOURCE],
        profile=_profile(profile),
        revision=here.revision,
        content_revision=here.content_revision,
        n_in=report.n_in,
        n_stored=report.n_stored,
        n_updated=report.n_updated,
        n_skipped=report.n_skipped,
        n_rejected=report.n_rejected,
        n_pruned=len(report.pruned),
        n_moved=len(report.moved),
        seconds=report.seconds,
        stopped=report.stopped,
        comparable=comparable,
    )
    store.keep_import(summary, state, keep=session.adapters.kept_imports)
    return report


def _profile(profile: ImportProfile | str | None) -> str:
    if isinstance(profile, ImportProfile):
        return fingerprint(profile.model_dump(mode="json"))[:12]
    return profile or ""


def _rejected(report: IngestReport) -> dict[str, str]:
    """Ids that the documents of rejected files would have → the reason; a record of a file has no such id."""
    parts = [(posixpath.splitext(each.source), each) for each in report.outcomes if each.outcome == "rejected"]
    found = (
        (stem, each.reason[:MAX_REASON])
        for (stem, suffix), each in parts
        if suffix[1:].isalnum() and len(stem) <= MAX_SOURCE
    )
    return dict(islice(found, MAX_REJECTED))


def _of_newest_sources(rejected: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Those of the newest sources, which stand last; of a source that has none there is nothing to know."""
    return {source: ids for source, ids in list(rejected.items())[-MAX_SOURCES:] if ids}


def _state_of(
    session: Session, snapshot: Snapshot, report: IngestReport, source: str, before: ImportState
) -> ImportState:
    moved = {**before.moved, **report.moved}
    rejected = {name: why for name, why in before.rejected.items() if name != source}
    rejected[source] = _rejected(report)  # behind the others: the newest come last
    documents = {each.document_id: _document(each) for each in snapshot.documents()}
    return ImportState(
        documents=documents,
        moved=_where_they_are(moved, documents),
        rejected=_of_newest_sources(rejected),
        relationships=tuple(sorted(edge.key for edge in snapshot.relationships())),
        questions=tuple(_questions(session, snapshot)),
    )


def _where_they_are(moved: Mapping[str, str], there: Collection[str]) -> dict[str, str]:
    """Each old id → the stored document at the end of its moves; not where the id is in use again."""
    found = {}
    for old, new in sorted(moved.items()):
        seen = {old}
        while new not in there and new in moved and new not in seen:
            seen.add(new)
            new = moved[new]
        if old not in there and new in there:
            found[old] = new
    return dict(islice(found.items(), MAX_MOVED))


def _document(document: StoredDocument) -> ImportedDocument:
    return ImportedDocument(
        title=document.title, content_hash=document.content_hash, status=status_word(document.metadata)
    )


def _questions(session: Session, snapshot: Snapshot) -> Sequence[AnsweredQuestion]:
    """The saved questions with what their plans read today; one that has no plan (a seed is gone) says so."""
    stages = Stages(session, snapshot)
    found = []
    for saved in questions(session, summaries(session, limit=MOST_ASKED)):
        try:
            ids = planned_today(SavedQuestion.of(saved), stages, snapshot).document_ids
        except UserError:
            ids = None
        found.append(AnsweredQuestion(run_id=saved.run_id, query=saved.run.request.query, documents=ids))
    return found


def _moment(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UserError(f"{text[:40]!r} is not a date", hint="write 2026-11-16, or 2026-11-16T08:00:00+00:00") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
