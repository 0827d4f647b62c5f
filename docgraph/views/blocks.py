"""An answer as plain data: headings, lines, tables and items; the terminal and Markdown each have a writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Tone = Literal["", "strong", "quiet", "warning"]
SHOWN = 10
"""Rows of a list that are shown; JSON has all."""


@dataclass(frozen=True)
class Title:
    """The first line of an answer, with an ``aside`` that only a terminal shows."""

    text: str
    aside: str = ""


@dataclass(frozen=True)
class Heading:
    """The heading of a section, with a count or a remark beside it."""

    text: str
    aside: str = ""


@dataclass(frozen=True)
class Line:
    """A sentence, or a label with a value."""

    text: str
    tone: Tone = ""
    label: str = ""


@dataclass(frozen=True)
class Facts:
    """Names with their values."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Chart:
    """A Mermaid chart, which only Markdown shows."""

    source: str


@dataclass(frozen=True)
class Table:
    """Rows under column names; ``right`` names the columns of numbers. ``wrap`` = the last column is never cut.

    ``copied`` = all cells but the first are ids or hashes to be copied.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    right: Sequence[str] = ()
    wrap: bool = False
    copied: bool = False


@dataclass(frozen=True)
class Item:
    """A list item: ``mark`` before and ``aside`` after its text, then a fix, notes, and ids to refer to it by."""

    text: str
    mark: str = ""
    aside: str = ""
    fix: str = ""
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rest:
    """``shown`` of ``total`` items stand above."""

    shown: int
    total: int


Block: TypeAlias = Title | Heading | Line | Facts | Chart | Table | Item | Rest


def first_rows(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], aside: str = "", *, shown: int = SHOWN
) -> Iterator[Block]:
    """A section with the first rows of a list, and a heading that counts them; nothing without rows."""
    if rows:
        counted = f"{min(len(rows), shown):,} of {len(rows):,}"
        counted = "; ".join(filter(None, (counted, aside, "--json lists all" if len(rows) > shown else "")))
        yield Heading(title, counted)
        yield Table(columns, rows[:shown], wrap=True)
