"""The selected document or edge of a draft in words: why it leaves, which of its edges are off, what moves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Edge, edge_id, node_id
from docgraph.views.plan.documents import titles
from docgraph.views.plan.draft.changes import base_reasons, off_by, signed
from docgraph.views.plan.reasons import ReasonLine, reason_line
from docgraph.views.words import counts
from docgraph.views.words.changes import departure_text
from docgraph.views.words.provenance import Provenance

MAX_MOVES = 5


@dataclass(frozen=True)
class Move:
    """One line of *What changes*: a glyph's name, words, and tokens with their sign."""

    sign: Literal["left", "added", "kept"]
    text: str
    tokens: str = ""


@dataclass(frozen=True)
class LeavingDocument:
    """A document of the base that is not in the draft."""

    document_id: str
    title: str
    facts: str
    why: str
    reasons: tuple[ReasonLine, ...]
    moves: tuple[Move, ...]
    dropped: bool = False


@dataclass(frozen=True)
class LeavingEdge:
    """An edge of the base that the draft does not follow."""

    line: ReasonLine
    note: str


def leaving_ids(comparison: Comparison) -> tuple[str, ...]:
    """Ids that can be selected beside those of the draft's own plan: documents that leave, then edges that do."""
    edges = set(comparison.b.run.plan.edges)
    documents = (node_id(d.document_id) for d in comparison.documents_with("left"))
    return (*documents, *(edge_id(edge) for edge in comparison.a.run.plan.edges if edge not in edges))


def first_change(comparison: Comparison) -> str | None:
    """What a draft shows before anybody clicked: the first document that leaves, else the first that enters."""
    changes = (*comparison.documents_with("left"), *comparison.documents_with("added"))
    return node_id(changes[0].document_id) if changes else None


def gone_edges(comparison: Comparison) -> tuple[Edge, ...]:
    """The edges of the base that the draft's plan does not hold."""
    edges = set(comparison.b.run.plan.edges)
    return tuple(edge for edge in comparison.a.run.plan.edges if edge not in edges)


def leaving_document(
    comparison: Comparison, selected: str | None, provenance: Provenance, default_types: Collection[str]
) -> LeavingDocument | None:
    """The document with this node id, if it leaves."""
    change = next((d for d in comparison.documents_with("left") if node_id(d.document_id) == selected), None)
    if change is None:
        return None
    base, request = comparison.a.run, comparison.b.run.request
    names, edges = titles(base.plan), base_reasons(comparison.a.run, change.document_id)
    lines = tuple(reason_line(e, names, provenance, off=off_by(request, e, default_types)) for e in edges)
    return LeavingDocument(
        document_id=change.document_id,
        title=change.title or change.document_id,
        facts=_facts(change, base),
        why=_why(change, lines),
        reasons=lines,
        moves=moves(comparison, change.document_id),
        dropped=change.document_id in request.overrides.dropped_seed_ids,
    )


def off_reasons(
    comparison: Comparison, document_id: str, provenance: Provenance, default_types: Collection[str]
) -> tuple[ReasonLine, ...]:
    """Edges to a document that stays, which the draft itself switches off."""
    names, request = titles(comparison.a.run.plan), comparison.b.run.request
    found = [(e, off_by(request, e, default_types)) for e in gone_edges(comparison) if e[2] == document_id]
    return tuple(reason_line(e, names, provenance, off=off) for e, off in found if off)


def leaving_edge(
    comparison: Comparison, selected: str | None, provenance: Provenance, default_types: Collection[str]
) -> LeavingEdge | None:
    """The edge with this id, if the draft does not follow it."""
    edge = next((e for e in gone_edges(comparison) if edge_id(e) == selected), None)
    if edge is None:
        return None
    off = off_by(comparison.b.run.request, edge, default_types)
    inside = edge[2] in comparison.b.run.plan.document_ids
    note = {
        "edge": "Switched off in this draft.",
        "type": f"Type {edge[1]} is switched off in this draft.",
        "": "Not followed in this draft: one of its documents moved.",
    }[off]
    after = "Its target stays in the plan." if inside else "Its target drops out of the plan."
    line = reason_line(edge, titles(comparison.a.run.plan), provenance, off=off)
    return LeavingEdge(line, f"{note} {after} The stored relationship is unchanged.")


def moves(comparison: Comparison, document_id: str) -> tuple[Move, ...]:
    """What goes with a document, what comes for it, and how many chunks stay."""
    own = [c for c in comparison.chunks if c.change == "left" and c.document_id == document_id]
    entered = [c for c in comparison.chunks if c.change == "added"]
    found = [*(_move(c) for c in own), *(_move(c) for c in entered)]
    more = len(found) - MAX_MOVES
    rest = [Move("kept", f"and {counts.plural(more, 'more passage')}")] if more > 0 else []
    n_kept = sum(c.change == "kept" for c in comparison.chunks)
    drift = comparison.score_drift
    same = ", same scores" if drift == 0 else "" if drift is None else f", scores changed by up to {drift:g}"
    return (*found[:MAX_MOVES], *rest, Move("kept", f"{counts.plural(n_kept, 'passage')} unchanged{same}"))


def _move(chunk: ChunkChange) -> Move:
    left = chunk.change == "left"
    rank = chunk.rank_a if left else chunk.rank_b
    where = "" if left else f"{chunk.title or chunk.document_id}: "
    text = f"{where}passage {chunk.chunk_index + 1}, rank {rank}, score {counts.score(chunk.score)}"
    tokens = signed(-chunk.token_count if left else chunk.token_count)
    return Move("left" if left else "added", text[:1].upper() + text[1:], f"{tokens} tok")


def _facts(change: DocumentChange, base: Run) -> str:
    n = len(base.plan.document_ids)
    role = "match" if change.role_a == "seed" else "related"
    chunks = counts.plural(change.n_chunks_a, "passage")
    place = f"position {change.place_a or 0:,}"
    return f"Base: {role}, {place} of {n}, {chunks}, {change.n_tokens_a:,} tokens. Draft: not in the plan"


def _why(change: DocumentChange, lines: tuple[ReasonLine, ...]) -> str:
    n_off = sum(bool(line.off) for line in lines)
    if change.role_a == "expanded" and n_off and n_off == len(lines):
        return f"Removed: {n_off} of {counts.plural(len(lines), 'reason')} {'is' if n_off == 1 else 'are'} off"
    text = departure_text(change.left_because) if change.left_because else "nothing leads to it"
    return f"Removed: {text}"
