"""The component of both plans in one picture: what it is given, and how much."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.parts.lanes import union

REQUEST = RetrievalRequest(query="The queue", max_documents=3)


def _script(data):  # type: ignore[no-untyped-def]  # runs by itself: names of this module are not there
    from docgraph.ui.parts.lanes.union import union_lanes

    union_lanes(data, key="lanes", selected="adr-1")


def test_the_component_is_given_the_picture_and_the_selection(harbor: Docgraph) -> None:
    comparison = harbor.compare(REQUEST)
    at = AppTest.from_function(_script, kwargs={"data": comparison}).run()
    assert not at.exception
    sent = json.loads(at.get("bidi_component")[0].proto.json)
    assert sent == json.loads(json.dumps(union.payload(comparison, selected="adr-1")))
    assert sent["selected"] == "adr-1"
    assert {box["document_id"] for box in sent["boxes"]} == {d.document_id for d in comparison.documents}


def test_the_three_views_differ_in_nothing_but_their_name(harbor: Docgraph) -> None:
    """Every box keeps its pixel whatever is drawn of it."""
    comparison = harbor.compare(REQUEST)
    change, a, b = (union.payload(comparison, view=view) for view in ("change", "a", "b"))
    assert change["boxes"] == a["boxes"] == b["boxes"]
    assert {**change, "view": ""} == {**a, "view": ""} == {**b, "view": ""}


def test_a_payload_stays_small_however_large_the_plans_are(harbor: Docgraph) -> None:
    assert len(json.dumps(union.payload(harbor.compare(REQUEST)))) < 6_000
