"""A finding about a relationship that somebody removed and an import states again: follow it, or keep the decision."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.ui.conftest import Open, page_text
from tests.ui.relationships.test_page import EXPLAINS, keys, opened, press, reason, save

AGAIN = "---\nid: adr-1\ntitle: Bounded queue\ntype: decision\nexplains: [{}]\n---\n# Bounded queue\n\nAnother text.\n"


@pytest.fixture
def contested(checked: Docgraph) -> Docgraph:
    """Ann removed a relationship, and the import of a changed document states it again."""
    checked.runs.save(RetrievalRequest(query="Bounded queue decision"), name="The queue")
    checked.relationships.edit([Edit(action="remove", key=EXPLAINS)], by="Ann", reason="not so")
    checked.ingest_files([("adr-1.md", AGAIN.format("queue").encode())])
    assert [each.kind for each in checked.rules.contested()] == ["stated"]
    assert EXPLAINS not in keys(checked)
    return checked


def finding_page(contested: Docgraph, open_page: Open) -> AppTest:
    (finding,) = [each for each in contested.check().queue if each.check_id == "import_conflict"]
    return opened(open_page, by="Ben", finding=finding.finding_id)


def test_both_texts_the_history_and_the_effect_of_adding_it_again_are_shown(
    contested: Docgraph, open_page: Open
) -> None:
    at = finding_page(contested, open_page)
    text = page_text(at)
    assert "somebody removed it, and an import states it" in text
    assert "Another text." in text
    assert "Bookings wait here" in text
    assert "removed Bounded queue —explains→ Booking queue" in text
    assert "Add explains from A to B" in at.button(key="docgraph.act.retype").label.replace("\\", "")
    assert "<q>not so</q>" in text
    drawn = {button.key for button in at.button}
    for action in ("accept", "remove"):
        assert f"docgraph.act.{action}" not in drawn


def test_following_the_import_adds_it_again_and_settles_the_finding(contested: Docgraph, open_page: Open) -> None:
    at = press(finding_page(contested, open_page), "retype")
    assert at.selectbox(key="docgraph.relationships.retype").value == "explains"
    save(reason(at, "the document is right"))
    assert EXPLAINS in keys(contested)
    assert contested.relationships.history()[0].edit.action == "add"
    assert not contested.rules.contested()
    assert "import_conflict" not in {each.check_id for each in contested.check().queue}


def test_keeping_the_decision_is_to_ignore_it_for_a_reason(contested: Docgraph, open_page: Open) -> None:
    save(reason(press(finding_page(contested, open_page), "ignore"), "the document is to be corrected"))
    assert EXPLAINS not in keys(contested)
    assert [each.source for each in contested.rules.dismissals()] == ["import_conflict"]
    assert "import_conflict" not in {each.check_id for each in contested.check().queue}


def test_a_target_that_is_not_stored_any_more_leaves_what_can_be_done(contested: Docgraph, open_page: Open) -> None:
    contested.documents.delete(["queue"])
    at = finding_page(contested, open_page)
    assert "No document has this id" in page_text(at)
    assert not at.button(key="docgraph.act.ignore").disabled
