"""The review of a saved run: every change is written with name and time, and nothing is ever lost from it."""

from __future__ import annotations

import pytest

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.saved_run import SavedRun
from docgraph.orchestration.docgraph import Docgraph
from tests.ui.conftest import Open, page_text


@pytest.fixture
def saved(harbor: Docgraph) -> SavedRun:
    return harbor.runs.save(RetrievalRequest(query="Why is the queue full?"), name="Queue")


def test_ticks_notes_and_approval_are_written_with_the_reviewers_name(
    harbor: Docgraph, saved: SavedRun, open_page: Open
) -> None:
    at = open_page("runs", run=saved.run_id)
    item = f"docgraph.runs.review.{saved.run_id}.seeds"
    at.text_input(key="docgraph.runs.review.by").set_value("Ann").run()
    at.checkbox(key=item).check().run()
    at.text_input(key=f"{item}.note").set_value("<b>fine</b>").run()
    at.text_area(key=f"docgraph.runs.review.{saved.run_id}.free").set_value("Ask Bo")
    at.button(key="docgraph.runs.review.add").click().run()
    at.button(key="docgraph.runs.approve").click().run()
    assert not at.exception
    lines = [(e.kind, e.item, e.checked, e.text, e.by) for e in harbor.runs.reviews(saved.run_id)]
    assert lines == [
        ("item", "seeds", True, "", "Ann"),
        ("item", "seeds", True, "<b>fine</b>", "Ann"),
        ("note", "", None, "Ask Bo", "Ann"),
        ("approved", "", None, "", "Ann"),
    ]
    text = page_text(at)
    assert "1 of 5 checked" in text
    assert "ticked → ticked, ‘&lt;b&gt;fine&lt;/b&gt;’" in text
    assert harbor.runs.list()[0].approved_by == "Ann"


def test_an_approval_can_be_withdrawn_and_the_history_keeps_both(
    harbor: Docgraph, saved: SavedRun, open_page: Open
) -> None:
    harbor.runs.review(saved.run_id, "approved")
    at = open_page("runs", run=saved.run_id)
    assert "Approved by <b>somebody</b>" in page_text(at)
    at.button(key="docgraph.runs.withdraw").click().run()
    text = page_text(at)
    assert text.index("approved → not approved") < text.index("not approved → approved")
    assert harbor.runs.list()[0].approved_by == ""


def test_another_reviewers_tick_shows_on_the_next_run(harbor: Docgraph, saved: SavedRun, open_page: Open) -> None:
    at = open_page("runs", run=saved.run_id)
    harbor.runs.review(saved.run_id, "item", by="Bo", item="missing", checked=True, text="")
    at.run()
    assert at.checkbox(key=f"docgraph.runs.review.{saved.run_id}.missing").value is True


def test_a_review_made_on_data_that_changed_since_says_so(harbor: Docgraph, saved: SavedRun, open_page: Open) -> None:
    harbor.runs.review(saved.run_id, "approved", by="Ann")
    harbor.ingest_files([("more.md", b"---\nid: more\ntitle: More\n---\nMore.\n")])
    assert "This review covers revision" in page_text(open_page("runs", run=saved.run_id))
