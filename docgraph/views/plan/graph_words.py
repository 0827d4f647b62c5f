"""The words around the plan graph: heads of the lanes, notes under the question, how much is shown."""

from __future__ import annotations

from docgraph.domain.plan import DominantScope, RetrievalPlan
from docgraph.domain.run import Run
from docgraph.views.plan.cuts import seed_block
from docgraph.views.words import counts as wording

_SIGNALS = {
    "hybrid": "vectors and words",
    "mean": "best passage and summary",
    "chunk": "best passage",
    "summary": "summary",
}
SCALE = "best passage"
"""What the bars show: the similarity of a document's best chunk to the question."""


def lane_heads(run: Run) -> list[dict[str, str]]:
    """Title and count of each lane, from left to right."""
    plan = run.plan
    seeds, expanded = len(plan.seed_documents), len(plan.expanded_documents)
    over = next((t.total for t in plan.cut_totals if t.limit == "max_expanded"), expanded)
    note = "by vectors and words" if plan.constraints.seed_signal == "hybrid" else "by similarity"
    block = seed_block(plan, max_rows=None)
    ranked = f"{seeds} of {block.n_all}" if block else str(seeds)
    out = f"{expanded} of {over}, 1 hop, outgoing" if expanded or over else "1 hop, outgoing"
    return [
        {"role": "query", "title": "Question", "note": "", "scale": ""},
        {"role": "seed", "title": "Matches", "note": f"{ranked}, {note}", "scale": SCALE},
        {
            "role": "expanded",
            "title": "Related",
            "note": out if plan.constraints.use_relationships else "switched off",
            "scale": SCALE,
        },
    ]


def query_notes(run: Run) -> list[str]:
    """What stands under the question: how documents were ranked, chunks read, what the first of them have in common."""
    limits, context = run.plan.constraints, run.context
    scope = run.plan.scope
    notes = [
        f"ranked by {_SIGNALS.get(limits.seed_signal, limits.seed_signal)}",
        f"{context.n_chunks} of {context.n_eligible_chunks:,} passages used",
    ]
    if scope.value:
        notes.append(scope_words(scope))
    return notes


def scope_words(scope: DominantScope) -> str:
    """What the best documents share: ``5 of the top 6 are of type design``, or a clear lead of the first ones."""
    n, total = scope.n_inside, scope.n_candidates
    if scope.field == "cluster":
        return f"clear lead: the top {n} of {total} score{'s' if n == 1 else ''} well above the rest"
    shared = "of type" if scope.field == "doc_type" else "from import"
    return f"{n} of the top {total} {'is' if n == 1 else 'are'} {shared} {scope.value}"


def shown_sentence(plan: RetrievalPlan, n_documents: int, n_edges: int, *, n_leaving: int = 0) -> str:
    """How much of the plan is drawn: ``5 documents, 4 relationships, 1 removed, all shown``."""
    documents, edges = len(plan.document_ids), sum(len(d.reasons) for d in plan.expanded_documents)
    leaving = f", {n_leaving} removed" if n_leaving else ""
    if n_documents == documents and n_edges == edges:
        return f"{wording.plural(documents, 'document')}, {wording.plural(edges, 'relationship')}{leaving}, all shown"
    of_edges = f" and {n_edges} of {edges} relationships" if n_edges != edges else ""
    return f"showing {n_documents} of {documents} documents{of_edges}{leaving}"
