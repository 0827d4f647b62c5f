"""Relationships › Types: roles of types with who decided them."""

from __future__ import annotations

from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.relationships.vocabulary.section import row_key
from tests.ui.conftest import Open, edit_as, page_text

ROLE = f"docgraph.types.role.{row_key('explains')}.adds_documents.default"


def test_each_type_is_a_row_with_its_role_and_who_decided(harbor: Docgraph, open_page: Open) -> None:
    harbor.relationships.set_type_role("references", "reasons_only", by="Ada", reason="lists")
    at = open_page("relationships", tab="types")
    assert "decided by Ada" in page_text(at)
    assert at.selectbox(key=ROLE).value == "adds_documents"
    assert at.selectbox(key=f"docgraph.types.role.{row_key('references')}.reasons_only.person").value == "reasons_only"


def test_a_role_is_changed_by_one_click_while_editing_is_on(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="types")
    assert at.selectbox(key=ROLE).disabled
    edit_as(at).selectbox(key=ROLE).set_value("reasons_only").run()
    [decision] = [each for each in harbor.relationships.type_roles() if each.relation_type == "explains"]
    assert (decision.role, decision.by) == ("reasons_only", "person")
    assert "explains only gives reasons" in at.toast[0].value
