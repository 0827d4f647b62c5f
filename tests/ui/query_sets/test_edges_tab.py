"""The Edges and limits tab: it says what the API counts, filters by class, and text that wants to be more than text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.scoreboard import BoilerplateTarget, EdgeScore, Scoreboard
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.parts.background import of_process
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.scoring.limits import target_html
from docgraph.ui.query_sets.tabs.scoring.table import row_html
from docgraph.ui.query_sets.tabs.scoring.work import MAX_KEPT, fields_of
from docgraph.views.query_sets.edges import sentence
from tests.ui.conftest import SECONDS, Open, page_text, press

SET = "harbor questions"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def kept(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    """A set of two questions, one of them judged."""
    measures = tuple(plugins.build("measures", name) for name in plugins.available("measures"))
    monkeypatch.setattr(harbor.session, "adapters", replace(harbor.session.adapters, measures=measures))
    harbor.query_sets.keep(
        [{"query": "Why is the queue bounded?", "grades": {"queue": 2}}, "What is a slot?"], name=SET
    )
    return harbor


def test_the_tab_scores_a_set_on_the_button_and_says_what_the_api_counts(kept: Docgraph, open_page: Open) -> None:
    at = open_page("query_sets", set=SET, tab="edges")
    assert "Which relationships help?" in page_text(at)
    press(at, "qe-score")
    job = of_process("query sets scored", limit=MAX_KEPT).get(f"harbor {SET}")
    assert job is not None
    assert job.wait(SECONDS)
    assert job.error is None, job.error
    at.run()
    assert not at.exception
    asked = kept.query_sets.get(SET).query_set
    board = kept.relationships.scoreboard(asked)
    drawn = page_text(at)
    assert sentence(board) in drawn
    assert {each.key for each in job.board.edges} == {each.key for each in board.edges}
    assert job.pressure.sweeps == kept.query_sets.limits(SET).sweeps
    assert "relevant documents found, of 1 in 1 judged question" in drawn
    assert "Keep today&#x27;s settings" in drawn
    assert "Settings change only when you change them." in drawn
    at.pills(key="qe-classes").set_value("dead").run()
    assert not at.exception
    assert at.query_params["class"] == "dead"
    assert page_text(at).count('<div class="qe-row"><div>') == board.n_dead > 0
    at.selectbox(key="qe-group").set_value("types").run()
    assert not at.exception
    assert all(each.name in page_text(at) for each in board.types)
    assert "edge" not in at.query_params, "another kind of row forgets which one was chosen"


@pytest.mark.parametrize(
    ("last", "fields"),
    [
        ({"fields": {"max_documents": 2}, "baseline": "today"}, {"max_documents": 2}),
        ({"baseline": "plain"}, {"max_chunks": 4}),
        ({"fields": {"use_relationships": False}}, {"max_chunks": 4}),
        ({"fields": {"max_documents": 2}, "edits": [{"action": "accept", "key": ("a", "b", "c")}]}, {"max_chunks": 4}),
        ({"source": "file"}, {"max_chunks": 4}),
    ],
    ids=["a request", "plain vectors", "relationships off", "edits that nobody saved", "a file"],
)
def test_scored_is_the_last_request_in_which_relationships_of_today_act(
    harbor: Docgraph, last: dict[str, Any], fields: dict[str, Any]
) -> None:
    configurations = (
        {"name": "on", "label": "on", "baseline": "today", "fields": {"max_chunks": 4}},
        {"name": "last", "label": "last", **last},
    )
    shown = KeptEvaluation.model_validate(
        {
            **{"evaluation_id": "e", "query_set": SET, "workspace": "harbor", "at": "", "n_asked": 1},
            "configurations": configurations,
        }
    )
    assert fields_of(Scope(harbor, "harbor", None, shown, "", True)) == fields
    assert fields_of(Scope(harbor, "harbor", None, None, "", True)) == {}


def test_who_may_not_write_scores_nothing(kept: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "may", lambda act: act != "begin_evaluation")
    at = open_page("query_sets", set=SET, tab="edges")
    assert "Only curators and admins can score relationships" in page_text(at)
    assert not [each for each in at.button if each.key == "qe-score"]


def test_text_of_documents_and_types_stays_text() -> None:
    row = EdgeScore(key=(HOSTILE, "explains", HOSTILE), relation_type="explains", fired=1)
    group = EdgeScore(name=HOSTILE, fired=1)
    board = Scoreboard(name="s", workspace="w", measure="recall@6", n=1, n_judged=0, n_relationships=1, n_dead=0)
    titles = {HOSTILE: f"{HOSTILE} title"}
    target = BoilerplateTarget(document_id=HOSTILE, linked_by=12, takes_no_place=True)
    for html in (
        row_html(row, board, titles=titles),
        row_html(group, board, titles={}),
        target_html(target, titles, n=1),
    ):
        assert "&lt;img src=x" in html
        assert "<img" not in html
