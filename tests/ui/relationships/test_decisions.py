"""Findings of one cause on the Relationships page: one row, one act for all of them, taken back as one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Decision
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.ui.conftest import Open, page_text
from tests.ui.relationships.test_page import HOSTILE, keys, opened, press, reason, save, settled

N = 12


@pytest.fixture
def licensed(checked: Docgraph) -> Docgraph:
    """Harbor with twelve notes that all link to a licence that nobody imported."""
    note = "---\nid: note-{0}\ntitle: Note {0}\nreferences: [licence]\nexplains: [queue]\n---\nOf queue {0}.\n"
    checked.ingest_files([(f"note-{i}.md", note.format(i).encode()) for i in range(N)])
    return checked


def of_licence(dg: Docgraph) -> Decision:
    return next(each for each in dg.check().decisions if each.label == f"{N} × licence")


def to_licence(dg: Docgraph) -> list[tuple[str, str, str]]:
    return [key for key in keys(dg) if key[2] == "licence"]


def at_licence(dg: Docgraph, open_page: Open) -> AppTest:
    return opened(open_page, by="Ann", finding=of_licence(dg).decision_id)


def test_findings_of_one_cause_are_one_row_and_one_act(licensed: Docgraph, open_page: Open) -> None:
    at = at_licence(licensed, open_page)
    text = page_text(at)
    assert f"{N} × licence: decided together" in text
    assert f"references from {N} documents" in text
    assert f"Example 1 of {N}" in text
    assert at.button(key="docgraph.act.accept").label == f"Keep all {N}"
    assert at.button(key="docgraph.act.remove").label == f"Remove all {N}"
    assert at.button(key="docgraph.act.ignore").label == f"Ignore all {N}"
    assert "docgraph.act.flip" not in {button.key for button in at.button}, "there is no one of them to turn round"


def test_an_act_on_a_class_is_one_act_of_the_history_and_undo_brings_it_back_whole(
    licensed: Docgraph, open_page: Open
) -> None:
    before = to_licence(licensed)
    at = press(at_licence(licensed, open_page), "remove")
    assert to_licence(licensed) == before, "a draft writes nothing"
    save(reason(at, "it is no document"))
    entries = licensed.relationships.history()
    assert not to_licence(licensed)
    assert (len(entries), len({each.act for each in entries}), {each.reason for each in entries}) == (
        N,
        1,
        {"it is no document"},
    )
    undo = at.button(key="docgraph.act.undo").label.replace("\\", "")
    assert undo == f"Undo: remove all {N}: {N} × licence, as one change"
    at = settled(at.run())
    assert "<b>1 of " in page_text(at)
    press(at, "undo")
    assert to_licence(licensed) == before
    assert f"{N} × licence: decided together" in page_text(at), "the decision is open again"
    assert "<b>0 of " in page_text(settled(at.run()))


def test_a_class_is_ignored_and_taken_up_again_as_one(licensed: Docgraph, open_page: Open) -> None:
    wanted = set(of_licence(licensed).finding_ids)
    at = press(at_licence(licensed, open_page), "ignore")
    save(reason(at, "comes with the release"))
    assert {each.subject_id for each in licensed.rules.dismissals()} == wanted
    assert not any(each.label == f"{N} × licence" for each in licensed.check().decisions)
    press(settled(at.run()), "undo")
    assert not licensed.rules.dismissals()
    assert set(of_licence(licensed).finding_ids) == wanted


def test_keeping_a_class_reviews_every_relationship_and_undo_takes_both_back(
    licensed: Docgraph, open_page: Open
) -> None:
    at = save(press(at_licence(licensed, open_page), "accept"))
    reviewed = [e for e in licensed.relationships.list() if "review" in e.relationship_metadata]
    assert len(reviewed) == len(licensed.rules.dismissals()) == N
    press(at, "undo")
    assert not licensed.rules.dismissals()
    assert not any("review" in e.relationship_metadata for e in licensed.relationships.list())


def test_a_retype_of_a_class_removes_where_the_result_is_there_already(licensed: Docgraph, open_page: Open) -> None:
    licensed.relationships.edit([Edit(action="add", key=("note-3", "explains", "licence"))], by="Bob")
    licensed.rules.dismiss(
        [f for f in licensed.check().findings if ("note-3", "explains", "licence") in f.relationships],
        by="Bob",
        reason="mine",
    )
    at = press(at_licence(licensed, open_page), "retype")
    choice = at.selectbox(key="docgraph.relationships.retype")
    save(settled(choice.select("explains").run()))
    assert to_licence(licensed) == [(f"note-{i}", "explains", "licence") for i in sorted(range(N), key=str)]


def test_examples_are_walked_through_and_the_draft_is_for_all_of_them(licensed: Docgraph, open_page: Open) -> None:
    at = press(at_licence(licensed, open_page), "remove")
    assert "Example 1 of" in page_text(at)
    settled(at.button(key="docgraph.example.previous").click().run())
    assert f"Example {N} of {N}" in page_text(at)
    settled(at.button(key="docgraph.example.next").click().run())
    assert f"Example 1 of {N}" in page_text(at)
    assert not at.button(key="docgraph.relationships.save").disabled


def test_the_address_of_a_finding_opens_its_decision_at_that_example(licensed: Docgraph, open_page: Open) -> None:
    decision = of_licence(licensed)
    at = opened(open_page, finding=decision.finding_ids[4])
    assert f"Example 5 of {N}" in page_text(at)
    assert decision.decision_id in at.query_params["finding"]


def test_the_effect_of_each_act_is_that_of_all_its_edits(licensed: Docgraph, open_page: Open) -> None:
    licensed.runs.save(RetrievalRequest(query="Note of the queue"), name="Notes")
    text = page_text(at_licence(licensed, open_page))
    assert f"For each change, for all {N}: whether the one saved question" in text
    assert "<b>0</b> of 1" in text


def test_somebody_elses_change_to_one_of_a_class_stops_the_act_and_nothing_is_written(
    licensed: Docgraph, open_page: Open
) -> None:
    at = press(at_licence(licensed, open_page), "remove")
    licensed.relationships.edit([Edit(action="accept", key=("note-5", "references", "licence"))], by="Bob")
    save(at)
    assert len(to_licence(licensed)) == N, "all or none"
    assert "Bob" in page_text(at)
    save(at)
    assert not to_licence(licensed)


def test_decisions_are_filtered_by_owner_and_mine_are_those_of_who_edits(checked: Docgraph, open_page: Open) -> None:
    note = "---\nid: note-{0}\ntitle: Note {0}\nreferences: [{2}]\nauthor: '{1}'\n---\nText {0}.\n"
    evil = HOSTILE.replace(",", "")
    named = {"errata": "Ann Lee (@ann)", "folio": "Ann Lee (@ann)", "gazette": evil}
    files = [(f"note-{i}.md", note.format(i, who, lost)) for i, (lost, who) in enumerate(named.items())]
    checked.ingest_files([(name, text.encode()) for name, text in files])
    owners = [each.owners for each in checked.check().decisions if each.check_id == "missing_endpoint"]
    assert sorted(owners) == sorted([(), ("Ann Lee (@ann)",), ("Ann Lee (@ann)",), (evil,)])
    at = opened(open_page, check="missing_endpoint", owner="Ann Lee (@ann)")
    assert "all 2 shown" in page_text(at)
    assert len(at.selectbox(key="docgraph.relationships.owner").options) == 3
    at = opened(open_page, by="ann lee", check="missing_endpoint", show="mine")
    assert "all 2 shown" in page_text(at)
    at = opened(open_page, check="missing_endpoint", owner=evil)
    assert "1 shown" in page_text(at)
    assert "<script>" not in page_text(at)
