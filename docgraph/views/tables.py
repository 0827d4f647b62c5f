"""The plan graph as tables: the same documents, edges and cuts, for keyboards, screen readers and copying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docgraph.domain.run import Run
from docgraph.views import wording
from docgraph.views.plan_graph import edge_id, node_id
from docgraph.views.planned import planned, titles
from docgraph.views.routes import Edge

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows in plan order; ``ids`` names what each row selects (``None``: nothing in the graph)."""

    rows: tuple[Row, ...]
    ids: tuple[str | None, ...]

    def index_of(self, selected: str | None) -> int | None:
        """The row that shows the selection."""
        return self.ids.index(selected) if selected is not None and selected in self.ids else None


def document_table(run: Run) -> Table:
    """One row a planned document: place, role, title, score, chunks, tokens, reasons."""
    plan = run.plan
    shares = {d.document_id: d for d in run.assembled.documents}
    found = {d.document.document_id: d for d in run.context.documents}
    names = titles(plan)
    rows: list[Row] = []
    ids: list[str | None] = []
    for document in planned(plan):
        i = document.document_id
        share, context = shares.get(i), found.get(i)
        reasons = [f"{r.via} from {names.get(r.from_document_id, r.from_document_id)}" for r in document.reasons]
        rows.append(
            {
                "place": document.place,
                "role": "● seed" if i in plan.seed_document_ids else "+ expanded",
                "document": document.title or i,
                "score": document.score,
                "rank": document.rank,
                "chunks": len(context.chunks) if context else 0,
                "of chunks": context.document.n_chunks if context else 0,
                "tokens": share.conceptual_tokens + share.evidence_tokens if share else 0,
                "reasons": "; ".join(reasons),
                "document_id": i,
            }
        )
        ids.append(node_id(i))
    return Table(tuple(rows), tuple(ids))


def edge_table(run: Run) -> Table:
    """One row an edge, by target in plan order."""
    plan = run.plan
    names = titles(plan)
    seeds = set(plan.seed_document_ids)
    edges: tuple[Edge, ...] = plan.edges
    rows = tuple(
        {
            "from": names.get(edge[0], edge[0]),
            "type": edge[1],
            "to": names.get(edge[2], edge[2]),
            "effect": "between seeds" if edge[2] in seeds else "brings it in",
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
            "limit": wording.limit(cut.limit, cut.value),
            "would be": wording.ordinal(cut.place) if cut.place else wording.UNKNOWN,
            "rank": cut.rank,
            "score": cut.score,
            "reasons": "; ".join(f"{r.via} from {names.get(r.from_document_id)}" for r in cut.reasons),
            "document_id": cut.document_id,
        }
        for cut in run.plan.cut
    )
    return Table(rows, tuple(None for _ in rows))


def trace_table(run: Run) -> Table:
    """One row a step: milliseconds, statements, inputs and outputs in one line each."""
    rows = tuple(
        {
            "step": step.name,
            "time": step.milliseconds,
            "statements": len(step.statements),
            "in": _one_line(step.inputs),
            "out": _one_line(step.outputs),
        }
        for step in run.trace
    )
    return Table(rows, tuple(None for _ in rows))


def _one_line(values: dict[str, Any]) -> str:
    shown = (f"{name} {_short(value)}" for name, value in values.items() if value not in (None, (), [], ""))
    return ", ".join(shown)


def _short(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{len(value)}]"
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"
