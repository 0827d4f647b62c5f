"""A draft in words: which inputs it changes, from what to what, and what that does to the plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import Comparison, DocumentChange
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Edge
from docgraph.views.plan.documents import titles
from docgraph.views.words import counts
from docgraph.views.words.address import default_documents

Off = Literal["", "type", "edge"]
"""How a request leaves an edge aside: not at all, with its whole relation type, or alone."""

_FIELDS: tuple[tuple[str, str, str], ...] = (
    ("preset", "preset", ""),
    ("mode", "mode", ""),
    ("max_chunks_per_document", "passages per document", ""),
    ("max_chunks", "passages", "auto"),
    ("max_expanding_seeds", "matches followed", "auto"),
    ("max_fan_out", "related per match", ""),
    ("token_budget", "token budget", ""),
    ("seed_signal", "ranked by", ""),
    ("evidence_rule", "evidence", ""),
    ("find_names", "names in the question", ""),
    ("max_linked_percent", "hub limit", ""),
    ("scope_mode", "scope", ""),
    ("scope_field", "scope by", "automatic"),
)
"""(field of the request, its name on the screen, what ``None`` is called)."""


@dataclass(frozen=True)
class DraftPart:
    """One thing that a draft changes: ``text`` for the bar, ``detail`` names what the text only counts."""

    text: str
    detail: str = ""


@dataclass(frozen=True)
class Chip:
    """A count of the bar: ``sign`` is a glyph's name (``left``, ``added``) or empty."""

    sign: Literal["left", "added", ""]
    text: str


def draft_parts(a: Run, b: Run, default_types: Collection[str]) -> tuple[DraftPart, ...]:
    """What the request of ``b`` changes in that of ``a``, the strongest first; empty when they ask for the same.

    ``default_types`` are those that a request without types of its own follows.
    """
    before, after = a.request, b.request
    parts = [*_types(before, after, default_types), *_edges(a, b), *_seeds(a, b)]
    if before.use_relationships != after.use_relationships:
        parts.append(DraftPart("relationships on" if after.use_relationships else "relationships off"))
    parts += [*_filter(before, after), *_places(a, b)]
    for field, name, auto in _FIELDS:
        x, y = getattr(before, field), getattr(after, field)
        if x != y:
            parts.append(DraftPart(f"{name} {_value(x, auto)} → {_value(y, auto)}"))
    if before.seed_document_ids != after.seed_document_ids:
        names = _titles(a, b)
        listed = "; ".join(names.get(i, i) for i in after.seed_document_ids)
        text = (
            counts.plural(len(after.seed_document_ids), "named match", "named matches")
            if listed
            else "no named matches"
        )
        parts.append(DraftPart(text, listed))
    return tuple(parts)


def _value(value: object, auto: str) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return auto if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def allowed_types(request: RetrievalRequest, default_types: Collection[str]) -> frozenset[str]:
    """The relation types that a request follows."""
    chosen = default_types if request.relation_types is None else request.relation_types
    return frozenset(chosen) - frozenset(request.overrides.without_types)


def off_by(request: RetrievalRequest, edge: Edge, default_types: Collection[str]) -> Off:
    """How a request leaves an edge aside."""
    if edge in request.overrides.without_edges:
        return "edge"
    return "" if edge[1] in allowed_types(request, default_types) else "type"


def _types(before: RetrievalRequest, after: RetrievalRequest, default_types: Collection[str]) -> list[DraftPart]:
    x, y = allowed_types(before, default_types), allowed_types(after, default_types)
    off, on = sorted(x - y), sorted(y - x)
    return [*_switched(off, "off"), *_switched(on, "on")]


def _switched(names: Sequence[str], to: str) -> list[DraftPart]:
    if len(names) > 2:
        return [DraftPart(f"{len(names)} types {to}", ", ".join(names))]
    return [DraftPart(f"{', '.join(names)} {to}")] if names else []


def _edges(a: Run, b: Run) -> list[DraftPart]:
    x, y = set(a.request.overrides.without_edges), set(b.request.overrides.without_edges)
    names = _titles(a, b)
    parts = []
    for edges, to in ((sorted(y - x), "off"), (sorted(x - y), "on")):
        if edges:
            detail = "; ".join(f"{names.get(s, s)} —{via}→ {names.get(t, t)}" for s, via, t in edges)
            parts.append(DraftPart(f"{counts.plural(len(edges), 'relationship')} {to}", detail))
    return parts


