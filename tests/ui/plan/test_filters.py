"""Filters on the Plan page: in the URL, picked, told when they are none, and said in both lanes."""

from __future__ import annotations

import pytest

from docgraph.orchestration.docgraph import Docgraph
from tests.ui.conftest import Open, on_page, page_text
from tests.ui.plan.test_page import QUESTION, _graph, _run


@pytest.fixture
def told(docgraph: Docgraph) -> Docgraph:
    """Three documents, two of which are accepted; one of these explains the third."""
    for name, status, edge in (("adr-1", "accepted", "explains: [api]"), ("adr-2", "draft", ""), ("api", "draft", "")):
        text = f"---\nid: {name}\ntitle: 'The queue of {name}'\nstatus: {status}\n{edge}\n---\nThe queue is bounded.\n"
        docgraph.ingest_files([(f"{name}.md", text.encode())])
    return docgraph


def test_a_filter_in_the_url_keeps_the_plan_to_documents_that_meet_it(told: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, where="status=accepted")
    assert _run(at).plan.document_ids == ("adr-1",)
    text = page_text(at)
    assert "2 of 3 documents outside the filter status=accepted" in text
    assert "Every related document is outside the filter: same result as without relationships." in text
    graph = _graph(at)
    cuts = [each["head"] for each in graph["blocks"] if each.get("kind") == "cut"]
    assert cuts == ["2 of 3 outside the filter", "1 related document outside the filter"]
    assert at.multiselect(key="where").value == ["status=accepted"]
    assert "status=draft" in at.multiselect(key="where").options
    assert "draft <em>2</em>" in text


def test_a_filter_that_is_none_is_told_and_nothing_is_answered(told: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, where="status~x")
    assert "status~x" in page_text(at)
    assert "is not a condition: write status=accepted" in page_text(at)
    assert not on_page(at, "bidi_component")


def test_a_filter_is_picked_and_taken_back(told: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION)
    at.multiselect(key="where").set_value(["status=accepted"]).run()
    assert "filter status=accepted" in page_text(at)
    at.multiselect(key="where").set_value([]).run()
    assert "filter status=accepted" not in page_text(at)
    assert _run(at).request.where is None
