"""The result of executing an uploaded plan, as HTML."""

from __future__ import annotations

from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan
from docgraph.ui.frame import escape, layout
from docgraph.views.words import counts


def executed(plan: RetrievalPlan, context: RetrievedContext) -> str:
    """One counted sentence and a table of documents with their chunks."""
    seeds = set(plan.seed_document_ids)
    rows = "".join(
        f"<tr><td>{layout.glyph('seed' if d.document.document_id in seeds else 'added')}"
        f"<span>{escape.html(d.document.title or d.document.document_id)}</span></td>"
        f"<td>{len(d.chunks)} of {d.document.n_chunks:,}</td>"
        f"<td>{counts.score(d.chunks[0].score if d.chunks else None)}</td></tr>"
        for d in context.documents
    )
    return (
        f'<p class="pl-inline" role="status">{layout.glyph("check")}<span>Executed plan '
        f"<code>{plan.plan_id[:12]}</code>: "
        f"{counts.plural(len(context.documents), 'document')}, {context.n_chunks:,} of {context.n_eligible_chunks:,} "
        f"passages.</span></p>"
        f'<p class="pl-facts">Question: {escape.html(plan.query)}</p>'
        f'<table class="pl-shares"><thead><tr><th>Document</th><th>Passages</th><th>Best</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
