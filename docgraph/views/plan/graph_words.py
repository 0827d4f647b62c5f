"""The words around the plan graph: heads of the lanes, notes under the question, how much is shown."""

from __future__ import annotations

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import Run
from docgraph.views.plan.cuts import seed_block
from docgraph.views.words import counts as wording

SCALE = "best chunk"
"""What the bars show: the similarity of a document's best chunk to the question."""


def lane_heads(run: Run) -> list[dict[str, str]]:
    """Title and count of each lane, from left to right."""
    plan = run.plan
    seeds, expanded = len(plan.seed_documents), len(plan.expanded_documents)
    over = next((t.total for t in plan.cut_totals if t.limit == "max_expanded"), expanded)
    own = "by vectors and words" if plan.constraints.seed_signal == "hybrid" else "by similarity"
    note = own if plan.constraints.evidence_rule != "similarity" or expanded else "as in MS3"
    block = seed_block(plan, max_rows=None)
    ranked = f"{seeds} of {block.n_all} ranked" if block else str(seeds)
    out = f"{expanded} of {over}, 1 hop, outgoing" if expanded or over else "1 hop, outgoing"
    return [
        {"role": "query", "title": "Query", "note": "", "scale": ""},
        {"role": "seed", "title": "Seeds", "note": f"{ranked}, {note}", "scale": SCALE},
        {
            "role": "expanded",
            "title": "Expanded",
            "note": out if plan.constraints.use_relationships else "switched off",
            "scale": SCALE,
        },
    ]


def query_notes(run: Run) -> list[str]:
    """What stands under the question: signal, chunks read, scope."""
    limits, context = run.plan.constraints, run.context
    scope = run.plan.scope
    notes = [f"ranked by {limits.seed_signal}", f"{context.n_chunks} of {context.n_eligible_chunks:,} chunks read"]
    if scope.value:
        notes.append(f"scope {scope.value}: {scope.n_inside} of {scope.n_candidates}")
    return notes


def shown_sentence(plan: RetrievalPlan, n_documents: int, n_edges: int, *, n_leaving: int = 0) -> str:
    """How much of the plan is drawn: ``5 documents, 4 edges, 1 leaving, all shown``."""
    documents, edges = len(plan.document_ids), sum(len(d.reasons) for d in plan.expanded_documents)
    leaving = f", {n_leaving} leaving" if n_leaving else ""
    if n_documents == documents and n_edges == edges:
        return f"{wording.plural(documents, 'document')}, {wording.plural(edges, 'edge')}{leaving}, all shown"
    of_edges = f" and {n_edges} of {edges} edges" if n_edges != edges else ""
    return f"showing {n_documents} of {documents} documents{of_edges}{leaving}"
