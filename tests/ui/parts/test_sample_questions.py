"""The sample's questions are added with one click where the sample corpus has them not yet, and never offered again."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.evaluating.sample import SAMPLE_SET
from docgraph.ui.parts.samples import corpus
from tests.ui.conftest import Open, on_page, page_text, press
from tests.ui.relationships.test_edges import EXPLAINS, choose, opened, settled

ADD = "docgraph.questions.samples.add"


def offered(at: Any) -> set[str]:
    """Keys of the buttons that add them, on whatever page."""
    return {str(button.key) for button in at.button if str(button.key).endswith("samples.add")}


def test_one_click_adds_them_judged_and_no_page_offers_them_again(harbor: Docgraph, open_page: Open) -> None:
    at = press(open_page("query_sets"), ADD)
    assert [(each.name, each.n, each.n_judged) for each in harbor.query_sets.list()] == [(SAMPLE_SET, 32, 32)]
    assert "All 32" in [link.proto.label for link in on_page(at, "page_link")]
    at.session_state["qs-add"] = True
    for page in (at.run(), open_page("runs"), open_page("relationships", tab="findings")):
        assert offered(page) == set()


def test_an_effect_that_no_saved_question_tells_offers_them_and_shows_it_then(
    harbor: Docgraph, open_page: Open
) -> None:
    at = choose(opened(open_page, by="Ann", edge="|".join(EXPLAINS)), "remove")
    if not offered(at):
        at.run()  # the effect is found out in the background
    press(at, "docgraph.edge.effect.samples.add")
    settled(at.run())
    settled(at.run())
    assert "32 saved questions" in page_text(at)


@pytest.mark.usefixtures("checked")
def test_a_finding_without_a_saved_question_offers_them(harbor: Docgraph, open_page: Open) -> None:
    at = press(open_page("relationships", tab="findings"), "docgraph.effects.samples.add")
    settled(at.run())
    assert "saved questions would change" in page_text(at)


def test_a_database_that_refuses_is_told_and_the_offer_stays(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*args: Any, **options: Any) -> Any:
        raise StoreError("the database is full", hint="make room")

    monkeypatch.setattr(type(harbor.query_sets), "keep", refused)
    at = press(open_page("query_sets"), ADD)
    assert "The database is full" in page_text(at)
    assert offered(at) == {ADD}


@pytest.mark.parametrize("why", ["another corpus", "read only"])
def test_where_they_cannot_be_added_nothing_is_offered(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "read only":
        monkeypatch.setattr(harbor, "may_write", lambda: False)
    else:
        monkeypatch.setattr(corpus, "SAMPLE_WORKSPACE", "elsewhere")
    at = open_page("query_sets")
    assert "has no questions yet" in page_text(at)
    assert offered(at) == set()
