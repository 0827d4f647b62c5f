"""The plan graph as tables: the same documents, edges and cuts, for keyboards, screen readers and copying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docgraph.domain.comparison import Comparison
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Edge, edge_id, node_id
from docgraph.views.plan.documents import best_chunk, planned, titles
from docgraph.views.plan.selection import gone_edges
from docgraph.views.words import counts
from docgraph.views.words.changes import departure_text
from docgraph.views.words.sections import reason_words

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows in plan order; ``ids`` names what each row selects (``None``: nothing in the graph)."""

    rows: tuple[Row, ...]
    ids: tuple[str | None, ...]

    def index_of(self, selected: str | None) -> int | None:
        """The row that shows the selection."""
        return self.ids.index(selected) if selected is not None and selected in self.ids else None


def document_table(run: Run, draft: Comparison | None = None) -> Table:
    """One row a planned document: place, role, title, best passage, passages, tokens, reasons.

    With ``draft`` (its base as A, ``run`` as B) a column says what changes, and those that leave stand at the end.
    """
    plan = run.plan
    shares = {d.document_id: d for d in run.assembled.documents}
    found = {d.document.document_id: d for d in run.context.documents}
    names = titles(plan)
    rows: list[Row] = []
    ids: list[str | None] = []
    for document in planned(plan):
        i = document.document_id
        share, context = shares.get(i), found.get(i)
        reasons = [reason_words(r, names) for r in document.reasons]
        rows.append(
            {
                "position": document.place,
                "role": "● match" if i in plan.seed_document_ids else "+ related",
                "document": document.title or i,
                "document_id": i,
                "score": best_chunk(run, i),
                "rank": document.rank,
                "passages": len(context.chunks) if context else 0,
                "of passages": context.document.n_chunks if context else 0,
                "tokens": share.conceptual_tokens + share.evidence_tokens if share else 0,
                "reasons": "; ".join(reasons),
            }
        )
        ids.append(node_id(i))
    if draft is not None:
        added = {d.document_id for d in draft.documents_with("added")}
        rows = [{"change": "+ added" if row["document_id"] in added else "unchanged", **row} for row in rows]
        rows += [_leaving_row(draft, d.document_id) for d in draft.documents_with("left")]
        ids += [node_id(d.document_id) for d in draft.documents_with("left")]
    return Table(tuple(rows), tuple(ids))


def _leaving_row(draft: Comparison, document_id: str) -> Row:
    """The base's row of a document that leaves: without a place, its tokens gone, and why."""
    base = document_table(draft.a.run)
    row = next(row for row in base.rows if row["document_id"] == document_id)
    change = next(d for d in draft.documents if d.document_id == document_id)
    why = departure_text(change.left_because) if change.left_because else "removed"
    return {"change": "− removed", **row, "position": None, "passages": 0, "tokens": 0, "reasons": why}


def edge_table(run: Run, draft: Comparison | None = None) -> Table:
    """One row an edge, by target in plan order; with ``draft`` those of the base that it does not follow at the end."""
    plan = run.plan
    names = titles(plan) if draft is None else titles(draft.a.run.plan) | titles(plan)
    seeds = set(plan.seed_document_ids)
    gone: tuple[Edge, ...] = gone_edges(draft) if draft else ()
    edges: tuple[Edge, ...] = (*plan.edges, *gone)
    rows = tuple(
        {
            "from": names.get(edge[0], edge[0]),
            "type": edge[1],
            "to": names.get(edge[2], edge[2]),
            "effect": "not followed" if edge in gone else "between matches" if edge[2] in seeds else "adds it",
        }
        for edge in edges
    )
    return Table(rows, tuple(edge_id(edge) for edge in edges))


def cut_table(run: Run) -> Table:
    """One row a document that stayed out, with the limit that cut it."""
    names = titles(run.plan)
    rows = tuple(
        {
            "document": cut.title or cut.document_id,
            "limit": counts.left_out(cut.limit, cut.value),
            "position": cut.place,
            "rank": cut.rank,
            "score": cut.score if run.plan.constraints.seed_signal == "chunk" else None,
            "reasons": "; ".join(reason_words(r, names) for r in cut.reasons),
            "document_id": cut.document_id,
        }
        for cut in run.plan.cut
    )
    return Table(rows, tuple(None for _ in rows))
