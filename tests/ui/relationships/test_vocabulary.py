"""Vocabulary: rows with their numbers, types switched for plans, a merge that is previewed, saved and taken back."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.vocabulary import DirectionUse, TypeUse
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.relationships.vocabulary.section import row_key
from docgraph.views.relationships.vocabulary import directions, merge_preview
from tests.ui.conftest import Open, edit_as, page_text, press

HOSTILE = "![x](https://evil.example/p.png) <script>alert(1)</script> :red[x]"
IDS = ("adr-1", "queue", "glossary")


@pytest.fixture
def several(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    """Six ``explains`` and two ``explain``, one of them beside one of the six; with the checks of the product."""
    checks = tuple(plugins.build("checks", name) for name in plugins.available("checks"))
    monkeypatch.setattr(harbor.session, "adapters", replace(harbor.session.adapters, checks=checks))
    for a, b in [*combinations(IDS, 2), *combinations(reversed(IDS), 2)]:
        if (a, b) != ("adr-1", "queue"):
            harbor.relationships.add(Relationship(from_document_id=a, relation_type="explains", to_document_id=b))
    for end in ("queue", "gone"):
        harbor.relationships.add(Relationship(from_document_id="adr-1", relation_type="explain", to_document_id=end))
    return harbor


def edges(docgraph: Docgraph) -> list[tuple[str, str, str]]:
    return sorted(edge.key for edge in docgraph.relationships.list())


def test_each_type_is_a_row_whose_numbers_lead_to_its_relationships(several: Docgraph, open_page: Open) -> None:
    several.runs.save(RetrievalRequest(query="Why is the queue full?"), name="Queue")
    at = open_page("relationships", tab="vocabulary")
    text = page_text(at)
    ways = {link.proto.query_string: link.proto.label for link in at.get("page_link")}
    for part in ("3 types on 9 relationships; counted over 1 saved question", "<b>references</b>", "of 1</p>"):
        assert part in text, part
    assert ways["tab=all&type=explains&workspace=harbor"] == "6"
    assert ways["tab=all&type=explains&reviewed=yes&workspace=harbor"].endswith("of 6")
    assert ways["tab=all&type=references&dangling=true&workspace=harbor"] == "1 without a target"


def test_a_type_is_switched_off_for_plans_only_while_editing_is_on(several: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="vocabulary")
    key = f"docgraph.types.role.{row_key('explains')}"
    assert at.selectbox(key=f"{key}.adds_documents.default").disabled
    edit_as(at).selectbox(key=f"{key}.adds_documents.default").set_value("off").run()
    assert several.workspace.off_relation_types == ("explains",)
    assert "decided by Ann" in page_text(at)
    at.selectbox(key=f"{key}.off.person").set_value("default").run()
    assert several.workspace.off_relation_types == ()
    assert "decided by" not in page_text(at)


def test_a_merge_is_previewed_with_collisions_saved_as_one_act_and_undone_as_one(
    several: Docgraph, open_page: Open
) -> None:
    before = edges(several)
    at = edit_as(open_page("relationships", tab="vocabulary"))
    press(at, f"docgraph.vocabulary.merge.{row_key('explain')}.0")
    text = page_text(at)
    assert "1 relationship changes to explains; 1 is removed because it already exists as explains." in text
    assert "No saved questions yet" in text
    assert edges(several) == before, "a preview writes nothing"
    press(at, "docgraph.vocabulary.save")
    assert "explain" not in several.relationships.types()
    assert len({entry.act for entry in several.relationships.history()[:2]}) == 1
    assert {entry.reason for entry in several.relationships.history()[:2]} == {"merged explain into explains"}
    press(at, "docgraph.vocabulary.undo")
    assert edges(several) == before
    assert "docgraph.vocabulary.undo" not in {button.key for button in at.button}


def test_without_editing_a_merge_is_only_looked_at(several: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="vocabulary")
    press(at, f"docgraph.vocabulary.merge.{row_key('explain')}.0")
    assert at.button(key="docgraph.vocabulary.save").disabled
    press(at, "docgraph.vocabulary.close")
    assert "a draft: nothing is written" not in page_text(at)


def test_a_merge_is_refused_when_somebody_changed_one_of_them_meanwhile(several: Docgraph, open_page: Open) -> None:
    at = edit_as(open_page("relationships", tab="vocabulary"))
    press(at, f"docgraph.vocabulary.merge.{row_key('explain')}.0")
    several.relationships.remove(("adr-1", "explain", "gone"), by="Ben", reason="no such text")
    press(at, "docgraph.vocabulary.save")
    assert "Ben" in page_text(at)
    assert ("adr-1", "explain", "queue") in edges(several)


def test_hostile_types_are_shown_as_text(harbor: Docgraph, open_page: Open) -> None:
    harbor.relationships.add(Relationship(from_document_id="adr-1", relation_type=HOSTILE, to_document_id="queue"))
    at = edit_as(open_page("relationships", tab="vocabulary"))
    press(at, "docgraph.vocabulary.merge")
    assert "<script>" not in page_text(at)
    assert "&lt;script&gt;alert(1)" in page_text(at)
    labels = [each.proto.help for each in at.get("page_link")] + [box.label for box in at.selectbox]
    assert not [label for label in labels if "![x](https" in label or ":red[" in label]


def test_a_workspace_without_relationships_says_so(docgraph: Docgraph, open_page: Open) -> None:
    docgraph.ingest_files([("a.md", b"---\nid: a\ntitle: A\n---\nNothing.\n")])
    assert "No relationship types" in page_text(open_page("relationships", tab="vocabulary"))


def test_the_few_against_the_many_stand_beside_them() -> None:
    use = TypeUse(
        relation_type="explains",
        n=10,
        directions=(
            DirectionUse(from_doc_type="adr", to_doc_type="design", n=9, n_back=1),
            DirectionUse(from_doc_type="design", to_doc_type="adr", n=1, n_back=9, is_minority=True),
            DirectionUse(from_doc_type="adr", to_doc_type="", n=2),
        ),
    )
    assert [row.text for row in directions(use)] == [
        "adr → design 9, design → adr 1, the exception",
        "adr → untyped 2",
    ]


def test_a_merge_of_nothing_says_so() -> None:
    assert merge_preview((), "x").sentence == "Every relationship already has the type x. There is nothing to merge."
