"""Finds the headings of reStructuredText with docutils and cuts the text into sections."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states

from docgraph.boundary.text import one_line
from docgraph.domain.graph import Section
from docgraph.plugins.loaders._anchors import Anchors, everything_unknown, rst_anchors
from docgraph.plugins.loaders._outline import MAX_HEADING, Heading, Origin, sections_under, small_enough
from docgraph.plugins.loaders._rst.states import heading_parser

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
