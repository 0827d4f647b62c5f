"""Where a passage stands: its line or page, and the sections that a relationship points to, in words."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.domain.anchors import section_words
from docgraph.domain.graph import ChunkPlace, Relationship
from docgraph.domain.plan import Reason


def place_words(place: ChunkPlace | None) -> str:
    """``line 41`` or ``page 3``; "" where it is not known."""
    if place is None:
        return ""
    if place.page is not None:
        return f"page {place.page:,}"
    return "" if place.line is None else f"line {place.line:,}"


def pointed_sections(relationship: Relationship) -> str:
    """``Limits, #old-heading (not found)``: headings, and anchors that named none at the import; hostile data."""
    said = (
        f"#{each.anchor} (not found)" if each.heading is None else each.name or f"#{each.anchor}"
        for each in relationship.sections
    )
    return ", ".join(dict.fromkeys(said))


def reason_words(reason: Reason, titles: Mapping[str, str]) -> str:
    """``explains from Checkout, to its section Limits``; a document without a title by its id. Hostile data."""
    start = reason.from_document_id
    return f"{reason.via} from {titles.get(start, start)}{to_sections(reason)}"


def to_sections(reason: Reason) -> str:
    """``, to its section Limits`` for the end of a reason in words; empty where it points to none. Hostile data."""
    section = section_words(reason.sections)
    return f", to {section}" if section else ""
