"""The sample questions are saved with one click where the sample corpus has none, and stopping keeps what is done."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.parts.samples import corpus, questions
from tests.ui.conftest import SECONDS, Open, page_text
from tests.ui.relationships.test_edges import EXPLAINS, choose, opened, settled

QUERIES = ("Why is the queue bounded?", "What is a slot?", "Which bookings wait?")
SAVE, KEY = "docgraph.runs.samples.save", "docgraph.runs.samples"


@pytest.fixture(autouse=True)
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three questions are quicker than all of them."""
    lines = "\n".join(
        f'{{"id": "{n}", "query": "{query}", "relevant": ["queue", "gone"]}}' for n, query in enumerate(QUERIES)
    )
    (tmp_path / "queries.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.setattr(corpus, "sample_folder", lambda: tmp_path)


def ended() -> None:
    job = questions._jobs().get("harbor")
    assert job is not None
    assert job.wait(SECONDS)


def names(docgraph: Docgraph) -> set[str]:
    return {row.name for row in docgraph.runs.list()}


def test_one_click_on_the_runs_page_saves_all_of_them_named_by_their_question(
    harbor: Docgraph, open_page: Open
) -> None:
    at = open_page("runs")
    at.button(key=SAVE).click()
    said = page_text(at.run())  # it is said once, and the saving may be that quick
    ended()
    said += page_text(settled(at.run()))
    assert names(harbor) == set(QUERIES)
    assert {row.saved_by for row in harbor.runs.list()} == {"sample"}
    assert {(each.document_id, each.relevant) for each in harbor.judgments.list()} == {("queue", True)}
    assert "3 questions are saved; 3 judgments are new; 3 could not be judged." in said
    assert SAVE not in [button.key for button in at.button]


def test_an_effect_that_no_saved_question_tells_offers_them_and_shows_it_then(
    harbor: Docgraph, open_page: Open
) -> None:
    at = choose(opened(open_page, by="Ann", edge="|".join(EXPLAINS)), "remove")
    if "docgraph.edge.effect.samples.save" not in [button.key for button in at.button]:
        at.run()  # the effect is found out in the background
    at.button(key="docgraph.edge.effect.samples.save").click().run()
    ended()
    settled(at.run())
    settled(at.run())
    assert len(names(harbor)) == 3
    assert "3 saved questions" in page_text(at)


@pytest.mark.usefixtures("checked")
def test_a_finding_without_a_saved_question_offers_them(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="findings")
    at.button(key="docgraph.effects.samples.save").click().run()
    ended()
    settled(at.run())
    assert names(harbor) == set(QUERIES)
    assert "saved questions, filled when its answer changes" in page_text(at)


def test_stop_keeps_what_is_finished_and_the_rest_can_be_saved(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, first, go_on = harbor.runs.save, threading.Event(), threading.Event()

    def slowly(*args: Any, **options: Any) -> Any:
        saved = save(*args, **options)
        first.set()
        assert go_on.wait(SECONDS)
        return saved

    monkeypatch.setattr(harbor.runs, "save", slowly)
    at = open_page("runs")
    at.button(key=SAVE).click().run()
    assert first.wait(SECONDS)
    settled(at.run())
    assert f"{KEY}.stop" in [button.key for button in at.button]
    at.button(key=f"{KEY}.stop").click().run()
    go_on.set()
    ended()
    settled(at.run())
    assert len(names(harbor)) == 1
    said = "1 of 3 questions is saved; 1 judgment is new; 1 could not be judged; stopped: what is finished stays"
    assert said in page_text(at)
    at.button(key=SAVE).click().run()
    ended()
    settled(at.run())
    assert names(harbor) == set(QUERIES)
    assert KEY not in page_text(at)


def test_a_database_that_refuses_is_told_and_the_offer_stays(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*args: Any, **options: Any) -> Any:
        raise StoreError("the database is full", hint="make room")

    monkeypatch.setattr(harbor.runs, "save", refused)
    at = open_page("runs")
    at.button(key=SAVE).click().run()
    ended()
    settled(at.run())
    assert "The database is full" in page_text(at)
    assert SAVE in [button.key for button in at.button]


@pytest.mark.parametrize("why", ["another corpus", "read only"])
def test_where_they_cannot_be_saved_nothing_is_offered(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "read only":
        monkeypatch.setattr(harbor, "may_write", lambda: False)
    else:
        monkeypatch.setattr(corpus, "SAMPLE_WORKSPACE", "elsewhere")
    at = open_page("runs")
    assert "no saved runs yet" in page_text(at)
    assert SAVE not in [button.key for button in at.button]
