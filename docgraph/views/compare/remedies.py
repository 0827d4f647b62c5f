"""What was removed and why, and the one limit or switch that would keep it, as a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docgraph.domain.comparison import ChunkChange, Comparison, Removal
from docgraph.domain.plan import Constraints
from docgraph.domain.request import MAX_TOKENS, RetrievalRequest
from docgraph.domain.run import Run
from docgraph.views.compare.slope import chunk_key
from docgraph.views.plan.remedies import changed
from docgraph.views.words import counts
from docgraph.views.words.changes import chunk_name, departure_text


def remedy(cause: Removal, document_id: str, run: Run) -> tuple[str, RetrievalRequest] | None:
    """(label, request) of the draft that restores a document removed from ``run``; ``None`` where none does."""
    label, fields = _fields(cause, document_id, run)
    new = changed(run.request, fields) if fields else None
    return (label, new) if new is not None else None


def _fields(cause: Removal, document_id: str, run: Run) -> tuple[str, dict[str, Any]]:
    request, limits = run.request, run.plan.constraints
    wanted = cause.place or (cause.value or 0) + 1
    match cause.cause:
        case "max_chunks" | "max_chunks_per_document" | "max_fan_out":
            name = str(cause.cause)
            return f"raise limit to {wanted}", {name: wanted} if wanted > getattr(limits, name) else {}
        case "max_tokens" if cause.value is not None:
            tokens = min(2 * cause.value, MAX_TOKENS)
            return f"raise budget to {tokens:,}", {"token_budget": tokens} if tokens > cause.value else {}
        case "max_expanded":
            more = max(wanted - limits.max_expanded, 1)
            documents, related = limits.max_documents + more, limits.max_expanded + more
            said, room = _more(limits, documents)
            # The preset "literal" reserves nothing for related documents.
            return said, room if request.preset == "literal" else {**room, "max_expanded": related}
        case "max_linked_percent":
            return "lift the hub limit", {"max_linked_percent": 100}
        case "max_seeds" if cause.place is not None and request.max_seeds is not None:
            beside = request.max_documents and request.max_documents + wanted - request.max_seeds
            return f"raise the match limit to {wanted}", {"max_seeds": wanted, "max_documents": beside}
        case "max_seeds" if cause.place is not None:
            documents = limits.max_documents + max(wanted - limits.max_seeds, 1)
            said, room = _more(limits, documents)
            return said, {**room, "max_expanded": limits.max_expanded}
        case "relationships_off":
            return "use relationships", {"use_relationships": True}
        case "type_off":
            return _types_on(cause, request)
        case "reasons_only" if limits.relation_types is not None:
            adding = {*limits.relation_types} - {*limits.reasons_only_types} | {*cause.relation_types}
            return "let its type add documents", {"relation_types": tuple(sorted(adding))}
        case "edge_off":
            kept = tuple(e for e in request.overrides.without_edges if e[2] != document_id)
            return "follow it again", {"overrides": request.overrides.model_copy(update={"without_edges": kept})}
        case "seed_dropped":
            kept_ids = tuple(i for i in request.overrides.dropped_seed_ids if i != document_id)
            dropped = {"dropped_seed_ids": kept_ids}
            return "restore the match", {"overrides": request.overrides.model_copy(update=dropped)}
        case _:
            return "", {}


def _more(limits: Constraints, documents: int) -> tuple[str, dict[str, Any]]:
    """Room for so many documents, and for a chunk of each: one that is planned and not read is not back."""
    said, room = f"raise document limit to {documents:,}", {"max_documents": documents}
    if limits.max_documents <= limits.max_chunks < documents:
        said, room = f"{said}, passage limit to {documents:,}", {**room, "max_chunks": documents}
    return said, room


def bring_back(comparison: Comparison) -> tuple[tuple[str, RetrievalRequest], ...]:
    """What would let the first document that is judged relevant and lost stay, best first; nothing where none is lost.

    Beside one more document the other way is one related document fewer, where the limits leave that choice.
    """
    lost = next(iter(comparison.lost), None)
    row = comparison.document(lost.document_id) if lost is not None else None
    if row is None or row.left_because is None:
        return ()
    run = comparison.b.run
    first = remedy(row.left_because, row.document_id, run)
    ways = [first] if first is not None else []
    fewer = run.plan.constraints.max_expanded - 1
    if row.role_a == "seed" and row.left_because.cause in ("max_expanded", "max_seeds") and fewer >= 0:
        new = changed(run.request, {"max_expanded": fewer})
        ways += [(f"related {fewer + 1:,} → {fewer:,}", new)] if new is not None else []
    return tuple(ways)


def outcome(then: Comparison) -> str:
    """What a remedy changes: ``then 5 of 5 relevant are read, b is removed``; ``then`` = B beside the new run."""
    n = len(then.relevant)
    went = then.documents_with("left")
    names = [" ".join((d.title or d.document_id).split()) for d in went]
    leaving = "no other document is removed" if not went else f"{names[0]} is removed"
    if len(went) > 1:
        leaving = f"{counts.plural(len(went), 'document')} are removed"
    return f"then {sum(d.in_b for d in then.relevant):,} of {n:,} relevant are read, {leaving}"


def _types_on(cause: Removal, request: RetrievalRequest) -> tuple[str, dict[str, Any]]:
    hidden = tuple(t for t in request.overrides.without_types if t not in cause.relation_types)
    fields: dict[str, Any] = {"overrides": request.overrides.model_copy(update={"without_types": hidden})}
    if request.relation_types is not None:
        fields["relation_types"] = tuple({*request.relation_types, *cause.relation_types})
    return "follow its type", fields


@dataclass(frozen=True)
class LeftLine:
    """One or more chunks that left for one reason; ``remedy`` = (label, request) of the what-if that keeps them."""

    key: str
    document_id: str
    document: str
    chunk: str
    place: str
    score: str
    why: str
    brief: str
    remedy: tuple[str, RetrievalRequest] | None


def left_lines(comparison: Comparison) -> tuple[LeftLine, ...]:
    """The reasons in the order in which A reads what left."""
    groups: dict[tuple[str, str], list[ChunkChange]] = {}
    for chunk in sorted(comparison.chunks_with("left"), key=lambda c: (c.place_a or 0, c.document_id, c.chunk_id)):
        whole = chunk.left_because is not None and chunk.left_because.with_document
        groups.setdefault((chunk.document_id, "" if whole else chunk.chunk_id), []).append(chunk)
    return tuple(_line(group, comparison) for group in groups.values())


def _line(group: list[ChunkChange], comparison: Comparison) -> LeftLine:
    first = group[0]
    cause = first.left_because or Removal(cause="not_reached")
    document, name = chunk_name(first)
    return LeftLine(
        key=chunk_key(first),
        document=document,
        document_id=first.document_id,
        place=str(min(c.place_a or 0 for c in group) or counts.UNKNOWN),
        why=departure_text(cause),
        brief=_brief(cause, n=len(group), chunk=name),
        chunk=name if len(group) == 1 else counts.plural(len(group), "passage"),
        score=counts.score(max(c.score for c in group)),
        remedy=remedy(cause, first.document_id, comparison.b.run),
    )


def _brief(cause: Removal, *, n: int, chunk: str) -> str:
    """``limit 4 matches, position 5``; a chunk that left its document alone is named."""
    text = cause.short + (f", position {cause.place:,}{'+' if cause.at_least else ''}" if cause.place else "")
    if cause.with_document:
        return text if n == 1 else f"{text}, {counts.plural(n, 'passage')}"
    return f"{chunk}: {text}"
