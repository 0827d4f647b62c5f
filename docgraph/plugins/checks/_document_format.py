"""What the format of a document itself states: which parts it contains, and which requirements trace to which."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._succession import type_name

CONTAINMENT = frozenset(("contains", "includes", "part_of"))
"""Types by which a whole and its parts are related."""
FORMATS = frozenset(
    ("doorstop", "openapi", "reqif", "requirement_table", "sphinx_needs", "sphinx_references", "strictdoc")
)
"""Readers of formats that have parts and traces of their own, as the provenance of relationships names them."""
REQUIREMENTS = FORMATS - {"openapi", "sphinx_references"}
"""Readers of formats in which an id of its own is the name of a document, and a title only describes it."""
TEXT_PLACES = frozenset(("body", "status"))
"""Places inside a text: a relationship that was read there has a sentence of its own."""


def is_containment(edge: Relationship) -> bool:
    """Whether a format states that one document is a part of the other."""
    return type_name(edge.relation_type) in CONTAINMENT and edge.relationship_metadata.get("extractor") in FORMATS


def is_given(edge: Relationship) -> bool:
    """Whether a format states the relationship as data of its own: a part, or a trace between requirements."""
    return edge.relationship_metadata.get("extractor") in FORMATS


def is_trace(edge: Relationship) -> bool:
    """Whether a format of requirements states it: how many there are is what the project requires."""
    return edge.relationship_metadata.get("extractor") in REQUIREMENTS


def joined(ids: Iterable[str], edges: Iterable[Relationship]) -> bool:
    """Whether formats state relationships between these documents."""
    left = set(ids)
    beside: dict[str, set[str]] = {each: set() for each in left}
    for edge in edges:
        start, _, end = edge.key
        if start in left and end in left and is_given(edge):
            beside[start].add(end)
            beside[end].add(start)
    reached = [min(left)] if left else []
    left -= set(reached)
    while reached:
        found = beside[reached.pop()] & left
        left -= found
        reached += sorted(found)
    return not left
