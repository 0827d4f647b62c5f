"""The Passages tab: who may judge, what a press keeps, what is shown of it, and that the plan stays as it is."""

from __future__ import annotations

from typing import NoReturn

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.parts.curation import state
from docgraph.ui.plan.tabs.judgments import NAME, PASSAGES, SWITCH
from docgraph.views.words.address import inputs_of, packed
from tests.ui.conftest import Open, page_text

QUESTION = "Why is the queue bounded?"
HOSTILE = "<b>Ann</b> ![x](https://evil.example/p.png)"


def _buttons(at: AppTest) -> list[str]:
    return [str(group.key) for group in at.button_group if str(group.key).startswith(f"{SWITCH}.")]


def _judge_as(at: AppTest, name: str) -> AppTest:
    at.text_input(key=NAME).set_value(name)
    at.button(key=f"{SWITCH}.go").click().run()
    assert not at.exception
    return at


def _press(at: AppTest, document_id: str, said: str | None) -> AppTest:
    at.button_group(key=f"{SWITCH}.{document_id}").set_value(said).run()
    assert not at.exception
    return at


def test_judging_is_off_until_a_name_is_given_and_asks_only_once(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    assert _buttons(at) == []
    assert "None of 2 documents is judged for this question" in page_text(at)
    _judge_as(at, "  ")
    assert _buttons(at) == []
    _judge_as(at, " Ann   Bee ")
    assert sorted(_buttons(at)) == [f"{SWITCH}.adr-1", f"{SWITCH}.queue"]
    at.toggle(key=f"{SWITCH}.on").set_value(False).run()
    assert _buttons(at) == []
    at.toggle(key=f"{SWITCH}.on").set_value(True).run()
    assert len(_buttons(at)) == 2, "the name is known, so nobody is asked again"


def test_a_press_is_kept_with_the_name_and_a_second_one_takes_it_back(harbor: Docgraph, open_page: Open) -> None:
    at = _judge_as(open_page("plan", query=f"  {QUESTION} ", docs="2"), "Ann")
    before = at.session_state["docgraph.state"].run
    _press(at, "adr-1", "answers")
    _press(at, "queue", "does not")
    found = harbor.judgments.list(QUESTION)
    assert [(each.document_id, each.relevant, each.by) for each in found] == [
        ("adr-1", True, "Ann"),
        ("queue", False, "Ann"),
    ]
    assert "2 of 2 documents are judged for this question" in page_text(at)
    _press(at, "adr-1", None)
    assert [each.document_id for each in harbor.judgments.list(QUESTION)] == ["queue"]
    assert at.session_state["docgraph.state"].run is before, "no plan is made anew"


def test_marks_with_who_and_when_are_there_for_everybody(harbor: Docgraph, open_page: Open) -> None:
    harbor.judgments.judge(QUESTION, "adr-1", True, by=HOSTILE)
    harbor.judgments.judge(QUESTION, "queue", False, by="Ann")
    harbor.judgments.judge(QUESTION, "glossary", True, by="Ann")
    harbor.judgments.judge("Another question?", "queue", True, by="Ann")
    text = page_text(open_page("plan", query=QUESTION, docs="2"))
    assert 'jg-mark jg-yes" title="judged relevant by &lt;b&gt;Ann&lt;/b&gt;' in text
    assert 'jg-mark jg-no" title="judged not relevant by Ann, ' in text
    assert 'title="Glossary">1 more judged relevant is not in this plan' in text
    assert "<b>Ann" not in text


def test_the_name_is_the_one_that_edits_relationships(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "known_name", lambda: "Curator")
    at = open_page("plan", query=QUESTION, docs="2")
    at.toggle(key=f"{SWITCH}.on").set_value(True).run()
    _press(at, "queue", "answers")
    assert [each.by for each in harbor.judgments.list()] == ["Curator"]


def test_a_read_only_database_and_a_frozen_run_are_not_judged_and_say_why(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbor.judgments.judge(QUESTION, "adr-1", True, by="Ann")
    saved = harbor.runs.save(RetrievalRequest(query=QUESTION))
    frozen = open_page("plan", run=saved.run_id)
    assert "A saved run is read-only: judge on the live page" in page_text(frozen)
    assert "jg-mark jg-yes" in page_text(frozen)
    monkeypatch.setattr(harbor, "may_write", lambda: False)
    closed = open_page("plan", query=QUESTION, docs="2")
    assert "Read-only: this database role may not keep judgments" in page_text(closed)
    for at in (frozen, closed):
        assert not [box for box in at.text_input if box.key == NAME]


def test_what_cannot_be_kept_is_said_and_what_cannot_be_read_is_unknown(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> NoReturn:
        raise StoreError("the disk is full", hint="make room")

    at = _judge_as(open_page("plan", query=QUESTION, docs="2"), "Ann")
    with monkeypatch.context() as broken:
        broken.setattr(harbor.judgments, "judge", refused)
        _press(at, "queue", "answers")
    assert "The disk is full" in page_text(at)
    assert at.button_group(key=f"{SWITCH}.queue").value in (None, [])
    monkeypatch.setattr(harbor.judgments, "list", refused)
    text = page_text(at.run())
    assert "-- of 2 documents judged: the judgments could not be read" in text
    assert text.count("pl-card") == 2


def test_a_link_from_another_page_opens_the_question_with_its_inputs_under_passages(
    harbor: Docgraph, open_page: Open
) -> None:
    """The address of a link that Compare makes loses the inputs that both pages have, unless they travel packed."""
    query = {**inputs_of(RetrievalRequest(query=QUESTION, max_documents=2)), "tab": ["Evidence"]}
    at = open_page("plan", **{name: values[-1] for name, values in packed(query, "harbor").items()})
    assert at.session_state["docgraph.state"].run.request.max_documents == 2
    assert at.session_state["tab"] == "Passages"
    assert "of" not in at.query_params
    junk = open_page("plan", of="query=x&tab=%3Cb%3E&docs=-1")
    assert junk.session_state["docgraph.state"].run.request == RetrievalRequest(query="x")


def _first_passage(harbor: Docgraph, document_id: str) -> str:
    run = harbor.run(RetrievalRequest(query=QUESTION, max_documents=2))
    return next(d.chunks[0].chunk_id for d in run.context.documents if d.document.document_id == document_id)


def test_one_press_marks_the_passage_that_answers_and_a_second_one_takes_it_back(
    harbor: Docgraph, open_page: Open
) -> None:
    at = _judge_as(open_page("plan", query=QUESTION, docs="2"), "Ann")
    chunk_id, key = _first_passage(harbor, "queue"), f"{PASSAGES}.queue"
    assert "pl-answers" not in page_text(at)
    at.button_group(key=key).set_value([chunk_id]).run()
    assert not at.exception
    (said,) = harbor.judgments.passages(QUESTION)
    assert (said.chunk_id, said.grade, said.by) == (chunk_id, 2, "Ann")
    assert page_text(at).count('class="pl-answers"') == 1
    assert "answers</span>" in page_text(at)
    assert "The answering passage is in <b>" in page_text(at), "the sentence of the plan tells of it at once"
    at.button_group(key=key).set_value([]).run()
    assert harbor.judgments.passages(QUESTION) == ()
    assert "pl-answers" not in page_text(at)


def test_a_marked_passage_is_seen_by_everybody_and_stays_that_of_who_said_it(harbor: Docgraph, open_page: Open) -> None:
    chunk_id = _first_passage(harbor, "queue")
    harbor.judgments.judge_passage(QUESTION, chunk_id, 2, by="Bee")
    harbor.judgments.judge_passage("Another question?", _first_passage(harbor, "adr-1"), 2, by="Bee")
    at = open_page("plan", query=QUESTION, docs="2")
    assert page_text(at).count('class="pl-answers"') == 1
    _judge_as(at, "Ann")
    assert at.button_group(key=f"{PASSAGES}.queue").value == []
    assert page_text(at).count('class="pl-answers"') == 1
