"""Saved versions: found again by the old address, described, put away with undo, shown as text whatever they hold."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.saved_run import SavedRun
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import escape
from docgraph.views.words.moments import day
from tests.ui.conftest import Open, on_page, page_text

HOSTILE = "![x](https://evil.example/p.png) <script>alert(1)</script> :red[x]"


@pytest.fixture
def saved(harbor: Docgraph) -> SavedRun:
    return harbor.runs.save(RetrievalRequest(query="Why is the queue full?"), name="Queue", note="first", by="Ann")


@pytest.fixture
def other(harbor: Docgraph, saved: SavedRun) -> SavedRun:
    return harbor.runs.save(RetrievalRequest(query="What is a slot?"), name=HOSTILE, note=HOSTILE)


def links(at: AppTest) -> dict[str, str]:
    """Label → what stands in the address behind ``?``."""
    return {link.proto.label: link.proto.query_string for link in on_page(at, "page_link")}


def labels(at: AppTest) -> list[str]:
    return [link.proto.label for link in on_page(at, "page_link")]


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


def test_without_questions_the_page_says_what_one_is_for_and_where_to_ask_it(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("runs")
    assert "has no questions yet" in page_text(at)
    assert "Ask a question to save" in links(at)


def test_the_list_says_when_a_question_was_saved_and_each_row_opens_it(saved: SavedRun, open_page: Open) -> None:
    at = open_page("runs")
    text = page_text(at)
    for part in ("Why is the queue full?", day(saved.saved_at)):
        assert part in text, part
    assert (
        links(at)[f"Open {escape.label('Why is the queue full?')}"] == "query=Why+is+the+queue+full%3F&workspace=harbor"
    )


def test_search_finds_a_version_by_its_name_and_says_when_nothing_matches(other: SavedRun, open_page: Open) -> None:
    at = open_page("runs", find="queue full")
    assert "Why is the queue full?" in page_text(at)
    assert "What is a slot?" not in page_text(at)
    at.text_input(key="find").set_value("evil.example").run()
    assert "What is a slot?" in page_text(at)
    assert "Why is the queue full?" not in page_text(at)
    at.text_input(key="find").set_value("nowhere").run()
    assert "No question matches the filter" in page_text(at)
    click(at, "docgraph.questions.show_all")
    assert "What is a slot?" in page_text(at)


def test_the_address_opens_one_run_with_everything_one_can_do(saved: SavedRun, open_page: Open) -> None:
    at = open_page("runs", run=saved.run_id[:6])
    text, ways = page_text(at), links(at)
    for part in (
        saved.content_hash,
        "first",
        "<dt>Checks passed</dt><dd>9 of 9",
        "Data unchanged since",
        "0 of 5 checked",
    ):
        assert part in text, part
    assert ways["Open as saved"] == f"run={saved.run_id}&workspace=harbor"
    assert ways["Close"] == "workspace=harbor"
    assert ways["Open in Plan"] == "query=Why+is+the+queue+full%3F&workspace=harbor"
    copies = [part for part in at.get("bidi_component") if saved.run_id in part.proto.json]
    assert f"/plan?run={saved.run_id}" in copies[0].proto.json


def test_versions_of_one_question_stand_under_it_the_newest_first(harbor: Docgraph, open_page: Open) -> None:
    for n in range(1, 24):
        harbor.runs.save(RetrievalRequest(query="Why wait?", max_chunks=n))
    at = open_page("query_sets", query="Why wait?")
    assert "23×, " in page_text(at)
    assert sum(label.startswith(f"Open {escape.label('Why wait?')}, ") for label in labels(at)) == 20
    assert "20 of 23 shown" in page_text(at)


def test_renaming_and_pinning_change_what_is_said_never_the_run(
    harbor: Docgraph, saved: SavedRun, open_page: Open
) -> None:
    at = open_page("runs", run=saved.run_id)
    form = f"docgraph.runs.edit_{saved.run_id}"
    at.text_input(key=f"{form}_name").set_value("Better name")
    at.text_area(key=f"{form}_note").set_value("")
    at.checkbox(key=f"{form}_pin").set_value(True)
    click(at, f"{form}_save")
    now = harbor.runs.get(saved.run_id)
    assert (now.name, now.note, now.pinned, now.content_hash) == ("Better name", "", True, saved.content_hash)
    assert "Baseline" in page_text(at)
    at.checkbox(key=f"{form}_pin").set_value(False)
    click(at, f"{form}_save")
    assert harbor.runs.get(saved.run_id).pinned is False


def test_a_deleted_run_comes_back_with_one_click(harbor: Docgraph, saved: SavedRun, open_page: Open) -> None:
    at = open_page("runs", run=saved.run_id)
    click(at, "docgraph.runs.delete")
    assert harbor.runs.list() == ()
    assert "‘Queue’ was deleted." in page_text(at)
    click(at, "docgraph.runs.undo")
    assert [row.run_id for row in harbor.runs.list()] == [saved.run_id]
    assert "was deleted" not in page_text(at)


def test_the_link_of_a_deleted_run_says_so_and_brings_it_back(
    harbor: Docgraph, saved: SavedRun, open_page: Open
) -> None:
    harbor.runs.delete(saved.run_id)
    at = open_page("runs", run=saved.run_id)
    assert "‘Queue’ was deleted on" in page_text(at)
    click(at, "docgraph.runs.restore_shown")
    assert harbor.runs.get(saved.run_id) == saved


def test_only_a_confirmed_click_removes_a_run_for_good(harbor: Docgraph, saved: SavedRun, open_page: Open) -> None:
    harbor.runs.delete(saved.run_id)
    at = open_page("runs")
    assert "Recently deleted (1)" in [box.label for box in at.expander]
    click(at, f"docgraph.runs.remove.{saved.run_id}")
    assert harbor.runs.list(deleted=True) == ()
    assert "was deleted with its review" in page_text(at)


@pytest.mark.parametrize("junk", ["zz", "ffffffffffff", "<script>", "0" * 70])
def test_a_link_to_no_run_is_said_in_words_with_a_way_on(saved: SavedRun, open_page: Open, junk: str) -> None:
    at = open_page("runs", run=junk)
    assert "This did not work" in page_text(at)
    assert "Show all questions" in links(at)
    assert "<script>" not in page_text(at)


def test_data_that_changed_since_make_a_run_stale_and_are_listed(
    harbor: Docgraph, saved: SavedRun, open_page: Open
) -> None:
    harbor.ingest_files([("queue.md", b"---\nid: queue\ntitle: Line of bookings\n---\nBookings wait in line.\n")])
    at = open_page("runs", run=saved.run_id)
    assert "Stale" in page_text(at)
    assert "Line of bookings</b> <span>has another title, before: ‘Booking queue’" in page_text(at)
    harbor.drop_workspace("harbor")
    at.run()
    assert not at.exception
    assert "The workspace of this run was deleted" in [popover.proto.popover.label for popover in at.get("popover")]


def test_a_saved_answer_can_be_taken_along(saved: SavedRun, open_page: Open) -> None:
    at = open_page("runs", run=saved.run_id)
    assert [button.proto.label for button in at.get("download_button")] == ["Export"]


def test_names_and_notes_are_text_everywhere(other: SavedRun, open_page: Open) -> None:
    at = open_page("runs", run=other.run_id)
    shown = [label for label in links(at) if "evil" in label]
    assert shown
    assert not any("![x](" in label or "<script>" in label or ":red[" in label for label in shown)
    deleted = open_page("runs", run=other.run_id)
    click(deleted, "docgraph.runs.delete")
    for step in (at, deleted, open_page("runs", run=other.run_id)):
        assert "&lt;script&gt;" in page_text(step)
        assert "<script>" not in page_text(step)
