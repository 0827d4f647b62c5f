"""The drawer of the Plan page and the ways to look at a plan: what is said while it is closed, and what links keep."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.plan.overrides import WAY
from docgraph.ui.plan.state import DETAILS
from docgraph.views.plan.settings import differing
from tests.ui.conftest import Open, page_text

QUESTION = "Why is the queue bounded?"


def _run(at: AppTest) -> Any:
    return at.session_state["docgraph.state"].run


def _line(at: AppTest) -> str:
    return page_text(at).split('<p class="pl-differs')[1].split(">", 1)[1].split("</p>")[0]


def _components(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(component.proto.json) for component in at.get("bidi_component")]


def test_closed_it_says_that_all_is_at_its_default(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION)
    assert _line(at) == "Default settings"
    assert not [button for button in at.button if button.key == "plan_reset"]


def test_closed_it_keeps_what_a_link_says_names_it_and_takes_it_back(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="4", types="explains", mode="fast", where="type=decision")
    assert not at.session_state[DETAILS]
    at.run()
    request = _run(at).request
    assert (request.max_documents, request.mode, request.relation_types) == (4, "fast", ("explains",))
    assert _line(at) == "fast · 1 type off · 4 documents · filter type=decision"
    at.button(key="plan_reset").click().run()
    assert not at.exception
    assert _run(at).request == RetrievalRequest(query=QUESTION)
    assert _line(at) == "Default settings"


def test_the_workspace_is_named_beside_the_sentence(harbor: Docgraph, open_page: Open) -> None:
    said = page_text(open_page("plan", query=QUESTION)).split('<div class="pl-sentence"')[1].split("</div>")[0]
    assert f"In <b>{harbor.workspace.title or harbor.workspace.name}</b>." in said


@pytest.mark.parametrize("tab", ["Context", "Plan JSON", "Trace"])
def test_what_used_to_be_a_tab_opens_the_drawer(harbor: Docgraph, open_page: Open, tab: str) -> None:
    at = open_page("plan", query=QUESTION, tab=tab, docs="2")
    assert at.session_state[DETAILS]
    assert at.query_params["details"] == tab
    assert "tab" not in at.query_params
    assert _run(at).request.max_documents == 2, "the rest of the address stays"


def test_nothing_of_the_plan_is_drawn_in_a_closed_drawer(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, details="Plan JSON")
    assert at.code
    at.session_state[DETAILS] = False
    at.run()
    assert not at.code


def test_a_plan_is_looked_at_without_with_and_as_the_change(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query=QUESTION, docs="2")
    assert at.button_group(key=WAY).value == "With"
    at.button_group(key=WAY).set_value("Change").run()
    assert not at.exception
    (drawn,) = [each for each in _components(at) if "boxes" in each]
    assert {box["id"] for box in drawn["boxes"]} >= set(_run(at).plan.document_ids)
    assert _run(at).request.use_relationships
    at.button_group(key=WAY).set_value("Without").run()
    assert not _run(at).request.use_relationships
    assert (at.query_params["stage"], "display" in at.query_params) == ("MS3", False)
    at.button_group(key=WAY).set_value("With").run()
    assert _run(at).request.use_relationships
    assert "stage" not in at.query_params


@pytest.mark.parametrize(
    ("address", "shown"), [({"stage": "MS3"}, "Without"), ({"stage": "MS5"}, "With"), ({"display": "Change"}, "Change")]
)
def test_an_address_says_how_a_plan_is_looked_at(
    harbor: Docgraph, open_page: Open, address: dict[str, str], shown: str
) -> None:
    at = open_page("plan", query=QUESTION, **address)
    assert at.button_group(key=WAY).value == shown
    assert _run(at).request.use_relationships is (shown != "Without")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ()),
        ({"relation_types": ()}, ("2 types off",)),
        ({"relation_types": ("a", "b", "quiet")}, ("1 type on",)),
        ({"max_seeds": 1, "max_expanded": 0}, ("1 match", "0 related documents")),
        ({"token_budget": 500, "max_chunks": 1}, ("1 passage", "500 tokens")),
        ({"preset": "literal", "max_chunks": 7}, ("literal", "7 passages")),
        ({"find_names": False, "seed_signal": "chunk"}, ("ranked by best passage", "names not searched")),
        ({"where": {"conditions": ["status=accepted"]}}, ("filter status=accepted",)),
        (
            {"scope_mode": "filter", "scope_field": "doc_type"},
            ("matches from the dominant scope alone", "scope by doc_type"),
        ),
    ],
)
def test_what_is_not_at_its_default_is_said_in_a_few_words(fields: dict[str, Any], words: tuple[str, ...]) -> None:
    request = RetrievalRequest.model_validate({"query": "q", **fields})
    assert differing(request, ("a", "b", "quiet"), ("a", "b")) == words
