"""Codes that a process holds: the server's own answers, whatever was written, and never those of another state."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import psycopg
import pytest

from docgraph import plugins
from docgraph.domain import ranking
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import EmbedderInfo
from docgraph.planning.planner import make_plan
from docgraph.plugins.stores.postgres import PostgresDatabase
from docgraph.plugins.stores.postgres.vector_cache import cache as caches
from docgraph.plugins.stores.postgres.vector_cache import search
from docgraph.ports import Hop, Probe, Store
from tests.contract.stores.examples import EMBEDDER, example_document
from tests.contract.stores.searching import IDS, PROBE, SIGNALS, many, ranked

WORDS = ("zebra", "lion", "grass", "the", "eats", "river", "stone", "x" * 300)


@pytest.fixture
def databases(new_database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[PostgresDatabase, Any]]:
    """One that holds codes and reads them at once and whenever it must, and one that never does; few candidates."""
    monkeypatch.setattr(caches, "REST", 0)
    monkeypatch.setattr(caches, "ASKED", 1)
    for name, n in (("N_NEAR", 12), ("N_POOL", 7), ("N_LIKELY", 3), ("N_FIT", 6)):
        monkeypatch.setattr(ranking, name, n)
    both = [plugins.build("stores", "postgres", database_url=new_database_url, resident_mb=mb) for mb in (16, 0)]
    yield both[0], both[1]
    for each in both:
        each.close()


def held(database: PostgresDatabase, store: Store, probe: Probe = PROBE) -> bool:
    """Whether codes are held after a question has asked for them."""
    cache = database.vector_cache
    assert cache is not None
    with store.reading() as snapshot:
        snapshot.rank_documents(probe, "chunk", limit=1)
    cache.wait()
    return cache.holds("w")


def answers(store: Store, probe: Probe, ids: Sequence[str]) -> list[Any]:
    """Everything that asks bits, on one snapshot."""
    hop = Hop(first=(), passed=(), n_best=3, relation_types=None, max_edges=9)
    with store.reading() as snapshot:
        found: list[Any] = []
        for signal in SIGNALS:
            found.append(snapshot.rank_documents(probe, signal, limit=9, document_ids=ids))
            found.append(snapshot.rank_documents(probe, signal, limit=9, where={"doc_type": "note"}))
            found.append(snapshot.rank_with_neighbours(probe, signal, limit=4, document_ids=ids, hop=hop))
        found.append(snapshot.nearest_chunks(probe.vector, limit=3))
        found.append(snapshot.nearest_chunk_scores(probe.vector, limit=5))
        found.append(snapshot.documents_of_nearest_chunks(probe.vector, limit=4))
        return found


def corpus(rng: np.random.Generator, dimension: int, names: Sequence[str]) -> list[PreparedDocument]:
    """Documents of up to four chunks; vectors of few different numbers, so that many bits are equal."""

    def vectors(n: int) -> Any:
        return rng.integers(-2, 3, (n, dimension)).astype(np.float32)

    return [
        example_document(
            name,
            [" ".join(rng.choice(WORDS, 5)) + f" {name} {i}" for i in range(n)],
            vector=vectors(1)[0],
            chunk_vectors=vectors(n),
            title_vector=vectors(1)[0] if rng.integers(0, 2) else None,
            title=f"{rng.choice(WORDS)} {rng.integers(0, 99)}",
            doc_type="note" if rng.integers(0, 2) else "",
            edges=[("cites", str(rng.choice(names)))],
        )
        for name in names
        for n in [int(rng.integers(0, 5))]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dimension", [1, 8, 22, 65])
def test_every_answer_is_the_servers_own_after_whatever_was_written(
    databases: tuple[PostgresDatabase, PostgresDatabase], monkeypatch: pytest.MonkeyPatch, seed: int, dimension: int
) -> None:
    """Added, replaced, deleted; several widths of vectors; with a filter, with ids that were asked for, with a hop."""
    holding, plain = databases
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(search, "FEW", 4 if seed else 4_000)  # who fits how well is said by the server at first
    store = holding.create_workspace("w", EmbedderInfo(name="example", model="random", dimension=dimension))
    store.set_vector_search("quantized")
    names = [f"{rng.choice(['a', 'ä', 'Z', '文'])}{i}" for i in range(30)]
    store.write(corpus(rng, dimension, names[:20]))
    for change in ("nothing", "added", "replaced", "deleted"):
        if change == "added":
            store.write(corpus(rng, dimension, names[20:]))
        elif change == "replaced":
            store.write(corpus(rng, dimension, names[5:9]))
        elif change == "deleted":
            store.delete_documents(names[3:12])
        vector = rng.integers(-2, 3, dimension).astype(np.float32)
        probe = Probe(vector=vector, text=" ".join(rng.choice(WORDS, 4)) + " unheard")
        assert held(holding, store, probe)
        expected = answers(plain.open_workspace("w"), probe, names[::5])
        assert [answers(store, probe, names[::5]) for _ in range(2)] == [expected, expected]  # words are kept then


def test_a_plan_is_the_same_byte_by_byte(databases: tuple[PostgresDatabase, PostgresDatabase]) -> None:
    holding, plain = databases
    store = holding.create_workspace("w", EMBEDDER)
    store.write(many())
    store.set_vector_search("quantized")
    assert held(holding, store)
    for signal in SIGNALS:
        request = RetrievalRequest(query=PROBE.text, max_documents=4, seed_signal=signal)
        plans = []
        for each in (store, plain.open_workspace("w")):
            with each.reading() as snapshot:
                plans.append(make_plan(request, PROBE, snapshot).model_dump_json())
                sent = " ".join(snapshot.statements())
            assert ("near_ids" in sent) is (each is store and signal != "summary")
        assert plans[0] == plans[1]


def test_codes_of_another_state_are_never_used(databases: tuple[PostgresDatabase, PostgresDatabase]) -> None:
    """A snapshot from before a change and one from behind it get the server's answers; then the new state is held."""
    holding, plain = databases
    store, other = holding.create_workspace("w", EMBEDDER), plain
    store.write(many())
    store.set_vector_search("quantized")
    assert held(holding, store)
    with store.reading() as before:
        first = before.rank_documents(PROBE, "hybrid", limit=5)
        other.open_workspace("w").delete_documents(IDS[:30])
        with store.reading() as behind:
            assert behind.rank_documents(PROBE, "hybrid", limit=5) == ranked(
                other.open_workspace("w"), "hybrid", limit=5
            )
            assert "near_ids" not in " ".join(behind.statements())
        assert before.rank_documents(PROBE, "hybrid", limit=5) == first
    assert holding.vector_cache is not None
    holding.vector_cache.wait()
    with store.reading() as now:
        assert now.rank_documents(PROBE, "hybrid", limit=5) == ranked(other.open_workspace("w"), "hybrid", limit=5)
        assert "near_ids" in " ".join(now.statements())


