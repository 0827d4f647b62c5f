"""Edits that give a type another role by default: what is foreseen is what happens, also far from the edit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.corpora import corpus
from tests.unit.curation.test_impact_truth import workspace

REMOVE = Edit(action="remove", key=("far", "requires", "away"))
QUEUE = RetrievalRequest(query="queue", max_documents=2, max_expanding_seeds=1, seed_signal="mean")


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    """Links beside one declared relationship, which no saved question comes near."""
    given = corpus(
        ("a", ["queue queue"], []),
        ("b", ["slot payment"], []),
        ("c", ["queue hold alarm budget"], []),
        ("far", ["sailing route"], [("requires", "away")]),
        ("away", ["budget"], []),
    )
    with workspace(given) as docgraph:
        said = {"extractor": "markdown_links", "place": "body"}
        link = Relationship(
            from_document_id="a", relation_type="links_to", to_document_id="b", relationship_metadata=said
        )
        docgraph.session.store().put_ingested([link])
        docgraph.session.store().decide_types(())
        docgraph.runs.save(QUEUE, name="Queue")
        yield docgraph


def test_removing_the_last_declared_relationship_changes_the_plans_that_links_reach(dg: Docgraph) -> None:
    assert dg.plan(QUEUE).document_ids == ("a", "c")
    report = dg.relationships.impact([REMOVE])
    [question] = report.questions
    assert [[d.document_id for d in part.documents] for part in (question.gained, question.lost)] == [["b"], ["c"]]
    dg.relationships.edit([REMOVE], by="Ann")
    assert dg.plan(QUEUE).document_ids == ("a", "b")
    [entry] = dg.relationships.history(limit=1)
    dg.relationships.undo(entry.entry_id, by="Ann")
    assert dg.plan(QUEUE).document_ids == ("a", "c")


def test_an_edit_that_moves_no_role_changes_nothing_far_away(dg: Docgraph) -> None:
    add = Edit(action="add", key=("away", "requires", "far"))
    assert dg.relationships.impact([add]).n_changed_plans == 0
