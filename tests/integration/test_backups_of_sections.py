"""Sections that relationships point to come back from a backup, and stand in the reasons of plans as before."""

from __future__ import annotations

import io

from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.test_backups import over, target

__all__ = ["target"]
SECTIONS = [{"anchor": "limits", "heading": "Queue > Limits ‮“ü” \\. \\N"}, {"anchor": "gone"}]


def test_sections_come_back_and_stand_in_the_reasons_of_plans(new_database_url: str, target: Docgraph) -> None:
    edge = Relationship(
        from_document_id="a", relation_type="cites", to_document_id="b", relationship_metadata={"sections": SECTIONS}
    )
    asked = {"query": "bounded", "max_documents": 2, "max_seeds": 1, "seed_document_ids": ("a",)}
    file = io.BytesIO()
    with over(new_database_url) as dg:
        texts = {name: Document(document_id=name, title=name, text="The queue is bounded.") for name in ("a", "b")}
        dg.ingest_records(list(texts.values()), [edge])
        plan = dg.plan(asked)
        dg.backups.write(file)
    file.seek(0)
    target.backups.restore(file)
    restored = target.use_workspace("w")
    (kept,) = restored.relationships.list()
    assert [each.model_dump() for each in kept.sections] == SECTIONS
    assert restored.plan(asked) == plan
    (reason,) = restored.plan(asked).expanded_documents[0].reasons
    assert reason.sections == (SECTIONS[0]["heading"],)
