"""What a rerun of the Plan page does again when nothing has changed, and in which order it draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration import pipeline
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.plan import body, explorer, page, state
from docgraph.ui.plan.controls import known_inputs
from docgraph.ui.plan.draft import asked
from docgraph.ui.plan.tabs import bar, judgments
from tests.ui.conftest import Open

QUESTION = "Why is the queue bounded?"


class Counted:
    """Counts calls by name, and says in which order they came."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls: list[str] = []
        self._patch = patch

    def watch(self, owner: Any, name: str) -> None:
        """Let every call of ``owner.name`` be counted from now on."""
        real: Callable[..., Any] = getattr(owner, name)

        def counted(*args: Any, **named: Any) -> Any:
            self.calls.append(name)
            return real(*args, **named)

        self._patch.setattr(owner, name, counted)

    def taken(self) -> list[str]:
        """The calls since the last time."""
        taken, self.calls = self.calls, []
        return taken


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


BUILDS = (
    (explorer, "build_graph"),
    (explorer, "arrangement_of"),
    (explorer, "draft_marks"),
    (bar, "evidence_cards"),
    (bar, "draft_cards"),
    (judgments, "evidence_cards_html"),
    (state, "document_table"),
    (state, "edge_table"),
)


@pytest.mark.parametrize("inputs", [{}, {"stage": "MS3"}, {"drop_seed": "adr-1"}], ids=["plan", "ms3", "draft"])
def test_a_rerun_with_nothing_changed_builds_nothing_and_runs_nothing(
    harbor: Docgraph, open_page: Open, counted: Counted, inputs: dict[str, str]
) -> None:
    for owner, name in BUILDS:
        counted.watch(owner, name)
    counted.watch(resources, "run_then")
    counted.watch(type(harbor), "run")
    counted.watch(type(harbor.runs), "compare")
    at = open_page("plan", query=QUESTION, **inputs)
    assert {"build_graph", "run_then", "evidence_cards_html"} <= set(counted.taken())
    at.run()
    assert not at.exception
    assert counted.taken() == []


def test_another_question_is_built_anew(harbor: Docgraph, open_page: Open, counted: Counted) -> None:
    at = open_page("plan", query=QUESTION)
    counted.watch(explorer, "build_graph")
    counted.watch(judgments, "evidence_cards_html")
    _ask(at, "What is a slot?")
    assert Counter(counted.taken()) == {"build_graph": 1, "evidence_cards_html": 1}


def test_a_run_of_the_page_asks_once_which_workspaces_there_are(
    harbor: Docgraph, open_page: Open, counted: Counted
) -> None:
    at = open_page("plan", query=QUESTION)
    counted.watch(type(harbor), "workspaces")
    at.run()
    assert counted.taken() == ["workspaces"]


def test_the_plan_is_drawn_before_its_status_and_its_controls(
    harbor: Docgraph, open_page: Open, counted: Counted
) -> None:
    at = open_page("plan", query=QUESTION)
    counted.watch(body, "explorer")
    counted.watch(body, "status_block")
    counted.watch(page, "controls")
    _ask(at, "What is a slot?")
    assert counted.taken() == ["explorer", "status_block", "controls"]


def test_the_contract_is_checked_when_the_plan_is_drawn_and_once_for_all_pages(
    harbor: Docgraph, open_page: Open, counted: Counted
) -> None:
    """What is painted first does not wait for its proof; Compare and the next rerun have it already."""
    at = open_page("plan", query=QUESTION)
    counted.watch(body, "explorer")
    counted.watch(body, "status_block")
    counted.watch(pipeline, "_proven")
    counted.watch(bar, "evidence_cards")
    _ask(at, "What is a slot?")
    assert counted.taken() == ["explorer", "_proven", "status_block", "evidence_cards"]
    assert any("Checks passed: 9 of 9" in block.proto.body for block in at.get("html"))
    asked = RetrievalRequest(query="What is a slot?")
    begun = resources.begun(asked, "harbor")
    assert (begun.run.contract, begun.whole()) == ((), resources.run(asked, "harbor"))
    assert all(check.passed for check in begun.whole().contract)
    assert [step.name for step in begun.whole().trace][-1] == "verify"
    assert counted.taken() == []


def test_on_a_first_visit_the_controls_come_first_because_they_alone_know_what_the_link_says(
    harbor: Docgraph, open_page: Open, counted: Counted
) -> None:
    counted.watch(body, "explorer")
    counted.watch(page, "controls")
    open_page("plan", query=QUESTION)
    assert counted.taken() == ["controls", "explorer"]


def test_where_the_controls_say_another_thing_than_the_session_the_page_follows_the_controls(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch, counted: Counted
) -> None:
    at = open_page("plan", query=QUESTION)
    counted.watch(body, "explorer")
    counted.watch(page, "controls")
    wrong = iter([True])

    def misled(workspace: Any) -> Any:
        if next(wrong, False):

            def other(inputs: Any, there: Any) -> Any:
                monkeypatch.setattr(page, "asked", asked)
                found = asked(inputs, there)
                return None if found is None else type(found)(_fewer(found.request), found.departed, found.ignored)

            monkeypatch.setattr(page, "asked", other)
        return known_inputs(workspace)

    monkeypatch.setattr(page, "known_inputs", misled)
    at.run()
    assert not at.exception
    assert counted.taken() == ["explorer", "controls", "controls", "explorer"]
    assert at.session_state["docgraph.state"].request.max_chunks != 7


def _fewer(request: Any) -> Any:
    return request.model_copy(update={"max_chunks": 7})


def _ask(at: AppTest, question: str) -> None:
    at.text_input(key="query").set_value(question)
    at.button(key="plan_build").click()
    at.run()
    assert not at.exception
