"""What a plan left out, as lists that stand inside the graph's lanes: who, by which limit, n of m."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docgraph.domain.plan import CutDocument, CutTotal, RetrievalPlan
from docgraph.views.words import counts

_EXPANDED_LANE = ("max_expanded", "max_fan_out", "max_linked_percent", "missing_document", "reasons_only")


@dataclass(frozen=True)
class CutRow:
    """One document that stayed out; ``back`` = it is no seed, but a relationship adds it."""

    document_id: str
    title: str
    lead: str = ""
    tail: str = ""
    back: bool = False


@dataclass(frozen=True)
class CutBlock:
    """One limit's list: ``head`` counts everybody ("14 of 16 left out (limit: 2)"), ``rows`` may end in ``more``.

    ``n_all`` counts those who were kept as well. ``fix`` = request fields that let the next document in, and
    ``fix_label`` says so ("Raise limit to 7").
    """

    key: str
    lane: int
    head: str
    rows: tuple[CutRow, ...]
    more: int = 0
    foot: str = ""
    n_all: int = 0
    fix: Mapping[str, Any] | None = None
    fix_label: str = ""


def seed_block(plan: RetrievalPlan, *, max_rows: int | None) -> CutBlock | None:
    """The candidates that were not taken as seeds, by rank; ``None`` when nobody was ranked beyond the seeds."""
    total = next((t for t in plan.cut_totals if t.limit == "max_seeds"), None)
    if total is None:
        return None
    cut = [c for c in plan.cut if c.limit == "max_seeds"]
    last = max((c.rank or 0 for c in cut), default=0)
    back = [e for e in plan.expanded_documents if e.rank is not None and e.rank <= last]
    # Under other signals the score is no similarity of a chunk: the rank alone says where a document stands.
    scores = plan.constraints.seed_signal == "chunk"
    tail = {c.document_id: counts.score(c.score) if scores else "" for c in cut}
    tail |= {e.document_id: counts.score(e.score) if scores else "" for e in back}
    rows = [(c.rank or 0, CutRow(c.document_id, c.title, str(c.rank or ""), tail[c.document_id])) for c in cut]
    rows += [(e.rank or 0, CutRow(e.document_id, e.title, str(e.rank), tail[e.document_id], back=True)) for e in back]
    rows.sort(key=lambda pair: (pair[0], pair[1].document_id))
    n_cut, n_all = total.total - total.kept + len(back), total.total + len(back)
    foot = f"{len(back)} of these {n_cut} {'returns' if len(back) == 1 else 'return'} as related" if back else ""
    shown = rows if max_rows is None else rows[:max_rows]
    return CutBlock(
        key="max_seeds",
        lane=1,
        head=f"{n_cut:,} of {n_all:,} {counts.left_out('max_seeds', total.value, bare=True)}",
        rows=tuple(row for _, row in shown),
        more=len(rows) - len(shown),
        foot=foot,
        n_all=n_all,
    )


def filter_block(plan: RetrievalPlan, *, max_rows: int | None) -> CutBlock | None:
    """How many documents do not meet the filter on seeds, with those that the question names; None without one."""
    where = plan.constraints.where
    total = next((t for t in plan.cut_totals if t.limit == "where"), None)
    if where is None or not where.of_seeds or total is None:
        return None
    named = [c for c in plan.cut if c.limit == "where" and not c.reasons]
    shown = named if max_rows is None else named[: max(max_rows, 0)]
    return CutBlock(
        key="where",
        lane=1,
        head=f"{total.total - total.kept:,} of {total.total:,} {counts.left_out(total.limit, total.value)}",
        rows=tuple(CutRow(c.document_id, c.title, tail="named") for c in shown),
        more=len(named) - len(shown),
        foot=where.words,
        n_all=total.total,
    )


def _filtered_block(plan: RetrievalPlan, *, max_rows: int | None) -> CutBlock | None:
    """The related documents that do not meet the filter."""
    cut = [c for c in plan.cut if c.limit == "where" and c.reasons]
    if not cut or plan.constraints.where is None:
        return None
    shown = cut if max_rows is None else cut[:max_rows]
    return CutBlock(
        key="where.related",
        lane=2,
        head=f"{counts.plural(len(cut), 'related document')} {counts.left_out('where', 0)}",
        rows=tuple(_row(c) for c in shown),
        more=len(cut) - len(shown),
        foot=plan.constraints.where.words,
    )


def expanded_blocks(plan: RetrievalPlan, *, max_rows: int | None) -> tuple[CutBlock, ...]:
    """The related documents that stayed out, one block a limit, each in the order they would have come in."""
    blocks = []
    for total in plan.cut_totals:
        if total.limit not in _EXPANDED_LANE:
            continue
        cut = [c for c in plan.cut if c.limit == total.limit and _is_of(c, total)]
        # Boilerplate is always named: one glance at "linked by 551 of 949" tells whether the limit is right.
        most = max(max_rows or 0, 3) if total.limit == "max_linked_percent" else max_rows
        shown = cut if max_rows is None else cut[:most]
        fix, label = _fix(plan, cut[0]) if cut else (None, "")
        blocks.append(
            CutBlock(
                key=total.limit if total.relation_type is None else f"{total.limit}.{total.relation_type}",
                lane=2,
                head=_head(total),
                rows=tuple(_row(c) for c in shown),
                more=len(cut) - len(shown),
                foot=total.decided,
                fix=fix,
                fix_label=label,
            )
        )
    filtered = _filtered_block(plan, max_rows=max_rows)
    return tuple([*blocks, filtered] if filtered else blocks)


def _is_of(cut: CutDocument, total: CutTotal) -> bool:
    """Whether a document is one of those that a total counts: of a type, those that it leads to."""
    return total.relation_type is None or any(reason.via == total.relation_type for reason in cut.reasons)


def _head(total: CutTotal) -> str:
    if total.relation_type is not None:
        n = total.total - total.kept
        return f"{n:,} not added: {total.relation_type} only gives reasons"
    return f"{total.total - total.kept:,} of {total.total:,} {_limit(total)}"


def _limit(total: CutTotal) -> str:
    if total.limit == "max_linked_percent":
        return f"linked from over {total.value} % of all"
    return counts.left_out(total.limit, total.value, bare=True)


def _row(cut: CutDocument) -> CutRow:
    tail = f"position {cut.place:,}" if cut.place else ""
    if cut.linked_by is not None:
        tail = f"linked from {cut.linked_by:,} of {cut.n_documents:,}"
    if cut.limit == "missing_document":
        tail = f"via {cut.reasons[0].via}" if cut.reasons else ""
    return CutRow(cut.document_id, cut.title or cut.document_id, "", tail)


def _fix(plan: RetrievalPlan, cut: CutDocument) -> tuple[Mapping[str, Any] | None, str]:
    limits = plan.constraints
    if cut.limit == "max_expanded" and limits.max_documents < 100:
        n = limits.max_documents
        related = {} if limits.preset == "literal" else {"max_expanded": limits.max_expanded + 1}
        return {"max_documents": n + 1, **related}, f"Raise limit to {n + 1}"
    if cut.limit == "max_fan_out" and limits.max_fan_out < 100:
        n = limits.max_fan_out
        return {"max_fan_out": n + 1}, f"Raise limit to {n + 1}"
    if cut.limit == "max_linked_percent":
        return {"max_linked_percent": 100}, "Remove limit"
    if cut.limit == "reasons_only" and limits.relation_types is not None:
        silent = {reason.via for reason in cut.reasons}
        adding = (n for n in limits.relation_types if n not in limits.reasons_only_types or n in silent)
        return {"relation_types": sorted(adding)}, "Include them"
    return None, ""
