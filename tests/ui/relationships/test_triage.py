"""Decisions on the Relationships page that somebody takes on: the row says so, the filters follow, and it is undone."""

from __future__ import annotations

from datetime import date

from streamlit.testing.v1 import AppTest

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


def selecting(checked: Docgraph, open_page: Open) -> AppTest:
    """The page with *Select* pressed, and the first row selected."""
    at = opened(open_page, by="Ann")
    at = settled(at.button(key="docgraph.relationships.select").click().run())
    assert "0 of " in page_text(at)
    for decision in checked.check().decisions[:1]:
        at = settled(at.button(key=f"docgraph.finding.pick.{decision.decision_id}").click().run())
    return at


def test_several_decisions_are_given_to_somebody_at_once_and_undone_as_one(checked: Docgraph, open_page: Open) -> None:
    at = selecting(checked, open_page)
    n = len(checked.check().decisions)
    assert f"1 of {n} selected" in page_text(at)
    at = settled(at.button(key="docgraph.relationships.several.all").click().run())
    at.text_area(key="docgraph.relationships.several.comment").input("by Friday, please")
    at.selectbox(key="docgraph.relationships.several.who").set_value("Ann")
    at = settled(at.button(key="docgraph.relationships.several.store").click().run())
    triages = [decision.triage for decision in checked.check().decisions]
    assert [each.assignee for each in triages] == ["Ann"] * n
    assert [len(each.comments) for each in triages] == [1] * n
    assert f"Undo: {n} items: assigned to Ann, commented" in {each.label.replace("\\", "") for each in at.button}
    press(at, "undo")
    assert checked.triage.list() == ()


def test_all_that_a_filter_leaves_are_selected_and_nothing_is_said_without_words(
    checked: Docgraph, open_page: Open
) -> None:
    at = selecting(checked, open_page)
    n = len(checked.check().decisions)
    at = settled(at.button(key="docgraph.relationships.several.all").click().run())
    assert f"{n} of {n} selected" in page_text(at)
    at = settled(at.button(key="docgraph.relationships.several.store").click().run())
    assert "There is nothing to save" in page_text(at)
    assert checked.triage.list() == ()
    at = settled(at.button(key="docgraph.relationships.select").click().run())
    assert " selected" not in page_text(at)


def test_nothing_is_selected_while_editing_is_off(checked: Docgraph, open_page: Open) -> None:
    assert len(checked.check().decisions) > 1
    keys = {str(each.key) for each in opened(open_page, by="").button}
    assert "docgraph.relationships.select" not in keys
