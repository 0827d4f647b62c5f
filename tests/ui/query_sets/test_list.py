"""The one list: every text once, filters, what relationships change in it, and the two places of the page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from docgraph import plugins
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.query_sets import listing
from tests.ui.conftest import SECONDS, Open, on_page, page_text, press

QUEUE, SLOT, OTHER = "Why is the queue bounded?", "What is a slot?", "Who feeds the cat?"
HOSTILE = "<img src=x onerror=alert(1)> ![x](https://evil.example/)"


@pytest.fixture
def kept(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    """Three questions in two sets, one of them saved twice, one judged, one hostile."""
    measures = tuple(plugins.build("measures", name) for name in ("ndcg", "recall", "reciprocal_rank"))
    monkeypatch.setattr(harbor.session, "adapters", replace(harbor.session.adapters, measures=measures))
    harbor.query_sets.keep([{"query": QUEUE, "grades": {"queue": 2, "adr-1": 2}}, {"query": SLOT}], name="a")
    harbor.query_sets.keep([{"query": QUEUE}, {"query": HOSTILE}], name="b <b>")
    for n in (3, 4):
        harbor.runs.save(RetrievalRequest(query=QUEUE, max_chunks=n))
    harbor.runs.save(RetrievalRequest(query=OTHER))
    return harbor


def rows(at: AppTest) -> list[str]:
    """The questions as text, without their heads."""
    found = [block.proto.body for block in at.get("html") if block.proto.body.startswith('<div class="qn-row">')]
    return [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in found]


def counted(at: AppTest, docgraph: Docgraph) -> AppTest:
    """Wait until what relationships change is counted, then draw anew."""
    job = listing._jobs().get(f"harbor {docgraph.workspace.state}")
    assert job is not None
    assert job.wait(SECONDS)
    at.run()
    assert not at.exception
    return at


def test_every_text_is_one_row_whatever_holds_it(kept: Docgraph, open_page: Open) -> None:
    at = counted(open_page("query_sets"), kept)
    found = rows(at)
    assert len(found) == 4
    queue = next(each for each in found if QUEUE in each)
    assert "a, b" in queue
    assert "2×, " in queue
    assert "2 relevant" in queue
    assert re.search(r"\d → \d of 2|no change", queue)
    cat = next(each for each in found if OTHER in each)
    assert cat.endswith(("judge it to find out", "no change"))
    assert "<img" not in page_text(at)
    assert not [link for link in on_page(at, "page_link") if "![x](" in link.proto.label]


def test_outcomes_are_counted_once_for_all_lists(kept: Docgraph, open_page: Open) -> None:
    counted(open_page("query_sets"), kept)
    job = listing._jobs().get(f"harbor {kept.workspace.state}")
    open_page("query_sets", query=QUEUE)
    assert listing._jobs().get(f"harbor {kept.workspace.state}") is job


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ({"find": "SLOT"}, {SLOT}),
        ({"in": "a"}, {QUEUE, SLOT}),
        ({"in": "--"}, {OTHER}),
        ({"only": "saved"}, {QUEUE, OTHER}),
        ({"only": "judged"}, {QUEUE}),
        ({"only": "not_judged", "in": "a"}, {SLOT}),
    ],
)
def test_filters_of_the_address_keep_what_passes(
    kept: Docgraph, open_page: Open, address: dict[str, str], shown: set[str]
) -> None:
    found = rows(open_page("query_sets", **address))
    assert {query for query in (QUEUE, SLOT, OTHER) if any(query in each for each in found)} == shown
    assert len(found) == len(shown)


def test_an_open_question_leads_to_plan_compare_sets_versions_and_judgments(kept: Docgraph, open_page: Open) -> None:
    at = counted(open_page("query_sets", query=QUEUE), kept)
    ways = {link.proto.label: link.proto.query_string for link in on_page(at, "page_link")}
    assert ways["Open in Plan"].startswith("query=Why+is+the+queue+bounded")
    assert "baseline=ms3" in ways["Compare"]
    assert ways["In a"] == "set=a&workspace=harbor"
    text = page_text(at)
    assert text.count('<div class="qn-version">') == 2
    assert "Bounded queue" in text
    assert "None yet" in page_text(open_page("query_sets", query=SLOT))


def test_a_set_opens_and_runs_from_its_card_and_the_card_says_what_came_of_it(kept: Docgraph, open_page: Open) -> None:
    kept.query_sets.run("a")
    at = open_page("query_sets")
    assert "not evaluated yet" in page_text(at)
    assert re.search(r"\d improves?, \d gets? worse", page_text(at))
    press(at, "qn-run-1")
    assert at.query_params["set"] in ("b <b>", ["b <b>"])


def test_the_page_has_two_places_and_old_addresses_open_them(kept: Docgraph, open_page: Open) -> None:
    at = open_page("query_sets")
    labels = [link.proto.label for link in on_page(at, "page_link")]
    assert labels[:2] == ["All 4", "Judge"]
    assert "Start judging" in page_text(open_page("query_sets", tab="judge"))
    for tab, said in (
        ("questions", "Not evaluated yet"),
        ("edges", "Which relationships help"),
        ("history", "No evaluations yet"),
    ):
        assert said in page_text(open_page("query_sets", set="a", tab=tab))
    assert "Which relationships help" in page_text(open_page("query_sets", tab="edges"))
    assert len(rows(open_page("runs"))) == len(rows(at)) == 4


def test_judged_questions_that_no_set_has_can_be_saved_as_one(harbor: Docgraph, open_page: Open) -> None:
    harbor.judgments.judge(QUEUE, "queue", True, by="Ann")
    press(open_page("query_sets"), "qs-judged")
    assert [(each.name, each.n) for each in harbor.query_sets.list()] == [("Judged questions", 1)]
    at = open_page("query_sets")
    at.session_state["qs-add"] = True
    at.run()
    assert "qs-judged" not in [button.key for button in at.button]
