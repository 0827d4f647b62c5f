"""Reads tables of requirements: a row is a document, columns that name others are relationships of their own type."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.boundary.text import one_line
from docgraph.domain.graph import Document, Relationship, Section
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._composing import path_id
from docgraph.plugins.loaders._graphs.nodes import as_type, edge, node_document

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


READER = "requirement_table"
UNTITLED = "untitled"
"""Field of metadata that says that the title is only the beginning of the text."""
_ID = ("id", "uid", "requirementid", "reqid", "identifier", "key", "issuekey", "foreignid", "objectidentifier")
_MORE_IDS = ("itemid", "objectid", "artifactid", "testid", "testcaseid", "requirementno", "reqno", "requirementnumber")
_TITLES = ("title", "name", "summary", "heading", "subject", "shortdescription", "requirementname", "requirementtitle")
_TEXTS = ("text", "description", "requirement", "requirementtext", "statement", "content", "details", "specification")
_KINDS = ("type", "kind", "category", "issuetype", "itemtype", "artifacttype", "requirementtype")
_SECTIONS = frozenset(("rationale", "comment", "comments", "notes", "acceptancecriteria"))
_STATES = ("status", "state")
_NO_WORDS = re.compile(r"[\W_]+")
Row = tuple[int, Sequence[str]]
"""(line, cells)."""


@dataclass(frozen=True)
class _Columns:
    """Places of what a table says; ``links`` = place → relation type."""

    names: tuple[str, ...]
    id: int
    title: int | None
    text: int | None
    kind: int | None
    links: Mapping[int, str]

    def is_left(self, place: int) -> bool:
        """Whether a column is none of those: metadata, or a section."""
        return place not in (self.id, self.title, self.text, self.kind)


def is_table(header: Sequence[str]) -> bool:
    """Whether a header has an id, and beside it a text, a title with a status, or a column that names others."""
    bare = [_bare(name) for name in header]
    if _first(bare, (*_ID, *_MORE_IDS)) is None:
        return False
    has_title = _first(bare, _TITLES) is not None
    has_link = any(type_of(name) for name in header)
    return has_link or _first(bare, _TEXTS) is not None or (has_title and _first(bare, _STATES) is not None)


def read(header: Sequence[str], rows: Sequence[Row], source: str) -> Iterator[Document | Relationship | Rejected]:
    """Rows, then relationships, each in the table's order.

    An id that is only a number is one below the file's path. A cell names several others by commas, semicolons, lines
    and, where each reads as an id, spaces; a row's whole title names it too. What names nothing stays in the metadata.
    """
    columns, base = _columns(header, rows), path_id(source)
    ids: dict[str, str] = {}
    by_title: dict[str, str] = {}
    for _, cells in rows:
        if given := one_line(_cell(cells, columns.id)):
            ids.setdefault(given, f"{base}/{given}" if given.isdigit() else given)
            title = one_line(_cell(cells, columns.title)).casefold()
            by_title[title] = given if title not in by_title else ""
    edges: list[tuple[str, str, str, str]] = []
    for line, cells in rows:
        place = f"line {line}"
        given, left = one_line(_cell(cells, columns.id)), dict[int, str]()
        if not given:
            yield Rejected(reason=f"{place}: the row has no id: its cell {header[columns.id]!r} is empty", place=place)
            continue
        for column, kind in columns.links.items():
            named = ids_in(_cell(cells, column), ids, by_title)
            if not named and not says_nothing(_cell(cells, column)):
                left[column] = _cell(cells, column)
            told = [(ids.get(name) or _elsewhere(name, source), name) for name in named]
            edges += [(ids[given], kind, end, f"{columns.names[column]}: {name}") for end, name in told]
        try:
            yield _document(ids[given], columns, cells, left, source)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)
    for order, (start, kind, end, said) in enumerate(dict.fromkeys(edges)):
        try:
            yield edge(start, kind, end, reader=READER, source=source, order=order, text=said)
        except ValueError as error:
            yield Rejected(reason=f"relationship {order + 1}: {error}", place=f"relationship {order + 1}")


def _columns(header: Sequence[str], rows: Sequence[Row]) -> _Columns:
    """What each column is. One whose cells all name rows of the table is a relationship of the column's name."""
    names = tuple(one_line(name, 100) for name in header)
    bare = [_bare(name) for name in names]
    found = _first(bare, (*_ID, *_MORE_IDS))
    place = 0 if found is None else found
    title, text, kind = (_first(bare, wanted) for wanted in (_TITLES, _TEXTS, _KINDS))
    known = {one_line(_cell(cells, place)) for _, cells in rows} - {""}
    links = {}
    for column, name in enumerate(names):
        if column in (place, title, text, kind):
            continue
        if told := type_of(name):
            links[column] = told
        elif name and bare[column] not in _SECTIONS and _names_rows([_cell(cells, column) for _, cells in rows], known):
            links[column] = as_type(name)
    return _Columns(names, place, title, text, kind, links)


def _names_rows(cells: Sequence[str], known: set[str]) -> bool:
    """Whether every cell that is not empty names rows, by ids that are no plain numbers; at least two are needed."""
    filled = [re.split(r"[,;|\s]+", cell) for cell in cells if cell]
    return len(filled) > 1 and all(name in known and not name.isdigit() for names in filled for name in names if name)


def _document(given: str, columns: _Columns, cells: Sequence[str], left: Mapping[int, str], source: str) -> Document:
    text = _cell(cells, columns.text)
    named = one_line(_cell(cells, columns.title))
    title = named or given
    sections = [Section(text=text or title)]
    fields: dict[str, Any] = {}
    for place, name in enumerate(columns.names):
        told = left.get(place, "") if place in columns.links else _cell(cells, place)
        if not told or not columns.is_left(place):
            continue
        if _bare(name) in _SECTIONS:
            sections.append(Section(heading_path=(name,), text=told))
        else:
            key = as_type(name) or f"column_{place + 1}"
            fields[key] = [*_several(fields[key]), told] if key in fields else told
    if not named:
        fields[UNTITLED] = True
    whole = "\n\n".join(f"{each.heading_path[0]}: {each.text}" if each.heading_path else each.text for each in sections)
    kind = _cell(cells, columns.kind) or "requirement"
    return node_document(given, fields, source, title=title, text=whole, doc_type=kind, sections=sections)


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _elsewhere(name: str, source: str) -> str:
    """The id of what is outside of the table: a file is named without its suffix, beside the table or by its path."""
    stem, dot, suffix = name.rpartition(".")
    if not dot or suffix.casefold() not in ("md", "markdown", "rst", "txt", "html", "adoc", "pdf", "docx"):
        return name
    folder = posixpath.dirname(source.replace("\\", "/"))
    is_beside = "/" not in stem or stem.startswith(".")
    return posixpath.normpath("/" + posixpath.join(folder if is_beside else "", stem)).lstrip("/")


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""


def _first(bare: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((bare.index(name) for name in wanted if name in bare), None)


def _bare(name: str) -> str:
    """``Requirement ID`` → ``requirementid``."""
    return _NO_WORDS.sub("", name.casefold())
