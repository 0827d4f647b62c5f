"""How a workspace is searched, by measurement: what exact ranking costs, what candidates save and what they lose."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import median

from docgraph.domain.frozen import Frozen
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import SearchChoice, VectorSearch
from docgraph.errors import UserError
from docgraph.orchestration.session import Session, with_new_vectors
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Snapshot

BUDGET_MS = 250.0
"""What an exact ranking may take before docgraph, when it is asked to choose, takes candidates: half of what a reader
feels as waiting, on one core."""
DEPTHS = (4, 10, 20)
"""First documents of a ranking that a recall check looks at."""
MAX_QUESTIONS = 1_000
_LOOKED_AT = 2_000
_SEED = 7


class Recall(Frozen):
    """The share of exact ranking's first ``depth`` documents that are among the first ``depth`` by candidates (0–1)."""

    depth: int
    share: float


class SearchRecall(Frozen):
    """How a workspace's search did beside an exact one, on questions of its own.

    ``n_questions`` were asked, the same ones whenever the workspace is the same: ``n_saved`` of saved runs, the others
    titles and headings of stored documents. ``seeds`` = mean share of an exact plan's seeds that the plan has too;
    ``n_equal_plans`` = how many plans hold the same documents in the same places. ``exact_ms``, ``search_ms`` = median
    time of a ranking.
    """

    vector_search: VectorSearch
    n_chunks: int
    n_questions: int
    n_saved: int
    recalls: tuple[Recall, ...]
    seeds: float
    n_equal_plans: int
    exact_ms: float
    search_ms: float


@with_new_vectors
def measured(session: Session, *, n_questions: int) -> SearchChoice:
    """What an exact ranking takes now, however the workspace is searched. Raises UserError without documents."""
    probes = _probes(session, n_questions)[0]
    with session.store().reading(exact=True) as snapshot:
        n_chunks = snapshot.workspace.n_chunks
        _ranked(snapshot, probes[0])  # the first one reads what the server has not in memory
        times = [_ranked(snapshot, probe)[1] for probe in probes]
    return SearchChoice(by="auto", exact_ms=round(median(times), 1), n_chunks=n_chunks, budget_ms=BUDGET_MS)


def chosen_by(choice: SearchChoice) -> VectorSearch:
    """The mode that a measurement speaks for; never an approximate one."""
    exact, budget = choice.exact_ms, choice.budget_ms
    return "quantized" if exact is not None and budget is not None and exact > budget else "exact"


@with_new_vectors
def recall_of(session: Session, *, n_questions: int) -> SearchRecall:
    """The workspace's search beside an exact one. Raises UserError without documents."""
    probes, n_saved = _probes(session, n_questions)
    store = session.store()
    with store.reading(exact=True) as exact, store.reading() as other:
        for snapshot in (exact, other):
            _ranked(snapshot, probes[0])
        pairs = [(_ranked(exact, probe), _ranked(other, probe)) for probe in probes]
        plans = [[_documents(snapshot, probe) for snapshot in (exact, other)] for probe in probes]
        workspace = other.workspace
    return SearchRecall(
        vector_search=workspace.vector_search,
        n_chunks=workspace.n_chunks,
        n_questions=len(probes),
        n_saved=n_saved,
        recalls=tuple(
            Recall(depth=depth, share=_mean([_share(a[:depth], b[:depth]) for (a, _), (b, _) in pairs]))
            for depth in DEPTHS
        ),
        seeds=_mean([_share(a[0], b[0]) for a, b in plans]),
        n_equal_plans=sum(a == b for a, b in plans),
        exact_ms=round(median(ms for (_, ms), _ in pairs), 1),
        search_ms=round(median(ms for _, (_, ms) in pairs), 1),
    )


def _probes(session: Session, n: int) -> tuple[list[Probe], int]:
    """Questions with their vectors, and how many of them are those of saved runs."""
    if not 1 <= n <= MAX_QUESTIONS:
        raise UserError(f"{n} questions cannot be asked", hint=f"ask from 1 to {MAX_QUESTIONS:,}")
    runs = session.archive.find(workspace=session.workspace, limit=MAX_QUESTIONS)
    saved = sorted({run.query for run in runs})
    with session.reading() as snapshot:
        others = sorted(set(_said(snapshot)) - set(saved))
    chance = random.Random(_SEED)
    asked = chance.sample(saved, min(n, len(saved)))
    n_saved = len(asked)
    asked += chance.sample(others, min(n - n_saved, len(others)))
    if not asked:
        raise UserError("there is nothing to measure: the workspace holds no documents", hint="docgraph ingest PATH")
    vectors = session.vectors(asked)
    return [Probe(vector, query) for query, vector in zip(asked, vectors, strict=True)], n_saved


def _said(snapshot: Snapshot) -> Iterator[str]:
    """Titles and headings of the first documents by id, as questions that the texts answer."""
    for document in islice(snapshot.documents(), _LOOKED_AT):
        yield from (text for text in (document.title, *document.headings[:5]) if len(text) > 3)


def _ranked(snapshot: Snapshot, probe: Probe) -> tuple[list[str], float]:
    """The first documents by the default signal, and the milliseconds it took."""
    started = time.perf_counter()
    ranked = snapshot.rank_documents(probe, "hybrid", limit=max(DEPTHS))
    return [each.document_id for each in ranked], (time.perf_counter() - started) * 1000


def _documents(snapshot: Snapshot, probe: Probe) -> tuple[list[str], tuple[str, ...]]:
    """(ids of the seeds, of all documents) of the default plan."""
    plan = make_plan(RetrievalRequest(query=probe.text[:1_000]), probe, snapshot)
    return [seed.document_id for seed in plan.seed_documents], plan.document_ids


def _share(wanted: Sequence[str], found: Sequence[str]) -> float:
    return len(set(wanted) & set(found)) / len(wanted) if wanted else 1.0


def _mean(shares: Sequence[float]) -> float:
    return round(sum(shares) / len(shares), 3)
