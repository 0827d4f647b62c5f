"""The answer of every branch, byte by byte, and valid by the published schema: what other programs rely on.

After a change on purpose run this file with ``DOCGRAPH_TEST_GOLDEN=write``, look at the difference, and raise the
contract's version when it is not compatible.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from docgraph.domain.packet import Branch, PacketRequest, RetrievalResponse
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports.retrieval import Reranked
from tests import ROOT
from tests.unit.retrieval.parties import FakeProvider, FakeReranker, asking, failing, hit

GOLDEN = ROOT / "tests" / "golden" / "contract"
HITS = [
    hit("adr-011", 0.82, source="ADR-011 Bounded queue › Decision", channels=("decision",), metadata={"role": "seed"}),
    hit("guide-load", 0.61, source="Guide: Load testing", channels=("guide",), metadata={"role": "expanded"}),
]
REQUEST = PacketRequest(query="Why is the queue limited?", channel="decision", top_k=3)


def providers(*names: str, **fields: Any) -> list[FakeProvider]:
    """Providers that find both hits."""
    return [FakeProvider(lambda _: HITS, name=name, **fields) for name in names]


CASES: dict[str, tuple[Docgraph, PacketRequest]] = {
    "SUCCESS": (asking(*providers("graph")), REQUEST),
    "SUCCESS-reranked": (
        asking(*providers("graph"), reranker=FakeReranker(lambda _: [Reranked(1, 0.9), Reranked(0, 0.4)])),
        REQUEST,
    ),
    "SUCCESS-partial": (
        asking(*providers("graph"), FakeProvider(failing(StoreError("gone", hint="h")), name="lexical")),
        REQUEST,
    ),
    "RERANK_BYPASSED": (
        asking(*providers("memory", native_rerank=True)),
        REQUEST.model_copy(update={"mode": "conversation"}),
    ),
    "CHANNEL_MISMATCH": (asking(*providers("graph")), REQUEST.model_copy(update={"channel": "runbook"})),
    "LOW_CONFIDENCE": (asking(*providers("graph")), REQUEST.model_copy(update={"threshold": 0.95})),
    "LOW_CONFIDENCE-schema": (asking(FakeProvider(lambda _: {"not": "a list"}, name="graph")), REQUEST),
    "EMPTY_SET": (asking(FakeProvider(lambda _: [], name="graph")), REQUEST),
    "EMPTY_SET-failure": (asking(FakeProvider(failing(TypeError("x")), name="graph")), REQUEST),
    "EMPTY_SET-nobody": (asking(), REQUEST),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_answer_is_the_golden_one(name: str) -> None:
    docgraph, request = CASES[name]
    response = docgraph.retrieve(request)
    text = json.dumps(response.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"
    path = GOLDEN / f"{name}.json"
    if os.environ.get("DOCGRAPH_TEST_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    assert response.next_action.branch_code == name.split("-")[0]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_a_golden_answer_fits_the_published_schema_and_reads_back(path: Path) -> None:
    """And stops fitting when a field of the contract is missing or a strange one comes in."""
    schema = json.loads((ROOT / "docs" / "schemas" / "retrieval-response.json").read_text(encoding="utf-8"))
    answer = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(answer, schema)
    assert RetrievalResponse.model_validate(answer).model_dump(mode="json") == answer
    for wrong in (
        {**answer, "stranger": 1},
        {key: value for key, value in answer.items() if key != "next_action"},
        {**answer, "next_action": {**answer["next_action"], "action": "retry"}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_every_branch_has_a_golden_answer() -> None:
    assert {path.stem.split("-")[0] for path in GOLDEN.glob("*.json")} == set(get_args(Branch))
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(CASES)
