"""Retrieval by contract over PostgreSQL: the three modes on the sample corpus, and a database that dies or hangs."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import docgraph
from docgraph.domain.graph import Document
from docgraph.domain.packet import PacketMode, PacketRequest, RetrievalResponse
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.postgres.connections import pool
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from tests import ROOT
from tests.integration.server_programs import signal_servers

SAMPLE = ROOT / "sample_data" / "harbor"
QUESTION = "Why is the queue limited to 400 bookings per route?"
SAID = "Our carrier asked to raise the booking queue to 500 for the summer"
MODES: tuple[PacketMode, ...] = ("fast", "accurate", "conversation")


@pytest.fixture(scope="module")
def harbor(module_database_url: str) -> Iterator[Docgraph]:
    """The sample corpus in PostgreSQL, and one thing that was said."""
    with docgraph.connect(module_database_url, workspace="harbor") as dg:
        dg.ingest(SAMPLE)
        dg.memory.remember([SAID, "Thanks, that is all for today"], conversation_id="support/7")
        yield dg


def asked(dg: Docgraph, mode: PacketMode, query: str = QUESTION, **options: Any) -> RetrievalResponse:
    """With time for a busy machine, unless a test says how much there is."""
    return dg.retrieve(PacketRequest(query=query, mode=mode, threshold=0.0), **{"timeout": 60.0, **options})


def without_time(response: RetrievalResponse) -> dict[str, Any]:
    packet = response.context_packet.model_dump(exclude={"timestamp"})
    return {**response.model_dump(exclude={"context_packet"}), "context_packet": packet}


def test_every_mode_asks_those_it_is_made_for_and_all_of_them_answer(harbor: Docgraph) -> None:
    routed = {mode: asked(harbor, mode).routing_metadata for mode in MODES}
    assert {mode: routing["selected_providers"] for mode, routing in routed.items()} == {
        "fast": ["graph"],
        "accurate": ["graph", "lexical"],
        "conversation": ["memory", "graph"],
    }
    assert all(routing["failures"] == {} for routing in routed.values())
    assert [routing["skip_external_rerank"] for routing in routed.values()] == [True, False, True]


@pytest.mark.parametrize("mode", MODES)
def test_the_answer_is_found_in_every_mode(harbor: Docgraph, mode: PacketMode) -> None:
    response = asked(harbor, mode)
    packet = response.context_packet
    assert response.next_action.action == "proceed"
    assert "adr-011" in {candidate.metadata.get("document_id") for candidate in packet.candidates}
    assert any("queue" in candidate.content.lower() for candidate in packet.candidates)
    assert len(packet.candidates) == 5
    for candidate in packet.candidates:
        assert candidate.metadata["score_kind"] == "cosine"
        assert 0 <= candidate.confidence <= 1


@pytest.mark.parametrize("mode", MODES)
def test_ten_replays_are_equal_but_for_the_time(harbor: Docgraph, mode: PacketMode) -> None:
    first, *others = (without_time(asked(harbor, mode)) for _ in range(10))
    assert all(other == first for other in others)


def test_what_was_said_is_found_in_a_conversation_and_nowhere_else(harbor: Docgraph) -> None:
    query = "What did the carrier ask about the booking queue in summer?"
    packet = asked(harbor, "conversation", query).context_packet
    [memory] = [each for each in packet.candidates if "memory" in each.metadata["providers"]]
    assert (memory.content, memory.source) == (SAID, "support/7 › user › 1")
    assert packet.candidates[0] == memory
    assert (packet.rerank_applied, packet.summary.branch) == (False, "RERANK_BYPASSED"), "documents stand beside it"
    for mode in MODES[:2]:
        assert SAID not in [c.content for c in asked(harbor, mode, query).context_packet.candidates]


def test_words_find_what_vectors_do_not_know(harbor: Docgraph) -> None:
    """A made-up code stands in one chunk only."""
    harbor.ingest_records([Document(document_id="code", title="Codes", text="Error ZXQ-7741 means: no berth is free.")])
    try:
        response = asked(harbor, "accurate", "zxq-7741", flags={"lexical": True})
        [candidate] = response.context_packet.candidates
        assert candidate.metadata["document_id"] == "code"
        assert candidate.metadata["ts_rank_cd"] > 0
    finally:
        harbor.documents.delete(["code"])


def test_a_role_that_may_only_select_gets_the_same_answers(harbor: Docgraph, module_database_url: str) -> None:
    role = "asker_" + module_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN")
        connection.execute(f"GRANT USAGE ON SCHEMA docgraph, ws_harbor TO {role}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA docgraph, ws_harbor TO {role}")
    with docgraph.connect(module_database_url.replace("postgres@", f"{role}@"), workspace="harbor") as dg:
        for mode in MODES:
            assert without_time(asked(dg, mode)) == without_time(asked(harbor, mode))
        assert dg.memory.recall("booking queue") == harbor.memory.recall("booking queue")
        for change in (lambda: dg.memory.remember("x"), lambda: dg.memory.forget(conversation_id="support/7")):
            with pytest.raises(StoreError, match=r"permission denied.*grant it the right"):
                change()
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        connection.execute(f"REVOKE SELECT ON ws_harbor.memories, docgraph.calibrations FROM {role}")
    with docgraph.connect(module_database_url.replace("postgres@", f"{role}@"), workspace="harbor") as dg:
        response = asked(dg, "conversation")  # as after an upgrade that nobody granted the new tables of
        assert list(response.routing_metadata["failures"]) == ["memory"]
        assert response.context_packet.provider == "graph"


# ---------------------------------------------------------------- a database that dies, a database that hangs


@pytest.fixture
def served(server_folder: Path) -> Iterator[tuple[Docgraph, Path]]:
    """A workspace on a server of its own, reached by URL: nobody starts that server again by himself."""
    server = embedded_server(server_folder)
    with docgraph.connect(_url(server.conninfo)) as dg:
        dg.ingest_records([Document(document_id=i, title=f"Queue {i}", text=f"The queue {i} is long.") for i in "abc"])
        dg.memory.remember("the queue is long")
        yield dg, server_folder
    server.ensure_running()
    server.release()


def _url(conninfo: str) -> str:
    parts = conninfo_to_dict(conninfo)
    host = str(parts["host"]).replace("/", "%2F")
    return f"postgresql://{parts['user']}@/{parts['dbname']}?host={host}"


pytest_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")


@pytest_posix
def test_a_database_that_dies_leaves_a_packet_and_the_next_question_is_answered(
    served: tuple[Docgraph, Path],
) -> None:
    dg, folder = served
    before = {mode: without_time(asked(dg, mode, "queue")) for mode in MODES}
    signal_servers(folder)
    for mode in MODES:
        response = asked(dg, mode, "queue")
        assert (response.next_action.branch_code, response.next_action.action) == ("EMPTY_SET", "fallback")
        failures = response.routing_metadata["failures"]
        assert set(failures) == set(response.routing_metadata["selected_providers"])
        assert {each["error_type"] for each in failures.values()} == {"StoreError"}
        assert str(folder) not in str(response)
    server = embedded_server(folder)
    server.ensure_running()
    server.release()
    assert {mode: without_time(asked(dg, mode, "queue")) for mode in MODES} == before


@pytest_posix
def test_a_database_that_dies_as_a_statement_starts_is_a_store_error(
    served: tuple[Docgraph, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    dg, folder = served
    asked(dg, "fast", "queue")
    first = iter([True])  # looked at just before the server ends
    monkeypatch.setattr(pool, "is_alive", lambda connection: next(first, False))
    signal_servers(folder)
    response = asked(dg, "fast", "queue")
    assert {each["error_type"] for each in response.routing_metadata["failures"].values()} == {"StoreError"}


@pytest_posix
def test_a_database_that_hangs_costs_no_more_than_the_time_that_was_agreed(served: tuple[Docgraph, Path]) -> None:
    dg, folder = served
    before = without_time(asked(dg, "conversation", "queue"))
    stopped = signal_servers(folder, signal.SIGSTOP)
    try:
        response = asked(dg, "conversation", "queue", timeout=0.5)  # the servers stand still until it is there
        assert response.next_action.branch_code == "EMPTY_SET"
        assert response.routing_metadata["error_type"] == "Timeout"
    finally:
        for process_id in stopped:
            os.kill(process_id, signal.SIGCONT)
    assert without_time(asked(dg, "conversation", "queue")) == before
