"""Presenter mode without a browser: the start screen, each step, choices, what links say, and written states."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration import comparisons
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.parts.samples import corpus
from docgraph.ui.parts.samples.corpus import Sample
from docgraph.ui.presenter import story
from docgraph.ui.presenter.page import presenter_inputs
from docgraph.views.presenter.story import POINT
from tests.ui.conftest import Open, page_text

QUESTION = "How many bookings does the bounded queue hold?"
SAMPLES = (Sample("one", QUESTION, "evidence_added", "", shown=True), Sample("two", "What is a slot?", "same", ""))


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "samples", lambda workspace: SAMPLES if workspace == "harbor" else ())
    monkeypatch.setattr(story, "a_few", lambda everything: everything)


def said(at: AppTest, name: str) -> str:
    """One value of the address as the script sees it."""
    value = at.query_params[name]
    return value if isinstance(value, str) else value[-1]


def present(open_page: Open, step: str = "1", **inputs: str) -> AppTest:
    given = {"query": QUESTION, "docs": "2", "related": "1"} | inputs
    return open_page(present="1", step=step, **given)


def test_any_page_shows_the_presenter_instead_of_itself(harbor: Docgraph, open_page: Open) -> None:
    for name in ("home", "plan", "library"):
        text = page_text(open_page(name, present="1", query=QUESTION))
        assert "Without relationships: " in text, name
        assert "Read-only" not in text, "the header belongs to the pages"


def test_the_start_screen_counts_what_each_sample_shows(harbor: Docgraph, sampled: None, open_page: Open) -> None:
    at = open_page(present="1")
    assert [button.label for button in at.button if (button.key or "").startswith("dgp-sample-")] == [
        "How many bookings does the bounded queue hold\\?",
        "What is a slot\\?",
    ]
    assert "3 documents, 2 relationships" in page_text(at)
    at.button(key="dgp-sample-1").click().run()
    assert not at.exception
    assert (said(at, "query"), said(at, "present")) == (QUESTION, "1")
    assert 'data-step="1"' in page_text(at)


def test_without_samples_the_start_screen_asks_for_a_question(harbor: Docgraph, open_page: Open) -> None:
    assert corpus.samples("elsewhere") == ()
    harbor.create_workspace("second")
    at = open_page(present="1", workspace="second")
    assert "second holds no documents yet" in page_text(at)


def test_a_typed_question_is_presented_and_an_empty_one_says_so(
    harbor: Docgraph, sampled: None, open_page: Open
) -> None:
    at = open_page(present="1")
    at.button(key="dgp-present").click().run()
    assert "Type a question first" in page_text(at)
    at.text_input(key="docgraph.presenter.question").set_value("What waits?")
    at.button(key="dgp-present").click().run()
    assert said(at, "query") == "What waits?"


def test_the_arrows_go_from_step_to_step_and_stop_at_both_ends(harbor: Docgraph, open_page: Open) -> None:
    at = present(open_page)
    assert at.button(key="dgp-back").disabled
    for step in ("2", "3"):
        at.button(key="dgp-next").click().run()
        assert said(at, "step") == step
        assert f'data-step="{step}"' in page_text(at)
    assert at.button(key="dgp-next").disabled
    at.button(key="dgp-back").click().run()
    assert said(at, "step") == "2"


def test_step_two_keeps_every_box_and_says_why_the_chosen_one_is_in(harbor: Docgraph, open_page: Open) -> None:
    def places(text: str) -> dict[str, str]:
        boxes = [part for part in text.split('<div class="dgp-box ')[1:] if "dgp-is-related" not in part]
        return {b.split('data-document="')[1].split('"')[0]: b.split('style="')[1].split('"')[0] for b in boxes}

    before = page_text(present(open_page))
    after = page_text(present(open_page, "2"))
    assert places(before).items() <= places(after).items()
    assert 'dgp-is-related on" data-document="queue"' in after
    assert "explains" in after
    assert "and this passage is now read" in after
    assert "removed</small>" in after
    assert "1 document added" in after
    assert "1 document removed" in after


def test_step_three_opens_the_price_and_closes_it_again(harbor: Docgraph, open_page: Open) -> None:
    at = present(open_page, "3")
    text = page_text(at)
    assert "1 document added" in text
    assert "1 document removed" in text
    assert "displaced" in text
    assert "Checks passed: 9 of 9" in text
    at.button(key="dgp-down").click().run()
    assert "Not read any more" in page_text(at)
    at.button(key="dgp-up").click().run()
    assert "What was added" in page_text(at)


def test_a_judged_loss_is_the_headline_and_has_its_way_back(harbor: Docgraph, open_page: Open) -> None:
    """A loss that people had judged once was not said in the presenter at all."""
    request = RetrievalRequest(query=QUESTION, max_documents=2, max_expanded=1)
    gone = harbor.compare(request).documents_with("left")[0]
    harbor.judgments.judge(QUESTION, gone.document_id, True, by="Ann")
    at = present(open_page, "3")
    text = page_text(at)
    assert ">1 relevant document is lost</span>" in text
    assert "relevant, lost" in text
    assert "The 1 relevant document" in text
    assert "brings it back: 1 of 1" in text
    at.button(key="dgp-whatif").click().run()
    assert said(at, "docs") == "3"
    assert "relevant document is lost" not in page_text(at)


def test_a_superseded_document_on_stage_says_by_what(harbor: Docgraph, open_page: Open) -> None:
    old = b"---\nid: queue\ntitle: Booking queue\nstatus: superseded\nsuperseded_by: [glossary]\n---\nBookings wait.\n"
    harbor.ingest_files([("queue.md", old)])
    assert "superseded by Glossary" in page_text(present(open_page, "2"))
    assert "superseded by Glossary" in page_text(present(open_page, "3"))


def test_a_question_without_relationships_changes_nothing_and_says_so(harbor: Docgraph, open_page: Open) -> None:
    assert POINT in page_text(present(open_page, "3", query="What is a slot?", types="", docs="6"))


def test_junk_in_the_address_falls_back_and_an_impossible_value_is_said_in_words(
    harbor: Docgraph, open_page: Open
) -> None:
    assert 'data-step="1"' in page_text(present(open_page, "<script>", seeds="many"))
    failed = present(open_page, docs="0")
    assert "This did not work" in page_text(failed)
    failed.button(key="dgp-home").click().run()
    assert "What do relationships change?" in page_text(failed)


def test_a_saved_run_is_told_as_it_was(harbor: Docgraph, open_page: Open) -> None:
    request = RetrievalRequest(query=QUESTION, max_documents=2, max_expanded=1)
    saved = harbor.runs.save(request, name="for the board")
    harbor.ingest_files([("queue.md", b"---\nid: queue\ntitle: Another title\n---\nNothing here any more.\n")])
    text = page_text(open_page(present="1", run=saved.run_id, step="2"))
    assert "saved run" in text
    assert "Booking queue" in text
    assert "Another title" not in text


def test_a_key_press_plans_nothing_anew(harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    at = present(open_page)
    for owner in (Docgraph, comparisons):
        monkeypatch.setattr(owner, "run", lambda *_: pytest.fail("a run was made again"))
    for key in ("dgp-next", "dgp-next", "dgp-down", "dgp-back"):
        at.button(key=key).click().run()
        assert not at.exception
    assert 'data-step="2"' in page_text(at)


def test_the_address_of_a_presentation_carries_the_request_and_the_workspace() -> None:
    request = RetrievalRequest(query="Why?", relation_types=("explains", "implements"))
    assert presenter_inputs(request, "harbor") == [
        ("present", "1"),
        ("query", "Why?"),
        ("types", "explains"),
        ("types", "implements"),
        ("workspace", "harbor"),
    ]
    assert presenter_inputs(None, "harbor") == [("present", "1"), ("workspace", "harbor")]
