"""The optional provider ``mem0``: over docgraph's own PostgreSQL, with docgraph's embedder, calling nobody."""

from __future__ import annotations

import socket
import sys
from typing import Any

import pytest

import docgraph
from docgraph import plugins
from docgraph.domain.packet import PacketRequest
from docgraph.errors import PluginError, SettingsError
from docgraph.plugins.providers.mem0 import Mem0Provider
from docgraph.testing.builders import HashingEmbedder


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM0_TELEMETRY", "as it was")


class Found:
    """Stands for ``mem0.Memory``."""

    def __init__(self, *results: dict[str, Any]) -> None:
        self.results, self.asked = list(results), {}

    def search(self, query: str, **options: Any) -> dict[str, Any]:
        self.asked = {"query": query, **options}
        return {"results": self.results}


class Access:
    """A workspace by name."""

    workspace = "harbor"


def test_hits_carry_the_cosine_and_what_mem0_says(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {
        "id": "1",
        "memory": "Alice likes tea",
        "score": 0.8,
        "role": "user",
        "created_at": "2026-05-01T00:00:00+00:00",
        "metadata": {"n": 1},
        "score_details": {"semantic_score": 0.6, "bm25_score": 0.2},
    }
    memory = Found(whole, {"id": "2", "memory": "bare", "score": 0.5})
    hits = Mem0Provider(memory).search(PacketRequest(query="tea", top_k=3), Access())  # type: ignore[arg-type]
    assert memory.asked == {"query": "tea", "top_k": 3, "filters": {"user_id": "harbor"}, "explain": True}
    assert [(h.key, h.content, h.score, h.source) for h in hits] == [
        (("mem0", "1"), "Alice likes tea", 0.6, "mem0 › user"),
        (("mem0", "2"), "bare", None, "mem0"),
    ]
    assert hits[0].metadata["said"] == {"n": 1}


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mem0", None)
    with pytest.raises(PluginError, match=r"mem0.*not installed.*pip install 'docgraph\[mem0\]'"):
        plugins.build("providers", "mem0", embedder=HashingEmbedder(8), conninfo="")


def test_it_is_asked_only_where_the_settings_name_it() -> None:
    with docgraph.connect(store="memory") as dg:
        assert "mem0" not in {provider.name for provider in dg.session.adapters.providers}


def test_without_postgresql_it_says_so() -> None:
    pytest.importorskip("mem0", reason="needs mem0ai: pip install 'docgraph[mem0]'")
    with pytest.raises(SettingsError, match="PostgreSQL"):
        docgraph.connect(store="memory", providers="graph,mem0")


def test_it_remembers_and_finds_without_a_call_to_anywhere(
    new_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mem0", reason="needs mem0ai: pip install 'docgraph[mem0]'")
    connect, outside = socket.socket.connect, []

    def local_only(self: socket.socket, address: Any) -> Any:
        if self.family != socket.AF_UNIX:
            outside.append(address)
            raise OSError("this test calls nobody")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", local_only)
    with docgraph.connect(new_database_url, workspace="m", providers="memory,mem0") as dg:
        dg.memory.remember("seed")
        [provider] = [each for each in dg.session.adapters.providers if each.name == "mem0"]
        assert isinstance(provider, Mem0Provider)
        assert provider.add(["The queue holds 400 bookings", "Zebras eat grass in Kenya"], workspace="m") == 2
        assert provider.add(["The queue of another workspace"], workspace="other") == 1
        response = dg.retrieve(PacketRequest(query="How long is the booking queue?", mode="conversation"))
        first = response.context_packet.candidates[0]
        assert (first.content, first.metadata["score_kind"]) == ("The queue holds 400 bookings", "cosine")
        assert "another workspace" not in str(response)
        assert response.routing_metadata["failures"] == {}
        provider.memory.vector_store.connection_pool.close()
    assert outside == []
