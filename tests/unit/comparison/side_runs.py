"""Two runs over one small corpus, and what is compared of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.baselines import label_of
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, WordTokenizer
from tests.corpora import EMBEDDER, TYPES, WORDS, Corpus, corpus, requests

MEASURES = tuple(plugins.build("measures", name) for name in plugins.available("measures"))
laws = settings(max_examples=20, deadline=None)


@contextmanager
def opened(corpus: Corpus) -> Iterator[Docgraph]:
    """The corpus in a memory store, behind the front page."""
    database, ticks = memory.build(), itertools.count()
    store = database.create_workspace("laws", EMBEDDER.info)
    for document in corpus.documents:
        store.write([document])
    adapters = Adapters(
        database=database,
        embedder=EMBEDDER,
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        measures=MEASURES,
        clock=lambda: float(next(ticks)),
    )
    with Docgraph(adapters, "laws") as dg:
        yield dg


def side(run: Run, name: str = "run") -> Side:
    return Side(name=name, label=label_of(run.request), run=run)


def compared(dg: Docgraph, a: RetrievalRequest, b: RetrievalRequest, **options: Any) -> Comparison:
    return dg.runs.compare(side(dg.run(a), "a"), side(dg.run(b), "b"), **options)


@st.composite
def overrides(draw: st.DrawFn) -> dict[str, Any]:
    """What-ifs over the ids and types of ``corpora``; documents that may not be there are never added."""
    ids = st.sampled_from([f"d{i}" for i in range(10)])
    edges = st.tuples(ids, st.sampled_from(TYPES), ids)
    return {
        "without_types": draw(st.lists(st.sampled_from(TYPES), max_size=2)),
        "without_edges": draw(st.lists(edges, max_size=6)),
        "dropped_seed_ids": draw(st.lists(ids, max_size=3)),
    }


@st.composite
def request_pairs(draw: st.DrawFn) -> tuple[RetrievalRequest, RetrievalRequest]:
    """Two requests with one question that differ in anything else."""
    a = draw(requests(use_relationships=draw(st.booleans()), overrides=draw(overrides())))
    b = draw(requests(query=a.query, use_relationships=draw(st.booleans()), overrides=draw(overrides())))
    return a, b


def crowded(seed: int) -> tuple[Corpus, RetrievalRequest, RetrievalRequest]:
    """A corpus in which every limit bites, and two requests with one question: the same for the same seed.

    Hypothesis finds small corpora, in which hardly anything is displaced; these are dense.
    """
    rng = random.Random(seed)
    ids = [f"d{i:02}" for i in range(rng.randint(6, 14))]
    edges = {(rng.choice(ids), rng.choice(TYPES), rng.choice([*ids, "gone"])) for _ in range(rng.randint(0, 40))}
    made = corpus(
        *(
            (
                i,
                [" ".join(rng.choices(WORDS, k=rng.randint(2, 7))) for _ in range(rng.randint(1, 6))],
                sorted((via, to) for source, via, to in edges if source == i),
            )
            for i in ids
        )
    )
    query = " ".join(rng.choices(WORDS, k=3))
    return made, _tight(rng, ids, query), _tight(rng, ids, query)


def _tight(rng: random.Random, ids: list[str], query: str) -> RetrievalRequest:
    hidden = {
        "without_types": rng.sample(TYPES, rng.choice((0, 0, 0, 1))),
        "without_edges": [(rng.choice(ids), rng.choice(TYPES), rng.choice(ids)) for _ in range(rng.choice((0, 0, 9)))],
        "dropped_seed_ids": rng.sample(ids, rng.choice((0, 0, 0, 2))),
    }
    return RetrievalRequest(
        query=query,
        mode=rng.choice(("accurate", "fast")),
        max_documents=rng.choice((None, 2, 3, 4, 5, 8)),
        max_chunks=rng.randint(1, 12),
        max_chunks_per_document=rng.randint(1, 4),
        max_fan_out=rng.randint(1, 4),
        max_expanded=rng.choice((None, None, 0, 1, 3)),
        max_expanding_seeds=rng.choice((None, None, 0, 1, 2)),
        use_relationships=rng.random() < 0.7,
        seed_signal=rng.choice(("chunk", "mean", "hybrid")),
        evidence_rule=rng.choice(("one_per_document", "one_per_document", "similarity")),
        scope_mode=rng.choice(("label", "label", "filter")),
        overrides=rng.choice(({}, hidden)),
    )
