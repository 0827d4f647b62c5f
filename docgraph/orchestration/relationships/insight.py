"""What a curator looks at before deciding: the vocabulary, suggested relationships, and both ends of one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from docgraph.curation.checking import Steps, check_graph, n_on, not_checked, refuse_unknown
from docgraph.curation.deciding import with_owners
from docgraph.curation.evidence import find_evidence
from docgraph.curation.graph import read_graph
from docgraph.curation.impact import planned_today
from docgraph.curation.suggestions import find_suggestions
from docgraph.curation.vocabulary import active_parameters, merging, read_vocabulary
from docgraph.domain.context import RetrievedContext
from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Rule
from docgraph.domain.history import HistoryEntry
from docgraph.domain.imports.record import ImportState
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary
from docgraph.errors import UserError
from docgraph.orchestration.document_ids import stored_end
from docgraph.orchestration.relationships.impact import SavedQuestions, Stages, saved_questions
from docgraph.orchestration.saved_runs import loaded
from docgraph.orchestration.session import HasSession, Session
from docgraph.ports import Progress, Snapshot, Store
from docgraph.ports.progress import Stopped

MAX_QUESTIONS = 1_000
"""Saved runs whose questions are looked at, pinned ones first, then the newest."""

MAX_ENTRIES = 50
"""Entries of the history beside the two ends of a relationship."""

PAGE = 200
MAX_PAGES = 25
"""Pages of a document's history that are searched for entries about one other document."""


def vocabulary(self: HasSession) -> Vocabulary:
    """The relation types of the workspace: number, document types at their ends, similar names; on one snapshot.

    The rules name the known types and the threshold of similarity. The saved questions are planned on today's data, to
    count in how many of them each type adds a document.
    """
    rules = self.session.store().rules()
    asked = saved_questions(self.session, runs=MAX_QUESTIONS)
    with self.session.reading() as snapshot:
        return read_vocabulary(
            snapshot,
            self.session.embedding.embed,
            parameters=active_parameters(self.session.adapters.checks, rules),
            plans=_plans(asked, snapshot),
        )


def suggestions(self: HasSession) -> Suggestions:
    """Pairs of documents without a relationship that occur together in texts or in answers to saved questions.

    Accept one with ``edit([suggestion.edit(type)], by=…)``, reject it with ``dismiss([suggestion], by=…)``. Answers =
    those of saved runs as saved, and those of query sets as of today.
    """
    dismissals = self.session.store().dismissals()
    asked = saved_questions(self.session, runs=MAX_QUESTIONS)
    read = [_documents_read(saved.run.context) for saved in questions(self.session, asked.rows)]
    with self.session.reading() as snapshot:
        embed, stages = self.session.embedding.embed, Stages(self.session, snapshot)
        for question in asked.of_sets():
            with suppress(UserError):
                plan = planned_today(question, stages, snapshot)
                read.append(_documents_read(stages.evidence(question.request, plan)))
        return find_suggestions(snapshot, embed, questions=read, dismissals=dismissals)


def evidence(self: HasSession, a_id: str, b_id: str) -> EdgeEvidence:
    """What two documents, stored or not, say about a relationship between them, and the history of its edits.

    Ids ignore case. Raises UserError when one matches several documents.
    """
    embedder, extractors = self.session.embedding, self.session.adapters.extractors
    with self.session.reading() as snapshot:
        a_id, b_id = stored_end(snapshot, a_id), stored_end(snapshot, b_id)
        found = find_evidence(snapshot, a_id, b_id, embed=embedder.embed, extractors=extractors)
    return found.model_copy(update={"history": _history_between(self.session.store(), a_id, b_id)})


def merge_edits(self: HasSession, types: Sequence[str], into: str) -> tuple[Edit, ...]:
    """Edits that change the type of all relationships of ``types`` to ``into``, by key; apply them with ``edit``.

    A relationship that exists under ``into`` already is removed instead. Raises UserError for no types, for an unused
    one, for ``into`` among them, and for an invalid ``into``.
    """
    with self.session.reading() as snapshot:
        return merging(snapshot, types, into)


def check(
    session: Session, rules: Mapping[str, Rule], progress: Progress | None, *, owner_fields: Sequence[str] | None
) -> CheckReport:
    """Every check on one snapshot; the saved questions are planned on it first. See ``Docgraph.check``."""
    checks, store = session.adapters.checks, session.store()
    refuse_unknown(rules, checks)  # before anything is read, which may take long
    ignored, contested, said = store.dismissals(), store.contested(), store.triage()
    fields = session.adapters.owner_fields if owner_fields is None else owner_fields
    steps = Steps(progress, n_on(checks, rules))
    try:
        asked = saved_questions(session, runs=MAX_QUESTIONS)
        with session.reading() as snapshot:
            plans = steps.each(_plans(asked, snapshot), "Planning the saved questions", of=len(asked), step=1)
            embed = session.embedding.embed
            before = newest_state(store)
            rejected = {i: why for each in before.rejected.values() for i, why in each.items()}
            graph = read_graph(
                snapshot, embed, plans=plans, contested=contested, moved=before.moved, rejected=rejected, steps=steps
            )
            here = snapshot.workspace
            found = check_graph(graph, checks, rules, workspace=here, dismissals=ignored, progress=progress)
            return with_owners(found, graph.documents, fields=fields).triaged(said)
    except Stopped:
        with session.reading() as snapshot:
            return not_checked(checks, rules, workspace=snapshot.workspace)


def questions(session: Session, rows: Sequence[RunSummary]) -> Iterator[SavedRun]:
    """The first saved run of each different request, one at a time."""
    seen: set[str] = set()
    for saved in loaded(session, rows):
        request = saved.run.request.model_dump_json()
        if request not in seen:
            seen.add(request)
            yield saved


def _plans(asked: SavedQuestions, snapshot: Snapshot) -> Iterator[RetrievalPlan | None]:
    """The plan of each saved question on a snapshot; None where there is none (a seed that it names is gone).

    A question of which a plan on these documents is known is not ranked, as impact does it.
    """
    stages = Stages(asked.session, snapshot)
    for question in asked.once():
        try:
            yield planned_today(question, stages, snapshot)
        except UserError:
            yield None


def _documents_read(context: RetrievedContext) -> tuple[str, ...]:
    """The documents that gave a passage, in the order of their plan."""
    return tuple(found.document.document_id for found in context.documents if found.chunks)


def _history_between(store: Store, a_id: str, b_id: str) -> tuple[HistoryEntry, ...]:
    """What was done to relationships between two documents, newest first."""
    found: list[HistoryEntry] = []
    before: int | None = None
    for _ in range(MAX_PAGES):
        page = store.history(document_id=a_id, limit=PAGE, before=before)
        found += (e for e in page if any({key[0], key[2]} == {a_id, b_id} for key in e.keys))
        if len(page) < PAGE or len(found) >= MAX_ENTRIES:
            break
        before = page[-1].entry_id
    return tuple(found[:MAX_ENTRIES])


def newest_state(store: Store) -> ImportState:
    """The state of the workspace after the newest comparable import; an empty state if there is none."""
    newest = next((each.import_id for each in store.imports() if each.comparable), 0)
    return (store.import_state(newest) if newest else None) or ImportState()
