"""The twin lanes' component: what it is given by both plans, and how much."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.parts.lanes import twin

REQUEST = RetrievalRequest(query="The queue", max_documents=3)


def _script(data):  # type: ignore[no-untyped-def]  # runs by itself: names of this module are not there
    from docgraph.ui.parts.lanes.twin import twin_lanes

    twin_lanes(data, key="twins", selected="adr-1")


def test_the_component_is_given_both_pictures_at_every_width(harbor: Docgraph) -> None:
    comparison = harbor.compare(REQUEST)
    at = AppTest.from_function(_script, kwargs={"data": comparison}).run()
    assert not at.exception
    sent = json.loads(at.get("bidi_component")[0].proto.json)
    assert sent == json.loads(json.dumps(twin.payload(comparison, selected="adr-1")))
    assert [side["letter"] for side in sent["sides"]] == ["A", "B"]
    assert sent["selected"] == "adr-1"
    for layout in sent["layouts"]:
        for named, placed in zip(sent["sides"], layout["sides"], strict=True):
            assert len(named["boxes"]) == len(placed["boxes"])
            assert len(named["lines"]) == len(placed["lines"])


def test_heads_count_documents_and_tokens(harbor: Docgraph) -> None:
    comparison = harbor.compare(REQUEST)
    a, b = twin.payload(comparison)["sides"]
    n, tokens = len(comparison.a.run.plan.document_ids), comparison.a.run.assembled.total_tokens
    assert a["head"] == f"A MS3 — {n} documents, {tokens:,} tokens"
    assert b["head"].startswith("B MS5 — ")


def test_a_payload_stays_small_however_large_the_plans_are(harbor: Docgraph) -> None:
    size = len(json.dumps(twin.payload(harbor.compare(REQUEST))))
    assert size < 20_000
