"""What fails is listed, the rest answers in time, and the next call works."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from docgraph import plugins
from docgraph.domain.packet import NextAction, PacketRequest
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.orchestration.sources import redacted
from docgraph.plugins.stores.memory import MemoryDatabase
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.builders import document
from tests.unit.retrieval.parties import FakeProvider, asking, failing, hit


def workspace(**parts: Any) -> Docgraph:
    """Two documents in memory, with the built-in providers that need nothing else."""
    providers = tuple(plugins.build("providers", name) for name in ("graph", "semantic"))
    adapters = Adapters(
        **{
            "database": MemoryDatabase(),
            "embedder": HashingEmbedder(),
            "tokenizer": WordTokenizer(),
            "summarizer": FirstWords(),
            "loaders": (),
            "extractors": (),
            "clock": lambda: 0.0,
            "providers": providers,
            **parts,
        }
    )
    return Docgraph(adapters, "default")


def filled(**parts: Any) -> Docgraph:
    """The same with documents in it."""
    made = workspace(**parts)
    made.ingest_records([document("ferry", "the ferry leaves at noon"), document("queue", "the queue is bounded")])
    return made


def test_partial_results_are_results_and_the_failure_is_listed() -> None:
    bad = FakeProvider(failing(StoreError("gone", hint="h")), name="bad", priority=1)
    good = FakeProvider(lambda _: [hit("a")], name="good")
    said = asking(bad, good).retrieve("x")
    assert said.next_action.action == "proceed"
    assert said.context_packet.provider == "good"
    assert said.routing_metadata["failures"] == {"bad": {"error_type": "StoreError", "message": "gone"}}
    assert "error_type" not in said.routing_metadata


def test_all_providers_down_is_an_empty_set_that_says_so() -> None:
    both = [FakeProvider(failing(ValueError("x")), name=name) for name in ("a", "b")]
    said = asking(*both).retrieve("x")
    assert said.next_action.reason == "no candidate: 2 of 2 providers failed (ValueError)"


def test_a_provider_that_cannot_say_how_it_is_counts_as_unavailable() -> None:
    """Retrieval never raises, whatever a plug-in does."""

    class Broken(FakeProvider):
        """Its health is a failure, or nonsense."""

        def status(self) -> Any:
            if self.health == "degraded":
                return "who knows"
            raise OSError("no route")

    good = FakeProvider(lambda _: [hit("a")], name="good")
    said = asking(Broken(lambda _: [], name="x"), Broken(lambda _: [], name="y", health="degraded"), good).retrieve("q")
    assert said.routing_metadata["statuses"] == {"good": "available", "x": "unavailable", "y": "unavailable"}
    assert said.context_packet.provider == "good"


def test_a_late_provider_keeps_nobody_waiting_longer_than_agreed() -> None:
    """Neither this call nor the next one."""
    gate = threading.Event()
    docgraph = asking(FakeProvider(lambda _: gate.wait(20) and [hit("a")]), timeout=0.05)
    started = time.monotonic()
    assert docgraph.retrieve("x").routing_metadata["error_type"] == "Timeout"
    assert time.monotonic() - started < 5
    gate.set()
    assert docgraph.retrieve(PacketRequest(query="x"), timeout=10).next_action.action == "proceed"


def test_a_workspace_that_is_not_there_is_a_fallback() -> None:
    said = workspace().retrieve("x")
    assert (said.next_action.action, said.routing_metadata["error_type"]) == ("fallback", "NotFoundError")


def test_a_wrong_embedding_size_is_a_fallback_that_names_both_sizes() -> None:
    class Wrong(HashingEmbedder):
        """Its vectors are narrower than it says."""

        narrow = False

        def embed(self, texts: Any) -> Any:
            vectors = super().embed(texts)
            return np.asarray(vectors[:, :7] if self.narrow else vectors)

    embedder = Wrong()
    docgraph = filled(embedder=embedder)
    assert docgraph.retrieve("ferry").context_packet.candidates
    embedder.narrow = True
    said = docgraph.retrieve("ferry")
    failure = said.routing_metadata["failures"]["graph"]
    assert (said.next_action.action, failure["error_type"]) == ("fallback", "EmbedderError")
    assert "(1, 7), expected (1, 64)" in failure["message"]
    embedder.narrow = False
    assert docgraph.retrieve("ferry").context_packet.candidates


@pytest.mark.parametrize("query", ["", "   ", "\x00"])
def test_an_empty_question_finds_nothing(query: str) -> None:
    said = filled().retrieve(query)
    assert said.next_action.reason == "no candidate: the question is empty"


def test_a_question_without_any_known_word_is_answered_as_well() -> None:
    assert filled().retrieve("?!").next_action.action in ("clarify", "fallback")


def test_spaces_around_a_question_do_not_count() -> None:
    docgraph = filled(now=lambda: "now")
    assert docgraph.retrieve("  ferry ") == docgraph.retrieve("ferry")


def test_relationships_can_be_switched_off_by_the_request() -> None:
    docgraph = filled()
    plain = docgraph.retrieve(PacketRequest(query="ferry", use_relationships=False))
    assert [c.metadata["role"] for c in plain.context_packet.candidates] == ["seed", "seed"]


@pytest.mark.parametrize(
    "bad", [{"top_k": 0}, {"threshold": 1.5}, {"mode": "slow"}, {"stranger": 1}, {"query": "x" * 20_001}]
)
def test_a_malformed_request_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PacketRequest(**{"query": "x", **bad})


def test_an_action_that_does_not_fit_its_branch_cannot_be_made() -> None:
    for wrong in (
        {"action": "proceed", "branch_code": "EMPTY_SET", "reason": "r"},
        {"action": "fallback", "branch_code": "EMPTY_SET", "reason": "r"},
        {"action": "proceed", "branch_code": "SUCCESS", "reason": "r", "suggestion": "s"},
        {"action": "proceed", "branch_code": "SUCCESS", "reason": ""},
    ):
        with pytest.raises(ValidationError):
            NextAction.model_validate(wrong)


def test_lines_about_failures_hold_no_secret_and_no_address() -> None:
    line = redacted("GET https://u:p@host/x?k=1 api_key=abc Bearer eyJhbGciOi1 token: tok\n" + "x" * 500)
    assert len(line) == 200
    assert not any(word in line for word in ("host", "abc", "eyJ", "tok\n", "tok "))
