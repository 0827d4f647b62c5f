"""The bar above every page: what goes along from view to view, what search finds, and who edits after a reload."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.bar.search import entries
from docgraph.ui.frame import navigation, resources
from docgraph.ui.shell import address as remembering
from tests.ui.conftest import Open

QUESTION = "Why is the queue bounded?"


def _bar(at: AppTest) -> dict[str, str]:
    """Label → page of the links that the bar has."""
    shown = {page.place for page in navigation.pages()} | {page.title for page in navigation.pages()}
    return {link.proto.label: link.proto.page for link in at.get("page_link") if link.proto.label in shown}


def test_there_are_three_places_and_a_workspace() -> None:
    assert {page.place for page in navigation.pages()} == {"Ask", "Questions", "Relationships", "Workspace"}


@pytest.mark.parametrize("page", [page.name for page in navigation.pages()])
def test_every_page_leads_to_every_place(harbor: Docgraph, open_page: Open, page: str) -> None:
    links = _bar(open_page(page))
    assert {"Ask", "Questions", "Relationships"} <= set(links)
    there = navigation.page(page)
    assert there is not None
    views = {"Plan", "Compare", "Conversation"}
    assert views & set(links) == (views if there.place == "Ask" else set())


def test_ask_leads_to_the_question_in_hand_and_home_where_there_is_none(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships")
    assert _bar(at)["Ask"] == ""
    at = open_page("plan", query=QUESTION)
    at.run()
    assert _bar(at)["Ask"] == "plan"


def test_a_question_is_held_for_the_workspace_that_it_was_asked_in(harbor: Docgraph, open_page: Open) -> None:
    def script() -> None:
        from docgraph.ui.frame.question import held, hold

        hold("harbor", {"query": ["Why?"], "docs": ["5"]})
        hold("harbor", {"query": ["  "]})
        assert held("harbor") == {"query": ["Why?"], "docs": ["5"]}
        assert held("second") is None

    at = AppTest.from_function(script)
    at.run()
    assert not at.exception


def test_search_finds_pages_workspaces_questions_and_documents(harbor: Docgraph, open_page: Open) -> None:
    harbor.create_workspace("second")
    harbor.runs.save(harbor.run(QUESTION), name="Queue", by="Ann")
    resources.forget("second")
    open_page()
    found = {(entry.kind, entry.label): entry for entry in entries(harbor.workspace, harbor.workspaces())}
    assert found[("Page", "Relationships")].page == "relationships"
    assert found[("Workspace", "Add documents")].query == (("tab", "import"),)
    assert found[("Open workspace", "second")].workspace == "second"
    assert ("Open workspace", "harbor") not in found
    assert found[("Question", QUESTION)].query == (("query", QUESTION), ("workspace", "harbor"))
    documents = {entry.query[0][1] for (kind, _), entry in found.items() if kind == "Document"}
    assert documents == {document.document_id for document in harbor.documents.list()}


@pytest.mark.parametrize(
    ("kept", "by"),
    [
        ({"name": "Ann", "editing": True}, "Ann"),
        ({"name": "  Ann \n B. ", "editing": True}, "Ann B."),
        ({"name": "Ann", "editing": False}, ""),
        ({"name": "Ann", "editing": "yes"}, ""),
        ({"name": ["Ann"], "editing": True}, ""),
        ({"name": " ", "editing": True}, ""),
        ({"editing": True}, ""),
        ("Ann", ""),
        (None, ""),
    ],
)
def test_what_the_browser_kept_is_a_name_or_nothing(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch, kept: Any, by: str
) -> None:
    done: dict[str, str] = {}
    monkeypatch.setattr(remembering, "curator", lambda: "")
    monkeypatch.setattr(remembering, "person_name", lambda: "")
    monkeypatch.setattr(remembering, "remember_person", lambda name: done.update(name=name))
    monkeypatch.setattr(remembering, "switch_on", lambda name: done.update(by=name))
    open_page()
    done.clear()
    remembering.take(kept)
    assert done.get("by", "") == by


def test_a_browser_cannot_make_somebody_else_of_who_edits_already(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "curator", lambda: "Bo")
    monkeypatch.setattr(remembering, "switch_on", lambda name: pytest.fail(name))
    open_page()
    remembering.take({"name": "Ann", "editing": True})


def _moved(at: AppTest, page: str) -> AppTest:
    """The session on another page, opened by its name alone."""
    there = navigation.page(page)
    assert there is not None
    at.switch_page(str(there.path))
    at.query_params.clear()
    at.run()
    assert not at.exception
    return at


def test_a_conversation_is_offered_the_question_in_hand_and_hands_on_what_it_asked(
    harbor: Docgraph, open_page: Open
) -> None:
    at = _moved(open_page("plan", query=QUESTION), "conversation")
    assert QUESTION in at.query_params["ask"]
    at.chat_input[0].set_value("What explains ADR-1?").run()
    assert not at.exception
    at = _moved(at, "plan")
    assert at.text_input(key="query").value == "What explains ADR-1?"
