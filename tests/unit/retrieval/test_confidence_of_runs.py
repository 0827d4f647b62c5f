"""How sure a run's passages are: what retrieval would say of them, without asking anybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.domain.graph import Document
from docgraph.domain.packet import PacketRequest
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.conversations import scripted

QUESTION = "why is the queue bounded"


@pytest.fixture
def docgraph() -> Docgraph:
    opened = scripted({})
    opened.session.adapters = replace(opened.session.adapters, providers=(plugins.build("providers", "graph"),))
    opened.ingest_records([Document(document_id=f"d{n}", title=f"T{n}", text=f"{QUESTION} {n}. " * n) for n in (1, 2)])
    return opened


@pytest.mark.parametrize("threshold", [0.0, 0.6, 1.0])
def test_a_run_is_as_sure_as_the_packet_of_its_question(docgraph: Docgraph, threshold: float) -> None:
    found = docgraph.calibration.confidence(docgraph.run(RetrievalRequest(query=QUESTION)), threshold=threshold)
    packet = docgraph.retrieve(PacketRequest(query=QUESTION, mode="fast", threshold=threshold)).context_packet
    assert found is not None
    assert (found.top_confidence, found.threshold_met, found.branch) == (
        packet.summary.top_confidence,
        packet.summary.threshold_met,
        packet.summary.branch,
    )


def test_a_run_without_passages_has_no_candidate() -> None:
    empty = scripted({})
    empty.create_workspace("default")
    found = empty.calibration.confidence(empty.run(RetrievalRequest(query=QUESTION)))
    assert found is not None
    assert (found.candidate_count, found.branch, found.threshold_met) == (0, "EMPTY_SET", False)


def test_nothing_is_known_of_another_embedders_scores(docgraph: Docgraph) -> None:
    run = docgraph.run(RetrievalRequest(query=QUESTION))
    other = run.model_copy(update={"plan": run.plan.model_copy(update={"embedder_id": "another:1"})})
    assert docgraph.calibration.confidence(other) is None
