"""What changed, in words: why something left, how a chunk moved, what it is called, which rows a number leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from docgraph.domain.comparison import (
    Change,
    ChunkChange,
    Comparison,
    DocumentChange,
    Order,
    RelevantDocument,
    Removal,
    Rows,
)
from docgraph.views.words.counts import plural

Movement = Literal["added", "left", "up", "down", "same"]
MOVEMENTS: tuple[Movement, ...] = get_args(Movement)

Filter = Literal[
    "all",
    "added",
    "left",
    "up",
    "down",
    "same",
    "moved",
    "rewritten",
    "documents_added",
    "documents_left",
    "documents_kept",
    "relevant",
    "relevant_gained",
    "relevant_lost",
]
FILTERS: tuple[Filter, ...] = get_args(Filter)
DOCUMENT_FILTERS: Mapping[Filter, Change] = {
    "documents_added": "added",
    "documents_left": "left",
    "documents_kept": "kept",
}
_JUDGED: Mapping[Filter, Callable[[Comparison], tuple[RelevantDocument, ...]]] = {
    "relevant": lambda c: c.relevant,
    "relevant_gained": lambda c: c.gained,
    "relevant_lost": lambda c: c.lost,
}
OF_DOCUMENTS: tuple[Filter, ...] = (*DOCUMENT_FILTERS, *_JUDGED)
"""The filters that choose documents; the others choose chunks."""
_OF_ROWS: Mapping[Rows, Filter] = {
    "chunks_added": "added",
    "chunks_left": "left",
    "documents_added": "documents_added",
    "documents_left": "documents_left",
    "moved": "moved",
    "rewritten": "rewritten",
    "relevant": "relevant",
    "relevant_gained": "relevant_gained",
    "relevant_lost": "relevant_lost",
}

_SAID: Mapping[Filter, str] = {"left": "removed", "same": "unchanged"}
_WHERE: Mapping[str, str] = {"max_chunks_per_document": " in its document"}


def departure_text(departure: Removal) -> str:
    """Why something left, in one line: ``total limit 10 (position 12), 0.03 below the last one read``.

    A chunk that left because its whole document did says so: ``document removed: limit 4 matches (position 6)``.
    """
    text = departure.short
    if departure.place is not None:
        later = " or later" if departure.at_least else ""
        where = _WHERE.get(departure.cause, "")
        text += f" (position {departure.place:,}{where}{later})"
    elif departure.relation_types:
        text += f" ({', '.join(departure.relation_types)})"
    if departure.below:
        text += f", {below_text(departure.below)} below the last one read"
    return f"document removed: {text}" if departure.with_document else text


def departure_brief(departure: Removal) -> str:
    """Limit and place alone, for a narrow line: ``limit 3 per document, position 4``."""
    text = departure.short
    if departure.place is not None:
        text += f", position {departure.place:,}{'+' if departure.at_least else ''}"
    return f"document removed: {text}" if departure.with_document else text


def below_text(value: float) -> str:
    """A distance between two scores; one too small for two digits keeps as many as it needs (at most 4)."""
    if value >= 0.005:
        return f"{value:.2f}"
    return f"{value:.4f}" if value >= 0.00005 else "less than 0.0001"


def chunk_name(chunk: ChunkChange) -> tuple[str, str]:
    """(document, place in it): ``("ADR-014 Retry budget", "§ Decision")``; ``"passage 3"`` without a heading."""
    headings = [h for h in chunk.heading_path if h and h != chunk.title]
    return chunk.title or chunk.document_id, f"§ {headings[-1]}" if headings else f"passage {chunk.chunk_index + 1}"


def movement(chunk: ChunkChange, order: Order) -> Movement:
    """How a chunk went from A to B in one order."""
    if chunk.change == "added" or chunk.change == "left":
        return chunk.change
    moved = chunk.moved(order)
    return "up" if moved > 0 else "down" if moved < 0 else "same"


def movement_text(chunk: ChunkChange, order: Order) -> str:
    """``added``, ``removed``, ``up 2``, ``down 1``, ``unchanged``."""
    kind = movement(chunk, order)
    if kind in ("up", "down"):
        return f"{kind} {abs(chunk.moved(order))}"
    return {"same": "unchanged", "left": "removed"}.get(kind, kind)


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
        "moved": lambda c: movement(c, order) in ("up", "down"),
        "rewritten": lambda c: c.text_b is not None,
    }
    tests |= dict.fromkeys(OF_DOCUMENTS, lambda c: c.document_id in of)
    if wanted in tests:
        return tuple(c for c in comparison.chunks if tests[wanted](c))
    return tuple(c for c in comparison.chunks if movement(c, order) == wanted)


def documents_in(comparison: Comparison, wanted: Filter) -> tuple[DocumentChange, ...]:
    """The documents that a filter lets through: those added, left or kept, those judged relevant, else all."""
    change = DOCUMENT_FILTERS.get(wanted)
    if change is not None:
        return comparison.documents_with(change)
    if wanted not in _JUDGED:
        return comparison.documents
    judged = {d.document_id for d in _JUDGED[wanted](comparison)}
    return tuple(d for d in comparison.documents if d.document_id in judged)


def filter_text(comparison: Comparison, wanted: Filter, order: Order) -> str:
    """A filter with its count: ``All 8 documents``, ``2 added``, ``4 passages added``."""
    n_documents = len(documents_in(comparison, wanted))
    if wanted == "all":
        return f"All {plural(n_documents, 'document')}"
    if wanted in OF_DOCUMENTS:
        return _of_documents(comparison, wanted, n_documents)
    n = len(chunks_in(comparison, wanted, order))
    return f"{plural(n, 'passage')} {_SAID.get(wanted, wanted)}"


def _of_documents(comparison: Comparison, wanted: Filter, n: int) -> str:
    """``2 added``, ``2 removed``, ``4 unchanged``, ``3 relevant``."""
    words = {"documents_added": "added", "documents_left": "removed", "documents_kept": "unchanged"}
    return f"{n:,} {words.get(wanted, wanted.replace('_', ' '))}"
