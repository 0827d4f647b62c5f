"""Outlines of reStructuredText: RFC-822 headers, docinfo lists, and sections as docutils' own states find them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states

from docgraph.boundary.imports.header_lines import left_out
from docgraph.boundary.limits import MAX_HEADER_LINES, MAX_HEADER_VALUE
from docgraph.boundary.text import one_line
from docgraph.domain.graph import Section
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._anchors import Anchors, everything_unknown, rst_anchors
from docgraph.plugins.loaders._outline import MAX_HEADING, Heading, Origin, sections_under, small_enough

_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,60}):(?:[ \t]+|$)(.*)")
_DOCINFO = re.compile(r":([A-Za-z][A-Za-z0-9 _-]{0,60}):(?:[ \t]+|$)(.*)")
_FIELDS_A_FAULT = 3
_ADORNMENT = re.compile(r"([^\w\s])\1{2,}\s*")


def split_header(text: str, *, first_line: int = 1) -> tuple[dict[str, str], str, tuple[Rejected, ...]]:
    """(fields, body, lines of the header that are left out).

    Names are in lower case with underscores, values on one line with continuation lines joined. An RFC-822 block (at
    least two fields, then a blank line) is cut from the body; a docinfo list (``:Author: …`` at the top or under the
    title) stays in it, for it is part of the text. A line that is no field costs that line, where most are;
    ``first_line`` is where ``text`` starts in its file.
    """
    lines = text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    end = _block_end(lines, start)
    fields, left = _fields(lines[start:end], _FIELD, start + first_line)
    if len(fields) >= 2 and len(fields) >= _FIELDS_A_FAULT * len(left):  # what is cut from the text is surely a header
        return fields, "\n".join(lines[end:]).lstrip("\n"), left
    start = _under_title(lines, start)
    fields, left = _fields(lines[start : _block_end(lines, start)], _DOCINFO, start + first_line)
    return fields, text, left


def _block_end(lines: Sequence[str], start: int) -> int:
    end = start
    while end < len(lines) and lines[end].strip() and end - start <= MAX_HEADER_LINES:
        end += 1
    return end


def _under_title(lines: Sequence[str], start: int) -> int:
    """Where the text under a document title starts, or ``start`` when there is no title."""
    place = start
    for step in range(3):
        if place + step < len(lines) and step and _ADORNMENT.fullmatch(lines[place + step]):
            place += step + 1
            while place < len(lines) and not lines[place].strip():
                place += 1
            return place
    return start


def _fields(
    lines: Sequence[str], pattern: re.Pattern[str], first_line: int
) -> tuple[dict[str, str], tuple[Rejected, ...]]:
    """(fields, lines that are neither a field nor the continuation of one).

    Nothing where the block does not begin with a field, fewer than half of its lines are fields, or it is too long.
    """
    if not lines or len(lines) > MAX_HEADER_LINES or not pattern.match(lines[0]):
        return {}, ()
    fields: dict[str, list[str]] = {}
    current: list[str] | None = None
    left: list[Rejected] = []
    n_fields = 0
    for number, line in enumerate(lines, start=first_line):
        if line[0] in " \t" and current is not None:
            current.append(line.strip())
            continue
        found = pattern.match(line)
        if found is None:
            left.append(left_out(line.strip(), number, "it is not a field"))
            current = None
            continue
        n_fields += 1
        name = re.sub(r"[- ]", "_", found[1].lower())
        current = fields.setdefault(name, [])
        if current:
            current.append(",")  # a field that stands twice is a list
        current.append(found[2].strip())
    if len(left) > n_fields:
        return {}, ()
    joined = {name: " ".join(values).replace(" , ", ", ") for name, values in fields.items()}
    return {name: one_line(value, MAX_HEADER_VALUE) for name, value in joined.items()}, tuple(left)


class Body(states.Body):  # type: ignore[misc]
    """Sees headings and text; lists, tables, fields and directives at the margin are text to it.

    Everything indented is passed over: no heading can stand there, and parsing it is where time is lost.
    The names of the classes are docutils' own, which it finds states by.
    """

    initial_transitions = ("line", "text")

    def indent(self, match: Any, context: Any, next_state: Any) -> tuple[Any, Any, list[Any]]:
        """Pass over an indented block."""
        self.state_machine.get_indented()
        return context, next_state, []


class Text(states.Text):  # type: ignore[misc]
    """The second line of a block: a paragraph goes on, a heading is underlined, or something indented follows."""

    def indent(self, match: Any, context: Any, next_state: Any) -> tuple[list[Any], str, list[Any]]:
        """Pass over what is indented under a line."""
        self.state_machine.get_indented()
        return [], "Body", []


def heading_parser(inliner: Any) -> Any:
    """A docutils parser that knows only the states above."""
    parser = Parser(inliner=inliner)
    others = [state for state in states.state_classes if state.__name__ not in ("Body", "Text")]
    parser.state_classes = (Body, Text, *others)
    return parser


SUFFIXES = (".rst", ".rest")
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "syntax_highlight": "none",
    "report_level": 5,
    "halt_level": 5,
    "line_length_limit": 10_000_000,
}
_LINK = re.compile(r"(?::[\w+.:-]{1,60}:)?`{1,2}([^`<>]{1,300})(?:<[^`<>]{0,300}>)?`{1,2}_{0,2}")
_EMPHASIS = re.compile(r"(\*\*|\*)(?=\S)([^*]{1,300})(?<=\S)\1")
_RULE = re.compile(r"([^\w\s])\1*\s*")


def rst_sections(text: str, origin: Origin | None = None) -> tuple[str, tuple[Section, ...]]:
    """(first heading or "", sections in text order).

    Includes, raw output and everything else that reads files is off; unknown roles and directives stay as they
    stand. A text of more than 2,000,000 characters or 40,000 lines is kept as one section without headings.
    With the ``origin`` of the text each section has its place.
    Raises ValueError when blocks are nested too deeply for docutils.
    """
    if not small_enough(text):
        return "", ((origin.whole(text) if origin else Section(text=text.strip("\n"))),)
    headings = _headings_of(text)
    return (headings[0].title if headings else ""), sections_under(_lines(text), headings, origin)


def anchors_in(text: str) -> Anchors:
    """The labels that lead to sections of a reStructuredText and do not follow from its headings."""
    return rst_anchors(text, _headings_of(text)) if small_enough(text) else everything_unknown()


def _lines(text: str) -> list[str]:
    return text.replace("\x0b", " ").replace("\x0c", " ").split("\n")


@lru_cache(maxsize=1)
def _headings_of(text: str) -> tuple[Heading, ...]:
    """Asked for twice of every text, one after the other."""
    lines = _lines(text)
    return tuple(_headings(_parsed(lines), lines, level=1))


def _parsed(lines: Sequence[str]) -> Any:
    settings = frontend.get_default_settings(Parser)
    for name, value in {**_SETTINGS, "warning_stream": io.StringIO()}.items():
        setattr(settings, name, value)
    inliner = states.Inliner()
    # Only blocks are needed: marks inside a line move no heading, and parsing them takes more than half the time.
    inliner.parse = lambda text, lineno, memo, parent: ([nodes.Text(text)], [])
    document = utils.new_document("text", settings)
    try:
        heading_parser(inliner).parse("\n".join(lines), document)
    except RecursionError:
        raise ValueError("the reStructuredText is nested too deeply to be read") from None
    return document


def _headings(parent: Any, lines: Sequence[str], *, level: int) -> Iterator[Heading]:
    for node in parent.children:
        if isinstance(node, nodes.section):
            title = _plain(node.next_node(nodes.title).astext())
            place = _title_lines(lines, node.line)
            if place and title:
                yield Heading(level, title, *place)
            yield from _headings(node, lines, level=level + 1)


def _title_lines(lines: Sequence[str], line: int | None) -> tuple[int, int] | None:
    """The lines (from 0, end excluded) of the title near ``line`` (from 1), which docutils counts at its underline."""
    for under in (0, -1, 1):
        place = (line or 0) - 1 + under
        if 0 < place < len(lines) and _RULE.fullmatch(lines[place]) and lines[place - 1].strip():
            over = place >= 2 and _RULE.fullmatch(lines[place - 2]) and lines[place - 2][:1] == lines[place][:1]
            return (place - 2 if over else place - 1), place + 1
    return None


def _plain(markup: str) -> str:
    """A heading's words without marks: ``The :pep:`8` way`` → ``The 8 way``."""
    words = _LINK.sub(lambda found: found[1].strip(), markup[: 4 * MAX_HEADING])
    return one_line(_EMPHASIS.sub(r"\2", words), MAX_HEADING)
