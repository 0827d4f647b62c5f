"""Random small corpora and the shortest way to plan over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from docgraph.domain.context import RetrievedContext
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.where import Where, parse_condition
from docgraph.execution.executor import execute_plan
from docgraph.planning.planner import make_plan
from docgraph.plugins.stores import memory
from docgraph.ports import Probe, Snapshot
from docgraph.testing.builders import HashingEmbedder
from tests.builders import prepared

WORDS = ("queue", "hold", "retry", "sailing", "route", "budget", "alarm", "payment", "slot", "gateway")
TYPES = ("decision_for", "explains", "implements")
EMBEDDER = HashingEmbedder(dimension=64)


@dataclass(frozen=True)
class Corpus:
    """Documents in the order in which they are written."""

    documents: tuple[PreparedDocument, ...]

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        store = memory.build().create_workspace("laws", EMBEDDER.info)
        for document in self.documents:
            store.write([document])
        with store.reading() as snapshot:
            yield snapshot

    def without_relationships(self) -> Corpus:
        return Corpus(tuple(_bare(d) for d in self.documents))


def _bare(document: PreparedDocument) -> PreparedDocument:
    return PreparedDocument(document.document, document.vector, document.chunks, document.chunk_vectors, ())


def corpus(*documents: tuple[str, Iterable[str], Iterable[tuple[str, str]]]) -> Corpus:
    """A corpus from (document_id, texts, [(relation_type, target)])."""
    return Corpus(tuple(prepared(i, list(texts), edges=edges, embedder=EMBEDDER) for i, texts, edges in documents))


def texts() -> st.SearchStrategy[str]:
    return _TEXTS


# Made once: Hypothesis looks at each new strategy before it draws, which costs more than the drawing.
_TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
_CHUNKS = st.lists(_TEXTS, min_size=1, max_size=4)
_DOC_TYPES = st.sampled_from(("decision", "design"))
_N_DOCUMENTS = st.integers(1, 10)
_PLACES = st.integers(0, 11)
_EDGES = st.sets(st.tuples(_PLACES, st.sampled_from(TYPES), _PLACES), max_size=25)
_REQUESTS: dict[str, st.SearchStrategy[Any]] = {
    "query": _TEXTS,
    "mode": st.sampled_from(("accurate", "fast")),
    "max_documents": st.none() | st.integers(1, 8),
    "max_seeds": st.none() | st.integers(1, 4),
    "max_chunks": st.integers(1, 12),
    "max_chunks_per_document": st.integers(1, 4),
    "max_fan_out": st.integers(1, 4),
    "relation_types": st.none() | st.sets(st.sampled_from(TYPES)).map(tuple),
    "seed_signal": st.sampled_from(("chunk", "summary", "mean", "hybrid")),
    "evidence_rule": st.sampled_from(("one_per_document", "similarity")),
    "scope_mode": st.sampled_from(("label", "filter")),
    "where": st.none()
    | st.builds(
        lambda text, applies_to: Where(conditions=(parse_condition(text),), applies_to=applies_to),
        st.sampled_from(("doc_type=decision", "doc_type!=decision", "doc_type^=des", "doc_type>e", "nobody=*")),
        st.sampled_from(("both", "seeds", "related")),
    ),
}


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """1–10 documents of 1–4 chunks with up to 25 edges between them, some dangling, some to themselves."""
    ids = [f"d{i}" for i in range(draw(_N_DOCUMENTS))]
    targets = [*ids, "gone-1", "gone-2"]
    edges = sorted({(ids[a % len(ids)], via, targets[b % len(targets)]) for a, via, b in draw(_EDGES)})
    return Corpus(
        tuple(
            prepared(
                i,
                draw(_CHUNKS),
                doc_type=draw(_DOC_TYPES),
                edges=[(via, to) for source, via, to in edges if source == i],
                embedder=EMBEDDER,
            )
            for i in ids
        )
    )


@st.composite
def requests(draw: st.DrawFn, **fixed: Any) -> RetrievalRequest:
    """Requests over every limit and switch of the preset ``balanced``; what is ``fixed`` is taken as it is."""
    fields = {**{name: draw(some) for name, some in _REQUESTS.items()}, **fixed}
    if fields["max_seeds"] and fields["max_documents"]:
        fields["max_seeds"] = min(fields["max_seeds"], fields["max_documents"])
    return RetrievalRequest(**fields)


@st.composite
def literal_requests(draw: st.DrawFn, **fixed: Any) -> RetrievalRequest:
    """Requests by the preset ``literal``, which leaves little choice."""
    free = ("query", "mode", "max_chunks", "relation_types", "scope_mode")
    fields = {name: draw(_REQUESTS[name]) for name in free}
    return RetrievalRequest(preset="literal", **{**fields, **fixed})


def any_requests(**fixed: Any) -> st.SearchStrategy[RetrievalRequest]:
    """Requests of both presets."""
    return requests(**fixed) | literal_requests(**fixed)


def probe(query: str) -> Probe:
    return Probe(EMBEDDER.embed([query])[0], query)


def plan_of(request: RetrievalRequest, snapshot: Snapshot) -> RetrievalPlan:
    return make_plan(request, probe(request.query), snapshot)


def context_of(plan: RetrievalPlan, snapshot: Snapshot) -> RetrievedContext:
    return execute_plan(plan, probe(plan.query).vector, snapshot)
