"""Cuts a text into sections by the headings that a format's parser has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from docgraph.boundary.limits import MAX_OUTLINE_CHARACTERS, MAX_OUTLINE_LINES
from docgraph.domain.graph import ChunkPlace, Section

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


@dataclass(frozen=True)
class Origin:
    """Where a body begins in its source: ``start`` in characters from 0, ``line`` from 1."""

    start: int = 0
    line: int = 1

    @classmethod
    def of(cls, body: str, source: str) -> Origin | None:
        """That of a body which is the end of its source; None when it is not."""
        if not source.endswith(body):
            return None
        start = len(source) - len(body)
        return cls(start, 1 + source.count("\n", 0, start))

    def whole(self, body: str) -> Section:
        """The body as one section, without blank lines at its ends."""
        text = body.strip("\n")
        before = len(body) - len(body.lstrip("\n"))
        start = self.start + before
        return Section(text=text, place=ChunkPlace(start=start, end=start + len(text), line=self.line + before))


def sections_under(
    lines: Sequence[str], headings: Sequence[Heading], origin: Origin | None = None
) -> tuple[Section, ...]:
    """The sections in text order, each with its heading path and its raw lines (without the heading's own).

    With the ``origin`` of the lines each section has its place.

    A heading with nothing under it, not even a deeper heading, keeps its own words as text, so that they are found.
    """
    sections = []
    body = _Body(lines, origin)
    first = body.section(0, headings[0].start if headings else len(lines), ())
    if first:
        sections.append(first)
    path: list[Heading] = []
    for place, heading in enumerate(headings):
        following = headings[place + 1] if place + 1 < len(headings) else None
        path = [*(outer for outer in path if outer.level < heading.level), heading]
        titles = tuple(outer.title for outer in path)
        section = body.section(heading.end, following.start if following else len(lines), titles)
        if section is None and (following is None or following.level <= heading.level):
            section = body.title(heading, titles)
        if section:
            sections.append(section)
    return tuple(sections)


class _Body:
    """The lines of a body, and at which character of the source each begins, where that is known."""

    def __init__(self, lines: Sequence[str], origin: Origin | None) -> None:
        self._lines, self._origin = lines, origin
        self._starts = (
            [] if origin is None else list(accumulate((len(line) + 1 for line in lines), initial=origin.start))
        )

    def section(self, start: int, end: int, path: tuple[str, ...]) -> Section | None:
        """The lines without blank ones at both ends, indentation kept; None when nothing is left."""
        lines = self._lines
        while start < end and not lines[start].strip():
            start += 1
        while end > start and not lines[end - 1].strip():
            end -= 1
        text = "\n".join(lines[start:end])
        return Section(heading_path=path, text=text, place=self._place(start, 0, text)) if text else None

    def title(self, heading: Heading, path: tuple[str, ...]) -> Section:
        """The words of a heading as its text; their place is known where they stand so in one line."""
        for line in range(heading.start, heading.end):
            column = self._lines[line].find(heading.title)
            if column >= 0:
                place = self._place(line, column, heading.title)
                return Section(heading_path=path, text=heading.title, place=place)
        return Section(heading_path=path, text=heading.title)

    def _place(self, line: int, column: int, text: str) -> ChunkPlace | None:
        if self._origin is None:
            return None
        start = self._starts[line] + column
        return ChunkPlace(start=start, end=start + len(text), line=self._origin.line + line)
