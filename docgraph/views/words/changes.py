"""What changed, in words: why something left, how a chunk moved, what it is called, which rows a number leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from docgraph.domain.comparison import Change, ChunkChange, Comparison, Departure, DocumentChange, Order, Rows
from docgraph.views.words.counts import UNKNOWN, ordinal, plural

Movement = Literal["added", "left", "up", "down", "same"]
MOVEMENTS: tuple[Movement, ...] = get_args(Movement)

Filter = Literal[
    "all",
    "added",
    "left",
    "up",
    "down",
    "same",
    "top",
    "moved",
    "rewritten",
    "documents_added",
    "documents_left",
    "documents_kept",
]
FILTERS: tuple[Filter, ...] = get_args(Filter)
DOCUMENT_FILTERS: Mapping[Filter, Change] = {
    "documents_added": "added",
    "documents_left": "left",
    "documents_kept": "kept",
}
_OF_ROWS: Mapping[Rows, Filter] = {
    "chunks_added": "added",
    "chunks_left": "left",
    "documents_added": "documents_added",
    "documents_left": "documents_left",
    "top": "top",
    "moved": "moved",
    "rewritten": "rewritten",
}

_LIMITS: Mapping[str, str] = {
    "max_chunks": "total limit {value}",
    "max_chunks_per_document": "limit {value} per document",
    "max_documents": "limit {value} documents",
    "max_seeds": "limit {value} seeds",
    "max_expanded": "limit {value} related documents",
    "max_fan_out": "fan-out limit {value} per seed",
    "max_expanding_seeds": "limit {value} expanding seeds",
    "max_edges_per_seed": "limit {value} edges read per seed",
    "max_linked_percent": "more than {value} % of all documents link to it",
}
_SWITCHES: Mapping[str, str] = {
    "relationships_off": "relationships are off",
    "type_off": "its relation type is not followed",
    "edge_off": "its relationship is left out",
    "seed_gone": "no expanding seed leads to it",
    "seed_dropped": "dropped as a seed",
    "document_gone": "the document is not stored any more",
    "missing_document": "the document is not stored any more",
    "chunk_gone": "the document was rewritten without it",
    "outside_scope": "outside the scope",
    "not_reached": "nothing leads to it",
}
_WHERE: Mapping[str, str] = {"max_chunks_per_document": " in its document", "max_expanded": " in the plan"}
_ONE_LIMIT = {
    "limit 1 seeds": "limit 1 seed",
    "limit 1 documents": "limit 1 document",
    "limit 1 related documents": "limit 1 related document",
    "limit 1 expanding seeds": "limit 1 expanding seed",
}


def departure_short(departure: Departure) -> str:
    """The limit or switch alone: ``total limit 10``, ``relationships are off``."""
    pattern = _LIMITS.get(departure.cause)
    if pattern is None:
        return _SWITCHES.get(departure.cause, departure.cause)
    text = pattern.format(value=UNKNOWN if departure.value is None else f"{departure.value:,}")
    return _ONE_LIMIT.get(text, text)


def departure_text(departure: Departure) -> str:
    """Why something left, in one line: ``total limit 10 (would be 12th), 0.03 below the cut``.

    A chunk that left because its whole document did says so: ``its document left: limit 4 seeds (would be 6th)``.
    """
    text = departure_short(departure)
    if departure.place is not None:
        later = " or later" if departure.at_least else ""
        where = _WHERE.get(departure.cause, "")
        text += f" (would be {ordinal(departure.place)}{where}{later})"
    elif departure.relation_types:
        text += f" ({', '.join(departure.relation_types)})"
    if departure.below:
        text += f", {below_text(departure.below)} below the cut"
    return f"its document left: {text}" if departure.with_document else text


def departure_brief(departure: Departure) -> str:
    """Limit and place alone, for a narrow line: ``limit 3 per document, would be 4th``."""
    text = departure_short(departure)
    if departure.place is not None:
        text += f", would be {ordinal(departure.place)}{'+' if departure.at_least else ''}"
    return f"with its document: {text}" if departure.with_document else text


def below_text(value: float) -> str:
    """A distance between two scores; one too small for two digits keeps as many as it needs (at most 4)."""
    if value >= 0.005:
        return f"{value:.2f}"
    return f"{value:.4f}" if value >= 0.00005 else "less than 0.0001"


def chunk_name(chunk: ChunkChange) -> tuple[str, str]:
    """(document, place in it): ``("ADR-014 Retry budget", "§ Decision")``, or ``"chunk 3"`` where nothing is headed."""
    headings = [h for h in chunk.heading_path if h and h != chunk.title]
    return chunk.title or chunk.document_id, f"§ {headings[-1]}" if headings else f"chunk {chunk.chunk_index + 1}"


def movement(chunk: ChunkChange, order: Order) -> Movement:
    """How a chunk went from A to B in one order."""
    if chunk.change == "added" or chunk.change == "left":
        return chunk.change
    moved = chunk.moved(order)
    return "up" if moved > 0 else "down" if moved < 0 else "same"


def movement_text(chunk: ChunkChange, order: Order) -> str:
    """``added``, ``left``, ``up 2``, ``down 1``, ``same place``."""
    kind = movement(chunk, order)
    if kind in ("up", "down"):
        return f"{kind} {abs(chunk.moved(order))}"
    return "same place" if kind == "same" else kind


def counts(comparison: Comparison, order: Order) -> dict[Movement, int]:
    """How many chunks were added, left, went up, went down and stayed, in one order; together: all."""
    found = dict.fromkeys(MOVEMENTS, 0)
    for chunk in comparison.chunks:
        found[movement(chunk, order)] += 1
    return found


def filter_of(rows: Rows) -> Filter | None:
    """The filter behind a number of the verdict; ``None`` where no chunks stand behind it (tokens)."""
    return _OF_ROWS.get(rows)


def chunks_in(comparison: Comparison, wanted: Filter, order: Order) -> tuple[ChunkChange, ...]:
    """The chunks that a filter lets through, in the comparison's order."""
    of = {d.document_id for d in documents_in(comparison, wanted)}
    tests: dict[str, Callable[[ChunkChange], bool]] = {
        "all": lambda c: True,
        "top": lambda c: c.place_b is not None and c.place_b <= comparison.n_top,
        "moved": lambda c: movement(c, order) in ("up", "down"),
        "rewritten": lambda c: c.text_b is not None,
    }
    tests |= dict.fromkeys(DOCUMENT_FILTERS, lambda c: c.document_id in of)
    if wanted in tests:
        return tuple(c for c in comparison.chunks if tests[wanted](c))
    return tuple(c for c in comparison.chunks if movement(c, order) == wanted)


def documents_in(comparison: Comparison, wanted: Filter) -> tuple[DocumentChange, ...]:
    """The documents that a filter lets through: those added, left or kept, else all."""
    change = DOCUMENT_FILTERS.get(wanted)
    return comparison.documents if change is None else comparison.documents_with(change)


def filter_text(comparison: Comparison, wanted: Filter, order: Order) -> str:
    """A filter with its count: ``All 16 chunks``, ``4 added``, ``top 2``, ``3 in added documents``."""
    if wanted == "all":
        return f"All {plural(len(comparison.chunks), 'chunk')}"
    if wanted == "top":
        return f"Top {comparison.n_top}"
    n = len(chunks_in(comparison, wanted, order))
    names = {
        "documents_added": "in added documents",
        "documents_left": "in documents that left",
        "documents_kept": "in documents of both",
    }
    return f"{n:,} {names.get(wanted, wanted)}"
