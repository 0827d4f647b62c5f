"""Relationships › Types: roles of types with who decided them, and types tried on test questions."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.own_questions import KindResult, Trial, TypeResult
from docgraph.domain.type_roles import OwnFigures, TypeDecision
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.relationships.vocabulary import own_questions
from docgraph.ui.relationships.vocabulary.section import row_key
from tests.ui.conftest import SECONDS, Open, edit_as, page_text

ROLE = f"docgraph.types.role.{row_key('explains')}.adds_documents.default"


def table(at: AppTest, index: int) -> list[dict[str, Any]]:
    return list(at.dataframe[index].value.to_dict("records"))


def tried(dg: Docgraph, role: str = "adds_documents") -> Trial:
    """A trial of today's data that proposes reasons only for ``explains``."""
    figures = OwnFigures(n=240, better=7, worse=12, points=-2.1, low=-3.4, high=-0.8)
    result = TypeResult.model_validate(
        {
            "relation_type": "explains",
            "role": role,
            "is_declared": True,
            "kinds": (KindResult(kind="document", n=120, better=0, worse=12, on=84.0, off=88.2),),
            "figures": figures,
            "proposal": "reasons_only",
            "why": "its documents cost more than they bring",
        }
    )
    return dg.session.store().keep_trial(
        Trial(
            workspace="harbor",
            revision=dg.workspace.revision,
            embedder_id=dg.workspace.embedder.embedder_id,
            seed=1,
            at="2026-11-26T20:00:00+00:00",
            n_questions=240,
            n_asked=240,
            results=(result,),
        )
    )


def test_each_type_is_a_row_with_its_role_and_who_decided(harbor: Docgraph, open_page: Open) -> None:
    harbor.relationships.set_type_role("references", "reasons_only", by="Ada", reason="lists")
    at = open_page("relationships", tab="types")
    assert "decided by Ada" in page_text(at)
    at.session_state["docgraph.vocabulary.table"] = True
    at.run()
    rows = {row["Type"]: row for row in table(at, 0)}
    assert (rows["explains"]["In plans"], rows["explains"]["Decided by"]) == ("adds documents", "default")
    quiet = rows["references"]
    assert (quiet["In plans"], quiet["Decided by"], quiet["Why"]) == ("reasons only", "decided by Ada", "lists")


def test_a_role_is_changed_by_one_click_while_editing_is_on(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="types")
    assert at.selectbox(key=ROLE).disabled
    edit_as(at).selectbox(key=ROLE).set_value("reasons_only").run()
    [decision] = [each for each in harbor.relationships.type_roles() if each.relation_type == "explains"]
    assert (decision.role, decision.by) == ("reasons_only", "person")
    assert "explains only gives reasons" in at.toast[0].value


def test_a_proposal_stands_with_its_counts_and_is_adopted_by_one_click(harbor: Docgraph, open_page: Open) -> None:
    tried(harbor)
    at = open_page("relationships", tab="types")
    said = "explains: reasons only; of 240 generated questions 7 better, 12 worse with its documents, −2.1 [−3.4, −0.8]"
    assert said in page_text(at)
    assert table(at, 0)[0]["One document"] == "−4.2 of 120"
    assert at.button(key="docgraph.types.trial.adopt").disabled
    edit_as(at).button(key="docgraph.types.trial.adopt").click().run()
    [decision] = [each for each in harbor.relationships.type_roles() if each.relation_type == "explains"]
    assert decision.words == "generated questions −2.1 [−3.4, −0.8]"
    assert "changed since" in page_text(at)


def test_a_trial_of_other_data_offers_to_try_again_and_nothing_else(harbor: Docgraph, open_page: Open) -> None:
    tried(harbor)
    harbor.session.store().decide_types([TypeDecision(relation_type="references", role="off", by="person")])
    at = open_page("relationships", tab="types")
    assert "changed since" in page_text(at)
    assert [button.label for button in at.button if button.key.startswith("docgraph.types.trial")] == ["Test again"]


def test_types_are_tried_in_the_background_and_the_result_is_shown(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("relationships", tab="types")
    at.button(key="docgraph.types.trial.begin").click().run()
    job = own_questions._jobs().get("harbor")
    assert job is not None
    assert job.wait(SECONDS)
    at.run()
    [trial] = harbor.relationships.trials()
    assert f"Trial {trial.trial_id}" in page_text(at)
    assert {row["Result"] for row in table(at, 0)} == {"too few questions to say"}
