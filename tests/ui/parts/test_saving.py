"""Saving a run from a page, and the banner over a frozen one, on a page made for it."""

from __future__ import annotations

from html import escape
from typing import NoReturn

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.library import page as library_page
from docgraph.ui.parts.copy_link import address
from docgraph.ui.parts.runs.banner import frozen_banner, live_query
from docgraph.ui.parts.runs.saving import save_popover
from docgraph.views.words.address import request_of
from tests.ui.conftest import Open, on_page, page_text

REQUEST = RetrievalRequest(query="Why is the queue full?", relation_types=())


def _page() -> None:
    """A page that saves one run and, once it is saved, shows its banner."""
    run = resources.run(REQUEST)
    save_popover(run, key="save")
    for row in resources.docgraph().runs.list():
        frozen_banner(resources.docgraph().runs.get(row.run_id), key=row.run_id)


@pytest.fixture
def page(harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(library_page, "library", _page)
    return open_page("library")


def _fill(at: AppTest, key: str, *, name: str, note: str = "", by: str = "") -> None:
    at.text_input(key=f"{key}_name").set_value(name)
    at.text_area(key=f"{key}_note").set_value(note)
    if by:
        at.text_input(key=f"{key}_by").set_value(by)
    at.button(key=f"{key}_save").click().run()
    assert not at.exception


def _form(at: AppTest) -> str:
    """What the keys of the form begin with."""
    return str(next(box for box in at.text_input if box.label == "Name").key).removesuffix("_name")


def test_a_run_is_saved_under_its_question_unless_it_gets_a_name(page: AppTest, harbor: Docgraph) -> None:
    name = next(box for box in page.text_input if box.label == "Name")
    assert name.value == "Why is the queue full?"
    _fill(page, _form(page), name="<i>Queue</i>", note="n", by="Ann")
    (row,) = harbor.runs.list()
    assert (row.name, row.note, row.saved_by, row.pinned) == ("<i>Queue</i>", "n", "Ann", False)
    text = page_text(page)
    assert "Saved as <b>&lt;i&gt;Queue&lt;/i&gt;</b>" in text
    assert "Saved version <b>‘&lt;i&gt;Queue&lt;/i&gt;’</b>" in text
    assert "Data unchanged since" in text


def test_saving_again_renames_and_keeps_one_run(page: AppTest, harbor: Docgraph) -> None:
    key = _form(page)
    _fill(page, key, name="First", note="gone soon", by="Ann")
    assert not [box for box in page.text_input if box.label.startswith("Your name")]
    page.checkbox(key=f"{key}_pin").check()
    _fill(page, key, name="", note="")
    (row,) = harbor.runs.list()
    assert (row.name, row.note, row.pinned, row.saved_by) == ("Why is the queue full?", "", True, "Ann")


def test_what_cannot_be_saved_is_said_where_it_was_asked(
    page: AppTest, harbor: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise StoreError("the disk is full", hint="make room and save again")

    with monkeypatch.context() as broken:
        broken.setattr(harbor.runs, "save", refuse)
        page.button(key=f"{_form(page)}_save").click().run()
    assert not page.exception
    assert "The disk is full" in page_text(page)
    page.run()
    assert "The disk is full" not in page_text(page)
    assert harbor.runs.list() == ()


def test_the_banner_offers_the_same_inputs_today_live_and_compared(page: AppTest, harbor: Docgraph) -> None:
    saved = harbor.runs.save(REQUEST, name="Queue", by="Ann")
    harbor.runs.review(saved.run_id, "approved", by="Bo")
    harbor.ingest_files([("more.md", b"---\nid: more\ntitle: More\n---\nMore.\n")])
    page.run()
    assert "Approved by Bo" in page_text(page)
    assert [pop.proto.popover.label for pop in on_page(page, "popover")][1:] == [
        r"Data changed since this run\: 1 document \(0 in this run\)"
    ]
    links = {link.proto.label: link.proto.query_string for link in page.get("page_link")}
    assert request_of(live_query(saved, "plan")) == REQUEST
    assert live_query(saved, "compare")["baseline"] == [saved.run_id]
    for name in ("compare", "plan"):
        assert f'href="{escape(address(f"/{name}", live_query(saved, name)))}" target="_self"' in page_text(page)
    assert links["Compare"] == f"run={saved.run_id}&baseline=ms3&workspace=harbor"


def test_the_id_is_the_one_under_which_it_will_be_saved(page: AppTest, harbor: Docgraph) -> None:
    assert _form(page) == f"save_{harbor.runs.save(REQUEST).run_id}"


def test_an_address_carries_every_value_of_every_input() -> None:
    assert address("/plan", {"run": ["abc"]}) == "/plan?run=abc"
    assert address("/plan", {"query": ["a & b"], "types": ["x", "y"]}) == "/plan?query=a+%26+b&types=x&types=y"
    assert address("/runs", {}) == "/runs"