def test_what_is_held_is_told_and_an_exact_workspace_is_never_held(
    databases: tuple[PostgresDatabase, PostgresDatabase],
) -> None:
    """Of a database that holds nothing nothing is told."""
    holding, plain = databases
    store = holding.create_workspace("w", EMBEDDER)
    store.write(many())
    assert not held(holding, store)
    store.set_vector_search("hnsw")
    assert not held(holding, store)
    store.set_vector_search("quantized")
    assert held(holding, store)
    with store.reading() as snapshot:
        revision = snapshot.workspace.content_revision
    told = holding.health()["codes_in_memory"]
    assert told["most_megabytes"] == 16
    assert [(each["workspace"], each["content_revision"]) for each in told["held"]] == [("w", revision)]
    assert plain.health()["codes_in_memory"] is None


def test_a_workspace_without_room_is_left_to_the_server_and_the_one_asked_longest_ago_goes(
    databases: tuple[PostgresDatabase, PostgresDatabase], monkeypatch: pytest.MonkeyPatch
) -> None:
    holding, _ = databases
    assert holding.vector_cache is not None
    stores = [holding.create_workspace(name, EMBEDDER) for name in ("v", "w")]
    for store in stores:
        store.write(many())
        store.set_vector_search("quantized")
    assert held(holding, stores[1])
    monkeypatch.setattr(holding.vector_cache, "_room", 15_000)  # one of them takes about 10,000
    ranked(stores[0], "chunk")
    holding.vector_cache.wait()
    assert (holding.vector_cache.holds("v"), holding.vector_cache.holds("w")) == (True, False)
    monkeypatch.setattr(holding.vector_cache, "_room", 100)
    assert not held(holding, stores[1])


