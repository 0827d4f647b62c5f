"""The Judge tab: who may judge, what a button keeps and takes back, and text that wants to be more than text."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.graph import StoredChunk
from docgraph.domain.judging import Agreement, Coverage, JudgedTwice, Passage
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.query_sets.tabs.judging import markup
from docgraph.ui.query_sets.tabs.judging.hand import Said
from tests.ui.conftest import Open, page_text

SET, QUESTION = "harbor questions", "Why is the queue bounded?"
HOSTILE = "<img src=x onerror=alert(1)> ![x](https://evil.example/x.png)"


@pytest.fixture
def kept(harbor: Docgraph) -> Docgraph:
    """A set of one question, asked once."""
    harbor.query_sets.keep([QUESTION], name=SET)
    harbor.query_sets.run(SET, measures=["documents"])
    return harbor


def pressed(at: AppTest, key: str) -> None:
    at.button(key=key).click().run()
    assert not at.exception


def named(at: AppTest, name: str = "Mira Holt") -> None:
    at.text_input(key="qj-name-text").input(name)
    next(each for each in at.button if each.label == "Judge").click().run()
    assert not at.exception


def test_a_grade_is_kept_and_taken_back_and_what_was_skipped_comes_last(kept: Docgraph, open_page: Open) -> None:
    at = open_page("query_sets", tab="judge")
    named(at)
    n = len(kept.query_sets.pool(SET).passages)
    assert n > 2
    assert "Judging as <b>Mira Holt</b>" in page_text(at)
    pressed(at, "qj-grade-3")
    (first,) = kept.judgments.passages()
    assert (first.query, first.grade, first.by) == (QUESTION, 2, "Mira Holt")
    assert f"1 of {n}</strong> passages judged" in page_text(at)
    pressed(at, "qj-skip")
    pressed(at, "qj-note")
    at.text_input(key="qj-note-text").input("see the decision").run()
    pressed(at, "qj-grade-0")
    (cannot,) = [each for each in kept.judgments.passages() if each.chunk_id != first.chunk_id]
    assert (cannot.grade, cannot.note) == (None, "see the decision")
    pressed(at, "qj-undo")
    pressed(at, "qj-undo")
    assert kept.judgments.passages() == ()
    assert at.button(key="qj-undo").disabled
    for _ in range(n):
        pressed(at, "qj-grade-1")
    assert "Everything is judged" in page_text(at)
    assert {each.grade for each in kept.judgments.passages()} == {0}


def test_who_may_not_write_is_shown_no_passage(
    kept: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "may", lambda act: act != "judge_passages")
    at = open_page("query_sets", tab="judge")
    assert "You cannot judge" in page_text(at)
    assert not [each for each in at.button if (each.key or "").startswith("qj-")]


def test_without_a_set_or_a_run_the_page_says_what_to_do(harbor: Docgraph, open_page: Open) -> None:
    assert "Add a set first" in page_text(open_page("query_sets", tab="judge"))
    harbor.query_sets.keep([QUESTION], name=SET)
    at = open_page("query_sets", set=SET, tab="judge")
    named(at)
    assert "Nothing to judge yet" in page_text(at)


def test_text_of_documents_questions_and_people_stays_text() -> None:
    chunk = StoredChunk(
        document_id=HOSTILE, chunk_id="d#0", chunk_index=0, text=HOSTILE, heading_path=(HOSTILE,), token_count=1
    )
    passage = Passage(query_id="q", query=HOSTILE, document_id=HOSTILE, chunk_id=HOSTILE, text_hash="0")
    found = Agreement(
        a=HOSTILE, b=HOSTILE, n=1, equal=0, table=((0, 1, 0),) * 3, differing=(JudgedTwice(passage=passage, a=0, b=1),)
    )
    drawn = [
        markup.question_html(HOSTILE, 1, 1),
        markup.passage_head_html(HOSTILE, f"{HOSTILE} 2", chunk, 1),
        markup.text_html(chunk, "a.txt"),
        markup.last_html([Said(passage, markup.place_words(HOSTILE, chunk), 1)]),
        markup.agreement_html(found),
        markup.differing_html(found),
    ]
    for html in drawn:
        assert "&lt;img src=x" in html, html
        assert "<img" not in html


@pytest.mark.parametrize(
    ("left", "deciding", "words"),
    [
        (0, 0, "Nothing is left."),
        (5, 0, "None of the 5 left changes a result on its own."),
        (5, 5, "5 can change what 1 question counts as."),
        (5, 2, "2 can change what 1 question counts as. The other 3 change no result on their own."),
    ],
)
def test_the_order_is_said_with_its_numbers(left: int, deciding: int, words: str) -> None:
    told = Coverage(
        shown=9,
        judged=9 - left,
        cannot_judge=0,
        questions=1,
        questions_done=0,
        deciding=deciding,
        deciding_questions=bool(deciding),
    )
    assert markup.order_words(told) == words
