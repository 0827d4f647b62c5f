"""The sections that a relationship points to, in words."""

from __future__ import annotations

from docgraph.domain.graph import Relationship


def pointed_sections(relationship: Relationship) -> str:
    """``Limits, #old-heading (not found)``: headings, and anchors that named none at the import; hostile data."""
    said = (
        f"#{each.anchor} (not found)" if each.heading is None else each.name or f"#{each.anchor}"
        for each in relationship.sections
    )
    return ", ".join(dict.fromkeys(said))