def test_a_program_that_asks_once_reads_no_codes(new_database_url: str) -> None:
    database = plugins.build("stores", "postgres", database_url=new_database_url, resident_mb=16)
    store = database.create_workspace("w", EMBEDDER)
    store.write(many())
    store.set_vector_search("quantized")
    assert not held(database, store)
    assert held(database, store)
    database.close()


def test_threads_that_ask_while_documents_change_get_the_servers_answer_for_the_state_that_they_see(
    databases: tuple[PostgresDatabase, PostgresDatabase],
) -> None:
    """Whether codes of that state are held, are being read, or were dropped meanwhile."""
    holding, plain = databases
    store, other = holding.create_workspace("w", EMBEDDER), plain.open_workspace("w")
    store.write(many())
    store.set_vector_search("quantized")
    seen: list[tuple[str, Any]] = []
    is_over = threading.Event()

    def ask(through: Store) -> tuple[str, Any]:
        with through.reading() as snapshot:
            return snapshot.workspace.content_revision, snapshot.rank_documents(PROBE, "hybrid", limit=9)

    def go_on() -> None:
        while not is_over.is_set():
            seen.append(ask(store))

    with ThreadPoolExecutor(3) as threads:
        asking = [threads.submit(go_on) for _ in range(3)]
        expected = dict([ask(other)])
        for document_id in IDS[:8]:
            other.delete_documents([document_id])
            expected |= dict([ask(other)])
            n_seen = len(seen)
            while len(seen) < n_seen + 9 and not any(each.done() for each in asking):
                is_over.wait(0.01)
        is_over.set()
        for each in asking:
            each.result()
    assert all(expected[revision] == answer for revision, answer in seen)
    assert len({revision for revision, _ in seen}) > 1


def test_tables_that_are_no_plain_ones_of_this_server_are_left_to_the_server(
    databases: tuple[PostgresDatabase, PostgresDatabase], new_database_url: str
) -> None:
    """A partitioned one stands for what is foreign or spread over several servers."""
    holding, plain = databases
    store = holding.create_workspace("w", EMBEDDER)
    store.write(many())
    store.set_vector_search("quantized")
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE ws_w.vector_bits RENAME TO elsewhere")
        connection.execute("CREATE TABLE ws_w.vector_bits (LIKE ws_w.elsewhere) PARTITION BY HASH (document_id)")
        whole = "FOR VALUES WITH (MODULUS 1, REMAINDER 0)"
        connection.execute(f"ALTER TABLE ws_w.vector_bits ATTACH PARTITION ws_w.elsewhere {whole}")
    assert not held(holding, store)
    assert not held(holding, store)
    assert ranked(store, "hybrid", limit=9) == ranked(plain.open_workspace("w"), "hybrid", limit=9)


def test_a_connection_that_is_lost_before_the_first_answer_changes_nothing(
    databases: tuple[PostgresDatabase, PostgresDatabase], new_database_url: str
) -> None:
    """What was found for the lost connection's state is not used on the one in its place."""
    holding, plain = databases
    store = holding.create_workspace("w", EMBEDDER)
    store.write(many())
    store.set_vector_search("quantized")
    assert held(holding, store)
    expected = ranked(plain.open_workspace("w"), "hybrid", limit=9)
    with store.reading() as snapshot:
        backend = snapshot._lease.connection.info.backend_pid
        with psycopg.connect(new_database_url, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(%s)", (backend,))
        assert snapshot.rank_documents(PROBE, "hybrid", limit=9) == expected
        assert "near_ids" in " ".join(snapshot.statements())
