"""Many threads ask while one imports: every answer is the one of some single state, and no connection is lost."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from docgraph import Document, RetrievalRequest, plugins
from docgraph.domain.graph import Relationship
from docgraph.domain.run import Run
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores.postgres.connections import Connector, ensure_vector_extension
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.integration.commands import connection_states

THREADS, RUNS, VERSIONS = 8, 15, 4
POOL_SIZE = 4
WORDS = ("queue", "slot", "alarm", "storm", "clock", "crane")
QUESTIONS = [RetrievalRequest(query=f"{a} {b}", max_documents=5) for a, b in itertools.pairwise(WORDS)]


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    database = plugins.build("stores", "postgres", database_url=new_database_url, pool_size=POOL_SIZE)
    adapters = Adapters(
        database=database,
        embedder=HashingEmbedder(64),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
    )
    with Docgraph(adapters, "w") as opened:
        yield opened


def import_version(dg: Docgraph, version: int) -> None:
    """Texts, titles and relationships of most documents differ from version to version."""
    documents, edges = [], []
    for n in range(30):
        change = version if n % 4 else 0
        first, second = WORDS[(n + change) % 6], WORDS[(n * 5 + change) % 6]
        text = f"The {first} waits for the {second}. " + f"Part {n} of version {change}. " * 3
        documents.append(Document(document_id=f"d{n}", title=f"About {first} {n}", text=text))
        target = (n * 7 + change) % 32  # some dangle
        edges.append(Relationship(from_document_id=f"d{n}", relation_type="explains", to_document_id=f"d{target}"))
    dg.ingest_records(documents, edges)


def answer(run: Run) -> tuple[Any, ...]:
    return run.plan, run.context, run.assembled, run.contract


def test_answers_under_changes_equal_those_of_one_thread_on_the_same_revision(
    dg: Docgraph, new_database_url: str
) -> None:
    expected: dict[tuple[str, str], tuple[Any, ...]] = {}
    for version in range(VERSIONS):
        import_version(dg, version)
        for request in QUESTIONS:
            expected[dg.workspace.revision, request.query] = answer(dg.run(request))
    asked = threading.Event()

    def change() -> int:
        for n in itertools.count():
            import_version(dg, n % VERSIONS)
            if asked.is_set():
                return n + 1
        raise AssertionError

    def ask(thread: int) -> list[Run]:
        """At least ``RUNS`` answers, and as many more as it takes to meet a change."""
        runs: list[Run] = []
        met: set[str] = set()
        while len(runs) < RUNS or (len(met) == 1 and not changing.done()):
            runs.append(dg.run(QUESTIONS[(thread + len(runs)) % len(QUESTIONS)]))
            met.add(runs[-1].plan.corpus_revision)
        return runs

    with ThreadPoolExecutor(THREADS + 1) as pool:
        changing = pool.submit(change)
        try:
            runs = [run for found in pool.map(ask, range(THREADS)) for run in found]
        finally:
            asked.set()
        assert changing.result() > 1
    assert len(runs) >= THREADS * RUNS
    for run in runs:
        assert answer(run) == expected[run.plan.corpus_revision, run.plan.query]
        assert all(check.passed for check in run.contract)
    states = connection_states(new_database_url)
    assert set(states) == {"idle"}
    assert len(states) <= POOL_SIZE


def test_a_connection_that_is_in_use_when_its_owner_is_closed_is_closed_when_it_is_given_back(
    embedded_database_url: str,
) -> None:
    """As by a check of relationships that goes on in a thread while the dashboard is stopped."""
    connector = Connector(embedded_database_url, pool_size=1)
    with connector.connect() as first:
        ensure_vector_extension(first)
    with connector.connection("read") as used:
        connector.close()
        assert not used.closed
    assert used.closed
