"""Which columns of a table name others, by which relation type, and what the cells of such a column name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docgraph.boundary.text import one_line
from docgraph.plugins.loaders._graphs.nodes import as_type

PART_OF = "part_of"
MAX_NAMES = 500
"""Names in one cell that are read."""
TYPES = {
    "belongs_to": PART_OF,
    "children": "contains",
    "child": "contains",
    "dependencies": "depends_on",
    "dependency": "depends_on",
    "derives_from": "derived_from",
    "linked_issues": "links_to",
    "linked_items": "links_to",
    "linked_requirements": "links_to",
    "linked_to": "links_to",
    "links": "links_to",
    "parent": PART_OF,
    "parent_id": PART_OF,
    "parent_key": PART_OF,
    "parent_requirement": PART_OF,
    "parents": PART_OF,
    "related": "related_to",
    "related_requirements": "related_to",
    "relates_to": "related_to",
    "trace_to": "traces_to",
    "traced_to": "traces_to",
    "traces": "traces_to",
    "traces_from": "traced_by",
}
"""Headers that are called otherwise than their type."""
_OWN = frozenset(
    (
        *("allocated_to", "amends", "blocked_by", "blocks", "conflicts_with", "contains", "covered_by"),
        *("covers", "depends_on", "derived_from", "duplicates", "extends", "implemented_by"),
        *("implements", "links_to", "mitigated_by", "mitigates", "obsoletes", "part_of", "realized_by"),
        *("realizes", "refers_to", "refined_by", "refines", "related_to", "replaced_by", "replaces"),
        *("requires", "satisfied_by", "satisfies", "see_also", "superseded_by", "supersedes"),
        *("tested_by", "tests", "traced_by", "traces_to", "validated_by", "validates", "verified_by"),
        *("verifies",),
    )
)
"""Headers that are a type as they stand."""
_JIRA = re.compile(r"outward issue link \(([^()]{1,60})\)", re.IGNORECASE)
_ADDED = re.compile(r"[ _]*(?:\(s\)|\(ids?\)|\bids?|:)$", re.IGNORECASE)
_NOTHING = frozenset(("", "-", "--", "\u2013", "\u2014", "n/a", "na", "none", "nil", "null", "tbd", "tba", "?", "x"))
_PARTS = re.compile(r"[,;|\n\r]")
_LIKE_AN_ID = re.compile(r"(?=[^\s]*\d)[^\s,;|()\[\]]{1,100}")
_LEADING = re.compile(r"\[?([^\s,;|()\[\]]{1,100}?)\]?(?::\s|\s-\s|\s\u2013\s|\s?\()")


def says_nothing(cell: str) -> bool:
    """Whether a cell is a word for none: ``-``, ``n/a``."""
    return cell.strip().casefold() in _NOTHING


def type_of(header: str) -> str:
    """``Derived From`` → ``derived_from``, ``Parent ID`` → ``part_of``; "" for a column that names nothing."""
    name = one_line(header, 100)
    if found := _JIRA.fullmatch(name):
        return as_type(found[1])
    for spelling in (name, _ADDED.sub("", name)):
        kind = as_type(spelling)
        if kind in TYPES or kind in _OWN:
            return TYPES.get(kind, kind)
    return ""


def ids_in(cell: str, rows: Mapping[str, str], by_title: Mapping[str, str]) -> list[str]:
    """Names in a cell, each once: ``REQ-1, REQ-2``, one a line, ``REQ-1: its title``, a row's whole title."""
    whole = one_line(cell, len(cell) + 1)
    if whole in rows:
        return [whole]
    if titled := by_title.get(whole.casefold()):
        return [titled]
    found: dict[str, None] = {}
    for part in _PARTS.split(cell, MAX_NAMES)[:MAX_NAMES]:
        found.update(dict.fromkeys(_names(one_line(part, 200), rows, by_title)))
    return list(found)


def _names(part: str, rows: Mapping[str, str], by_title: Mapping[str, str]) -> list[str]:
    name = part.strip("[]\"' ")
    if says_nothing(name) and name not in rows:
        return []
    if name in rows:
        return [name]
    if titled := by_title.get(name.casefold()):
        return [titled]
    if " " not in name:
        return [name]
    leading = _LEADING.match(part)
    if leading and (leading[1] in rows or _LIKE_AN_ID.fullmatch(leading[1])):
        return [leading[1]]
    words = name.split(" ")
    return words if all(word in rows or _LIKE_AN_ID.fullmatch(word) for word in words) else []
