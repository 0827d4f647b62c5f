"""Cuts a text into sections by the headings that a format's parser has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.boundary.limits import MAX_OUTLINE_CHARACTERS, MAX_OUTLINE_LINES
from docgraph.domain.graph import Section

MAX_HEADING = 300


@dataclass(frozen=True)
class Heading:
    """A heading of ``level`` (1 = outermost) that fills the lines ``start`` … ``end`` − 1, counted from 0."""

    level: int
    title: str
    start: int
    end: int


def small_enough(text: str) -> bool:
    """Whether a parser that keeps an object per line may see ``text``; a larger one is kept without headings."""
    return len(text) <= MAX_OUTLINE_CHARACTERS and text.count("\n") < MAX_OUTLINE_LINES


def sections_under(lines: Sequence[str], headings: Sequence[Heading]) -> tuple[Section, ...]:
    """The sections in text order, each with its heading path and its raw lines (without the heading's own).

    A heading with nothing under it, not even a deeper heading, keeps its own words as text, so that they are found.
    """
    sections = []
    first = _body(lines, 0, headings[0].start if headings else len(lines))
    if first:
        sections.append(Section(text=first))
    path: list[Heading] = []
    for place, heading in enumerate(headings):
        following = headings[place + 1] if place + 1 < len(headings) else None
        path = [*(outer for outer in path if outer.level < heading.level), heading]
        text = _body(lines, heading.end, following.start if following else len(lines))
        if not text and (following is None or following.level <= heading.level):
            text = heading.title
        if text:
            sections.append(Section(heading_path=tuple(outer.title for outer in path), text=text))
    return tuple(sections)


def _body(lines: Sequence[str], start: int, end: int) -> str:
    """The lines without blank ones at both ends; indentation stays."""
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return "\n".join(lines[start:end])
