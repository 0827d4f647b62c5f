"""What a curator looks at before deciding: the vocabulary, suggested relationships, and both ends of one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from docgraph.curation.checking import check_graph, n_on, not_checked, refuse_unknown
from docgraph.curation.evidence import find_evidence
from docgraph.curation.graph import read_graph
from docgraph.curation.merging import merging
from docgraph.curation.steps import Steps
from docgraph.curation.suggestions import find_suggestions
from docgraph.curation.vocabulary import active_parameters, read_vocabulary
from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Rule
from docgraph.domain.history import HistoryEntry
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary
from docgraph.errors import UserError
from docgraph.orchestration.relationships.impact import Impacts
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Progress, Snapshot, Store
from docgraph.ports.progress import Stopped

MAX_QUESTIONS = 1_000
"""Saved runs whose questions are looked at, pinned ones first, then the newest."""

MAX_ENTRIES = 50
"""Entries of the history beside the two ends of a relationship."""

PAGE = 200
MAX_PAGES = 25
"""Pages of a document's history that are searched for entries about one other document."""


class Insight(Impacts):
    """What a curator looks at; nothing here changes anything."""

    def vocabulary(self) -> Vocabulary:
        """The relation types of the workspace: how often, between which documents, which are alike; one snapshot.

        The workspace's rules say which types are known and what counts as alike. The saved questions are planned on
        today's data to see in how many of them each type brings a document in.
        """
        rules = self._store().rules()
        requests = [run.request for run in self._saved_questions()]
        with self._reading() as snapshot:
            return read_vocabulary(
                snapshot,
                self._adapters.embedder.embed,
                parameters=active_parameters(self._adapters.checks, rules),
                plans=self._plans(requests, snapshot),
            )

    def suggestions(self) -> Suggestions:
        """Pairs of documents that the texts or the saved questions bring together and no relationship joins.

        Accept one with ``edit([suggestion.edit(type)], by=…)``, reject it with ``dismiss([suggestion], by=…)``. What
        the saved questions read is what their newest saved runs read.
        """
        dismissals = self._store().dismissals()
        questions = [_documents_read(run) for run in self._saved_questions()]
        with self._reading() as snapshot:
            embed = self._adapters.embedder.embed
            return find_suggestions(snapshot, embed, questions=questions, dismissals=dismissals)

    def evidence(self, a_id: str, b_id: str) -> EdgeEvidence:
        """What two documents, stored or not, say about a relationship between them, and what was done to it."""
        embedder, extractors = self._adapters.embedder, self._adapters.extractors
        with self._reading() as snapshot:
            found = find_evidence(snapshot, a_id, b_id, embed=embedder.embed, extractors=extractors)
        return found.model_copy(update={"history": _history_between(self._store(), a_id, b_id)})

    def merge_edits(self, types: Sequence[str], into: str) -> tuple[Edit, ...]:
        """The edits that give all relationships of ``types`` the type ``into``, by key; give them to ``edit``.

        A relationship that is there under ``into`` already is removed instead. Raises UserError for no types, for one
        that no relationship has, for ``into`` among them, and for an ``into`` that cannot be a type.
        """
        with self._reading() as snapshot:
            return merging(snapshot, types, into)

    # ------------------------------------------------------------ inside

    def _checked(self, rules: Mapping[str, Rule], progress: Progress | None) -> CheckReport:
        """Every check on one snapshot; the saved questions are planned on it first. See ``Docgraph.check``."""
        checks, store = self._adapters.checks, self._store()
        refuse_unknown(rules, checks)  # before anything is read, which may take long
        ignored, contested = store.dismissals(), store.contested()
        steps = Steps(progress, n_on(checks, rules))
        try:
            saved = steps.each(self._saved_questions(), "Reading the saved questions", step=1)
            requests = [run.request for run in saved]
            with self._reading() as snapshot:
                plans = steps.each(
                    self._plans(requests, snapshot), "Planning the saved questions", of=len(requests), step=1
                )
                embed = self._adapters.embedder.embed
                graph = read_graph(snapshot, embed, plans=plans, contested=contested, steps=steps)
                here = snapshot.workspace
                return check_graph(graph, checks, rules, workspace=here, dismissals=ignored, progress=progress)
        except Stopped:
            return not_checked(checks, rules, workspace=self.workspace)

    def _saved_questions(self) -> Iterator[Run]:
        """The first saved run of each different request, one at a time."""
        seen: set[str] = set()
        for saved in self._loaded(self.saved_runs(limit=MAX_QUESTIONS)):
            request = saved.run.request.model_dump_json()
            if request not in seen:
                seen.add(request)
                yield saved.run

    def _plans(self, requests: Sequence[RetrievalRequest], snapshot: Snapshot) -> Iterator[RetrievalPlan | None]:
        """The plan of each request on a snapshot; None where today's data has none (a seed that it names is gone)."""
        for request in requests:
            vector = self._adapters.embedder.embed([request.query])[0]
            try:
                yield make_plan(request, Probe(np.asarray(vector, dtype=np.float32), request.query), snapshot)
            except UserError:
                yield None


def _documents_read(run: Run) -> tuple[str, ...]:
    """The documents that gave a run a passage, in the order of its plan."""
    return tuple(found.document.document_id for found in run.context.documents if found.chunks)


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
