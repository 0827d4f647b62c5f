"""Where a decision record says what its status is: fields, lists, tables, headings at its top, a section of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docgraph.domain.graph import Document
from docgraph.plugins.extractors._edges import tidy
from docgraph.plugins.extractors._status_phrases import phrases_in

MAX_LINES = 200
_FIRST_LINES = 40
_MAX_LINE = 2_000
_STATUS_LINE = re.compile(
    r"\s{0,8}(?:>\s{0,3})?(?:[-*+]\s{1,4})?(?:\*\*|__|\*|_|:)?status:?(?:\*\*|__|\*|_)?:?\s", re.I
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.{1,200}?)[\s#]*")
_BOLD = re.compile(r"\s{0,3}(?:\*\*|__)([^*_]{1,100})(?:\*\*|__)\s{0,3}:?\s*")
_ITEM = re.compile(r"\s{0,8}(?:>\s{0,3})?(?:[-*+•]\s{1,4})?(?:\*\*|__|\*|_|:)?(?=\S)")
_MARKED = re.compile(r"\s{0,8}(?:[-*+>•]\s|\*\*|__|:\w)")
_CELL = re.compile(r"(?<!\\)\|")
_LINE = re.compile(r"[\s|:-]+")
_MARKS = re.compile(r"\*\*|(?<!`)__|~~")
_LISTS = frozenset(("links", "related", "related decisions", "relations", "relationships", "more information"))


class Said(NamedTuple):
    """A line that may say a status: ``text`` as it stands, ``line`` without marks.

    ``strict`` = only a link or a number behind a phrase is a name; ``typed`` = it is an item of a list of links.
    """

    text: str
    line: str
    strict: bool = False
    typed: bool = False


def said_in(document: Document) -> Iterator[Said]:
    """Every such line, in the order: metadata, sections, the top of the text."""
    header = document.metadata.get("header")
    for fields in (document.metadata, header if isinstance(header, Mapping) else {}):
        for name, value in fields.items():
            if str(name).casefold() == "status" and isinstance(value, str):
                yield Said(tidy(value), tidy(value))
    for section in document.sections:
        yield from _under(section.heading_path[-1] if section.heading_path else "", section.text)
    lines = [line[:_MAX_LINE] for line in document.text.split("\n", MAX_LINES)[:MAX_LINES]]
    yield from _at_top(lines)
    yield from _under_own_lines(lines, headings=not document.sections)


def _under(heading: str, text: str) -> Iterator[Said]:
    """What stands in a section."""
    name = _name(heading)
    if name == "status":
        yield from _of_lines(text.split("\n", MAX_LINES)[:MAX_LINES])
    elif name in _LISTS:
        for line in text.split("\n", MAX_LINES)[:MAX_LINES]:
            item = _plain(line)
            if _MARKED.match(line):
                yield Said(line, item, strict=True, typed=True)
    elif _is_phrase(name):
        for line in text.split("\n", MAX_LINES)[:MAX_LINES]:
            yield Said(line, f"{name} {_plain(line)}", strict=True)


def _at_top(lines: list[str]) -> Iterator[Said]:
    """Fields in lists, tables and headings above the second heading of a record."""
    header: list[str] = []
    n_headings = 0
    for place, line in enumerate(lines[:_FIRST_LINES]):
        heading = _HEADING.fullmatch(line)
        n_headings += heading is not None
        words = _plain(heading[1]) if heading else _plain(line)
        if heading and n_headings > 1 and not (_names_status(words) or _begins_with_phrase(words)):
            continue
        if heading and n_headings > 1 and _name(words) not in ("status",):
            yield Said(line, words, strict=_begins_with_phrase(words))
        elif "|" in line and line.lstrip().startswith("|"):
            cells = _cells(line)
            if n_headings < 2:
                yield from _of_row(line, cells)
                yield from _below(header, line, cells, lines[place + 1 : place + 2])
            header = cells if not header or not _LINE.fullmatch(line) else header
        elif _STATUS_LINE.match(f"{line} "):
            yield Said(line, words)
        elif n_headings < 2 and (_MARKED.match(line) or ":" in line[:40]) and _begins_with_phrase(words):
            yield Said(line, words, strict=True)
        if "|" not in line:
            header = []


def _under_own_lines(lines: list[str], *, headings: bool) -> Iterator[Said]:
    """What stands below a line that is only *Status*, in bold, or (with ``headings``) as a heading."""
    inside = False
    for line in lines:
        heading = _HEADING.fullmatch(line)
        bold = _BOLD.fullmatch(line)
        if heading or bold:
            inside = _name((heading or bold or [""])[1]) == "status" and (headings or not heading)
        elif inside:
            yield from _of_lines([line])


def _of_lines(lines: list[str]) -> Iterator[Said]:
    for line in _joined(lines):
        if line.lstrip().startswith("|"):
            cells = _cells(line)
            rows = list(_of_row(line, cells))
            yield from rows or (Said(line, _plain(cell)) for cell in cells)
        else:
            yield Said(line, _plain(line))


def _joined(lines: list[str]) -> Iterator[str]:
    """The lines, one whose link goes on in the next together with that."""
    open_line = ""
    for line in lines:
        whole = f"{open_line} {line.strip()}" if open_line else line
        if whole.count("[") > whole.count("]") and line.strip() and len(whole) < _MAX_LINE:
            open_line = whole
            continue
        open_line = ""
        yield whole
    if open_line:
        yield open_line


def _of_row(line: str, cells: list[str]) -> Iterator[Said]:
    """A row of two columns: ``| Status | superseded by … |``, ``| Superseded by | … |``."""
    if len(cells) < 2:
        return
    name = _name(cells[0])
    if name == "status":
        yield Said(line, _plain(cells[1]))
    elif _is_phrase(name):
        yield Said(line, f"{name} {_plain(cells[1])}", strict=True)


def _below(header: list[str], line: str, cells: list[str], following: list[str]) -> Iterator[Said]:
    """The one row below a header with a column *Status*; a table of several rows is a list of other records."""
    names = [_name(cell) for cell in header]
    if "status" not in names or _LINE.fullmatch(line) or any("|" in each for each in following):
        return
    place = names.index("status")
    if names[0] != "status" and len(names) == 2 and _name(cells[0]) == "status":
        return
    if place < len(cells):
        yield Said(line, _plain(cells[place]))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().strip("|"))][:50]


def _plain(line: str) -> str:
    """A line without marks of lists, quotes and emphasis."""
    return _ITEM.sub("", _MARKS.sub("", line).strip(), count=1).strip()


def _name(words: str) -> str:
    return tidy(_MARKS.sub("", words)).strip(" :*_`").casefold()


def _names_status(words: str) -> bool:
    return _name(words.partition(":")[0]) == "status"


def _begins_with_phrase(words: str) -> bool:
    found = phrases_in(words[:200])
    return bool(found) and found[0][1] == 0


def _is_phrase(name: str) -> bool:
    found = phrases_in(f"{name} ")
    return len(found) == 1 and found[0][1] == 0 and found[0][2] >= len(name)
