"""``Docgraph.triage`` over the reference store: who has a decision, until when, and what was said of it."""

from __future__ import annotations

import pytest

from docgraph.domain.finding import Decision
from docgraph.domain.graph import Document
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.orchestration.relationships.test_rules import dg, stated

__all__ = ["dg"]


def open_one(dg: Docgraph) -> Decision:
    [decision] = dg.check({}).decisions
    return decision


def test_a_report_says_who_has_a_decision_until_when_and_what_was_said(dg: Docgraph) -> None:
    before, revision = open_one(dg), dg.workspace.state
    [given] = dg.triage.assign([before], "  Ann \n Lee ", by="Ben")
    dg.triage.due([before], "2026-11-30", by="Ben")
    dg.triage.comment([before], "On its way.\nSee the list.", by="Eve")
    triage = open_one(dg).triage
    assert (triage.assignee, triage.due) == ("Ann Lee", "2026-11-30")
    assert [(each.text, each.by) for each in triage.comments] == [("On its way.\nSee the list.", "Eve")]
    assert (given.label, given.check_id, given.finding_ids) == (before.label, before.check_id, before.finding_ids)
    assert given.at.startswith("day ")
    assert dg.triage.list() == triage.entries
    assert dg.workspace.state == revision


def test_what_is_taken_back_uncovers_what_was_said_before(dg: Docgraph) -> None:
    decision = open_one(dg)
    dg.triage.assign([decision], "Ann", by="Ben")
    [second] = dg.triage.assign([decision], "Eve", by="Ben")
    assert dg.triage.withdraw([second.entry_id, second.entry_id, 99]) == 1
    assert dg.triage.withdraw([]) == 0
    assert open_one(dg).triage.assignee == "Ann"
    [third] = dg.triage.assign([decision], "", by="Ben")
    assert third.entry_id > second.entry_id, "a number is never given twice"
    assert open_one(dg).triage.assignee == ""


def test_several_decisions_are_given_away_at_once_and_none_says_nothing(dg: Docgraph) -> None:
    dg.ingest_records([Document(document_id="c", title="c", text="c")])
    decision = open_one(dg)
    other = decision.model_copy(update={"decision_id": "another"})
    assert [each.decision_id for each in dg.triage.assign([decision, other], "Ann", by="Ben")] == [
        decision.decision_id,
        "another",
    ]
    assert dg.triage.assign([], "Ann", by="Ben") == ()


def test_it_outlives_another_text_and_the_decision_itself(dg: Docgraph) -> None:
    dg.triage.comment([open_one(dg)], "Known.", by="Ann")
    stated(dg, "another text")
    assert [each.text for each in open_one(dg).triage.comments] == ["Known."]
    dg.documents.delete(["a"])
    assert not dg.check({}).decisions
    assert len(dg.triage.list()) == 1


def test_nobody_an_empty_and_an_endless_comment_and_no_day_are_refused(dg: Docgraph) -> None:
    decision = open_one(dg)
    for refused, words in (
        (lambda: dg.triage.assign([decision], "Ann", by=" "), "no name is given"),
        (lambda: dg.triage.comment([decision], " \n ", by="Ann"), "this one is empty"),
        (lambda: dg.triage.comment([decision], "x" * 2_001, by="Ann"), "the comment has 2,001 characters"),
        (lambda: dg.triage.due([decision], "soon", by="Ann"), "'soon' is not a date"),
    ):
        with pytest.raises(UserError, match=words):
            refused()
    assert dg.triage.list() == ()
