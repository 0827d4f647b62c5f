"""Decisions on the Relationships page that somebody takes on: the row says so, the filters follow, and it is undone."""

from __future__ import annotations

from datetime import date

from docgraph.domain.finding import Decision
from docgraph.orchestration.docgraph import Docgraph
from tests.ui.conftest import Open, page_text
from tests.ui.relationships.test_page import HOSTILE, opened, press, reason, save, settled


def first(dg: Docgraph) -> Decision:
    return dg.check().decisions[0]


def test_what_others_said_stands_in_the_row_and_on_the_button(checked: Docgraph, open_page: Open) -> None:
    decision = first(checked)
    checked.triage.assign([decision], HOSTILE, by="Ben")
    checked.triage.due([decision], "2001-02-03", by="Ben")
    checked.triage.comment([decision], HOSTILE, by="Ben")
    at = opened(open_page, by="Ann", finding=decision.decision_id)
    text = page_text(at)
    assert "overdue since 3 Feb 2001, 1 comment" in text
    assert HOSTILE not in text, "it is escaped"
    assert checked.check().decisions[0].triage.assignee == HOSTILE


def test_saying_it_moves_no_report_and_is_there_at_once(checked: Docgraph, open_page: Open) -> None:
    decision = first(checked)
    at = opened(open_page, by="Ann", finding=decision.decision_id)
    assert "Eve Stone" not in page_text(at)
    checked.triage.assign([decision], "Eve Stone", by="Ann")
    checked.triage.due([decision], date.max.isoformat(), by="Ann")
    assert "Eve Stone, due 31 Dec 9999" in page_text(settled(at.run()))


def test_the_count_of_decided_ones_is_there_for_the_next_session_and_follows_an_undo(
    checked: Docgraph, open_page: Open
) -> None:
    decision = first(checked)
    n = len(checked.check().decisions)
    at = press(opened(open_page, by="Ann", finding=decision.decision_id), "ignore")
    save(reason(at, "it is known"))
    assert f"<b>1 of {n}</b> decided" in page_text(settled(at.run()))
    other = opened(open_page, by="Ben")
    assert f"<b>1 of {n}</b> decided" in page_text(other), "another session counts it too"
    checked.rules.withdraw(decision.finding_ids)
    assert f"<b>0 of {n}</b> decided" in page_text(settled(other.run())), "it is open again"
    assert [each.text for each in checked.triage.list()] != []
    press(settled(at.run()), "undo")
    assert checked.triage.list() == ()
