"""The saved questions of a workspace: those of its saved runs, and the members of its query sets, each text once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.query_set import QuerySetSummary
from docgraph.domain.request import RetrievalRequest, parse_request
from docgraph.domain.saved_run import RunSummary, SavedQuestion
from docgraph.errors import NotFoundError, RequestError
from docgraph.orchestration.plans import with_reranker
from docgraph.orchestration.saved_runs import loaded, summaries
from docgraph.orchestration.session import Session

MAX_MEMBERS = 500
"""Members of query sets that are asked beside the saved runs: by the sets' names, in the order of each set."""


@dataclass(frozen=True)
class SavedQuestions:
    """What there is to ask: ``rows`` = saved runs, ``members`` = requests of sets whose text no saved run holds."""

    session: Session
    rows: Sequence[RunSummary]
    members: Sequence[RetrievalRequest]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many there are, as ``ImpactReport`` counts them."""
        return {"n_saved_runs": len(self.rows), "n_in_sets": len(self.members)}

    def __len__(self) -> int:
        return len(self.rows) + len(self.members)

    def __iter__(self) -> Iterator[SavedQuestion]:
        """One at a time: saved runs in the order of ``rows``, then the members."""
        yield from map(SavedQuestion.of, loaded(self.session, self.rows))
        yield from self.of_sets()

    def of_sets(self) -> Iterator[SavedQuestion]:
        """The members, with the plan that is known of each."""
        known, embedder_id = self.session.adapters.known_plans, self.session.embedder.embedder_id
        for request in self.members:
            plan = known.plan_of(self.session.workspace, embedder_id, request)
            yield SavedQuestion(request, request.query, known=plan)

    def once(self) -> Iterator[SavedQuestion]:
        """The first of each different request."""
        seen: set[str] = set()
        for question in self:
            request = question.request.model_dump_json()
            if request not in seen:
                seen.add(request)
                yield question


def saved_questions(session: Session, *, runs: int, newest: bool = False) -> SavedQuestions:
    """Those of at most ``runs`` saved runs, and of the sets; pinned runs first, or the ``newest``."""
    rows = summaries(session, limit=runs)
    if newest:
        rows = tuple(sorted(sorted(rows, key=lambda row: row.run_id), key=lambda row: row.saved_at, reverse=True))
    return SavedQuestions(session, rows, _members(session, {row.query for row in rows}))


def _members(session: Session, saved: set[str]) -> tuple[RetrievalRequest, ...]:
    """The first ``MAX_MEMBERS`` different questions of the sets beside ``saved``, asked by default limits."""
    found: dict[str, RetrievalRequest] = {}
    for summary in session.query_sets.query_sets(session.workspace):
        for text in _texts(session, summary):
            if len(found) == MAX_MEMBERS:
                return tuple(found.values())
            try:
                request = parse_request({"query": text})
            except RequestError:
                continue  # a set may hold what no request can ask
            if request.query not in saved:
                found.setdefault(request.query, with_reranker(request, session.adapters))
    return tuple(found.values())


def _texts(session: Session, summary: QuerySetSummary) -> tuple[str, ...]:
    """The questions of a set, as many as can be asked; none of one that somebody removes meanwhile."""

    def read() -> tuple[str, ...]:
        stored = session.query_sets.query_set(session.workspace, summary.name)
        return tuple(each.query for each in stored.query_set.queries[: 2 * MAX_MEMBERS])

    try:
        return session.adapters.known_plans.texts_of(summary.fingerprint, read)
    except NotFoundError:
        return ()