def _seeds(a: Run, b: Run) -> list[DraftPart]:
    x, y = a.request.overrides, b.request.overrides
    names = _titles(a, b)
    lists = (
        ([i for i in y.added_seed_ids if i not in x.added_seed_ids], "added"),
        ([i for i in x.added_seed_ids if i not in y.added_seed_ids], "not added"),
        ([i for i in y.dropped_seed_ids if i not in x.dropped_seed_ids], "removed"),
        ([i for i in x.dropped_seed_ids if i not in y.dropped_seed_ids], "restored"),
    )
    return [
        DraftPart(f"{counts.plural(len(ids), 'match', 'matches')} {what}", "; ".join(names.get(i, i) for i in ids))
        for ids, what in lists
        if ids
    ]


def _filter(before: RetrievalRequest, after: RetrievalRequest) -> list[DraftPart]:
    x, y = before.where, after.where
    if x == y:
        return []
    if y is None:
        return [DraftPart("no filter", x.words if x else "")]
    whom = f" for {y.whom}" if y.whom else ""
    return [DraftPart(f"filter {y.texts[0]}{whom}" if len(y.texts) == 1 else f"{len(y.texts)} filters{whom}", y.words)]


def _places(a: Run, b: Run) -> list[DraftPart]:
    """Places in all, for exactly so many seeds, and reserved for related documents: as numbers where they differ."""
    before, after = a.request, b.request
    parts = []
    x, y = (r.max_documents or default_documents(r.mode) for r in (before, after))
    if before.max_documents != after.max_documents and x != y:
        parts.append(DraftPart(f"documents {x} → {y}"))
    for name, field in (("matches", "max_seeds"), ("related documents", "max_expanded")):
        of_a, of_b = getattr(before, field), getattr(after, field)
        if of_a != of_b and getattr(a.plan.constraints, field) != getattr(b.plan.constraints, field):
            parts.append(DraftPart(f"{name} {_value(of_a, 'auto')} → {_value(of_b, 'auto')}"))
    return parts


def _titles(a: Run, b: Run) -> dict[str, str]:
    return titles(a.plan) | titles(b.plan)


def chips(comparison: Comparison) -> tuple[Chip, ...]:
    """What leaves and what enters, counted; then the tokens with their difference."""
    documents, chunks = comparison.documents, comparison.chunks
    signs: tuple[Literal["left", "added"], ...] = ("left", "added")
    counted = [(s, sum(d.change == s for d in documents), "document") for s in signs]
    counted += [(s, sum(c.change == s for c in chunks), "passage") for s in signs]
    found = [Chip(sign, counts.plural(n, noun)) for sign, n, noun in counted if n]
    total = next(t for t in comparison.tokens if t.layer == "total")
    return (*found, Chip("", f"{total.b:,} tokens, {signed(total.difference)}"))


def signed(n: int) -> str:
    """``+84``, ``−137``, ``±0``."""
    return f"{'+' if n > 0 else '−' if n < 0 else '±'}{abs(n):,}"


def leaves_because(change: DocumentChange, base: Run, request: RetrievalRequest, default_types: Collection[str]) -> str:
    """Why a document of the base is not in the draft, for its card: ``removed: its only relationship is off``.

    A limit gives the place that it would have; which limit that is stands in the panel.
    """
    departure = change.left_because
    if departure is None:
        return "removed"
    if departure.cause in ("type_off", "edge_off"):
        edges = base_reasons(base, change.document_id)
        n_off = sum(off_by(request, edge, default_types) != "" for edge in edges)
        if n_off == len(edges):
            return (
                "removed: its only relationship is off" if n_off == 1 else f"removed: all {n_off} relationships are off"
            )
    if departure.place is not None:
        later = " or later" if departure.at_least else ""
        return f"removed: position {departure.place:,}{later}"
    return f"removed: {departure.short}"


def base_reasons(base: Run, document_id: str) -> tuple[Edge, ...]:
    """The edges that brought a document into the base plan."""
    return tuple(edge for edge in base.plan.edges if edge[2] == document_id)


def counts_sentence(comparison: Comparison) -> str:
    """``14 unchanged, 1 removed, 1 added``: the passages, for their tab."""
    n = {change: sum(c.change == change for c in comparison.chunks) for change in ("kept", "left", "added")}
    parts = [f"{n['kept']} unchanged"]
    if n["left"]:
        parts.append(f"{n['left']} removed")
    if n["added"]:
        parts.append(f"{n['added']} added")
    return ", ".join(parts)


def changed_types(
    before: RetrievalRequest, after: RetrievalRequest, default_types: Collection[str]
) -> Mapping[str, str]:
    """Relation type → ``off`` or ``on`` where the draft switches it."""
    x, y = allowed_types(before, default_types), allowed_types(after, default_types)
    return {name: "off" if name in x else "on" for name in sorted(x ^ y)}
