"""F9: whatever providers and rerankers do, in every mode: a packet and the action that the contract's table names."""

from __future__ import annotations

import json

import pytest

from docgraph.domain.packet import ACTIONS, RetrievalResponse
from tests import ROOT
from tests.survive.tally import Row, Tally
from tests.unit.retrieval.test_contract_matrix import ANSWERS, CASES, SECRET, ask

ROW = Row(
    row="F9",
    what="contract: modes × answers of a provider (ok, empty, late, raised, NaN, > 1, < 0, twice, None) × reranker",
    rule="always a packet valid by the published schema, the action of the table, confidences in [0, 1], no secret",
    n=600,
    short=120,
    case="a mode, an answer, a reranker",
)


def test_f9_every_case_gives_a_packet_and_the_action_of_the_table(tally: Tally) -> None:
    schemas = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "schemas" / "retrieval-response.json").read_text(encoding="utf-8"))
    validator = schemas.Draft202012Validator(schema)
    for mode, answer, rerank, native in tally.some(CASES):
        with tally.trying(f"{mode}, {answer}, {rerank}, {'native' if native else 'not native'}"):
            response = ask(mode, answer, rerank, native=native)
            text = response.model_dump_json()
            validator.validate(json.loads(text))
            assert RetrievalResponse.model_validate_json(text) == response
            assert SECRET not in text
            expected = ANSWERS[answer][1]
            branch = "RERANK_BYPASSED" if expected == "SUCCESS" and native else expected
            assert (response.next_action.branch_code, response.next_action.action) == (branch, ACTIONS[branch])
            confidences = [candidate.confidence for candidate in response.context_packet.candidates]
            assert all(0 <= confidence <= 1 for confidence in confidences)
