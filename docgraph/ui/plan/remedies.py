"""One-click what-ifs of the Plan page: they change the inputs of the request, never the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.ui.plan.view import PlanView, use_request
from docgraph.views.plan.cuts import expanded_blocks
from docgraph.views.plan.draft.steps import add_seed, as_step


def use_remedy(view: PlanView, remedy: Mapping[str, Any]) -> None:
    """Set the inputs to the run's request with the remedy's fields (call it in a callback)."""
    use_request(view, as_step(view.run.request, remedy))


def use_fix(view: PlanView, block: str) -> None:
    """Apply the one-click fix of a cut list in the graph."""
    fix = next((b.fix for b in expanded_blocks(view.run.plan, max_rows=1) if b.key == block), None)
    if fix is not None:
        use_remedy(view, fix)


def promote(view: PlanView, document_id: str) -> None:
    """Make a document a seed; one that is a seed already stays what it is."""
    if document_id not in view.run.plan.seed_document_ids:
        use_request(view, add_seed(view.run.request, document_id))
