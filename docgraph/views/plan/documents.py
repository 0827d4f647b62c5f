"""The documents of a plan as one list, seeds first, with the names a reader knows them by."""

from __future__ import annotations

from typing import TypeAlias

from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument

Planned: TypeAlias = SeedDocument | ExpandedDocument


def planned(plan: RetrievalPlan) -> tuple[Planned, ...]:
    """All documents in plan order."""
    documents: list[Planned] = [*plan.seed_documents]
    documents += plan.expanded_documents
    return tuple(documents)


def titles(plan: RetrievalPlan) -> dict[str, str]:
    """document_id → title, for every document that the plan mentions (its id where it has no title)."""
    found = {c.document_id: c.title or c.document_id for c in plan.cut}
    found |= {c.document_id: c.title or c.document_id for c in plan.consulted}
    return found | {d.document_id: d.title or d.document_id for d in planned(plan)}
