"""Writing to a terminal or a pipe: safe text, stable JSON, calm tables."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pydantic import BaseModel
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from docgraph.boundary.text import printable, printable_json
from docgraph.views.words.counts import cell_text

__all__ = ["console", "count", "heading", "line", "one_line", "plain", "printable", "table", "write_json"]

PIPE_WIDTH = 120
"""Columns of what is written to a pipe or a file."""
GAP = 3
MIN_LAST_WIDTH = 8
_LONG, _PIECES = 100, 10_000


def console() -> Console:
    """A console for the standard output: colours only on a terminal, 120 columns elsewhere; markup is plain text."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(markup=False, emoji=False, highlight=False, width=width, soft_wrap=False)


def write_json(value: Any, *, indent: int | None = 2, beside: Mapping[str, Any] | None = None) -> None:
    """Write ``value`` (a model or plain data) as indented JSON; control characters are escaped, equal values equal.

    ``indent=None`` writes it on one line. ``beside`` = plain data under further keys. It is made and written piece by
    piece: a model's long lists are turned into plain data row by row, so that no second copy of them is held.
    """
    data: Any = value
    if isinstance(value, BaseModel):
        data = plain(value) if indent is not None else value.model_dump(mode="json")
    if beside:
        data = {**data, **beside}
    encoder = json.JSONEncoder(indent=indent, ensure_ascii=False, allow_nan=False)
    pieces = encoder.iterencode(data) if indent is not None else iter((encoder.encode(data),))
    while piece := "".join(islice(pieces, _PIECES)):
        sys.stdout.buffer.write(printable_json(piece).encode())
    sys.stdout.buffer.write(b"\n")
    sys.stdout.flush()


def plain(value: BaseModel) -> dict[str, Any]:
    """``value.model_dump(mode="json")``, its long lists of models made when they are gone through."""
    long = {
        name
        for name in type(value).model_fields
        if isinstance(rows := getattr(value, name), tuple) and len(rows) >= _LONG and isinstance(rows[0], BaseModel)
    }
    if not long:
        return value.model_dump(mode="json")
    rest = value.model_dump(mode="json", exclude=long)
    keys = {name: field.alias or name for name, field in type(value).model_fields.items()}
    rows = {keys[name]: _Rows(getattr(value, name)) for name in long}
    return {
        key: rows[key] if key in rows else rest[key] for key in (*keys.values(), *rest) if key in rows or key in rest
    }


class _Rows(list[Any]):
    """Models that become plain data one by one, each time they are gone through."""

    def __iter__(self) -> Iterator[Any]:
        return (each.model_dump(mode="json") for each in super().__iter__())


def line(*parts: str | Text | tuple[str, str], indent: int = 0, whole: bool = False) -> None:
    """Write one line made of texts or (text, style) pairs, made printable; what wraps keeps the ``indent``.

    A ``whole`` line is never wrapped: a path that is to be copied.
    """
    text = Text()
    for part in parts:
        if isinstance(part, Text):
            text.append_text(part)
        else:
            content, style = (part, "") if isinstance(part, str) else part
            text.append(printable(content), style)
    console().print(Padding(text, (0, 0, 0, indent), expand=False) if indent else text, soft_wrap=whole)


def heading(text: str, aside: str = "") -> None:
    """Write a section's heading: an empty line, the name in bold, an aside in grey."""
    line("")
    line((text, "bold"), (f"  {aside}" if aside else "", "dim"))


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Sequence[str] = (), wrap: bool = False
) -> None:
    """Write rows under quiet column names; ``right`` names the columns of numbers.

    The last column takes the room that is left, and is cut there, or with ``wrap`` goes on in the next line.
    """
    screen = console()
    cells = [[cell if isinstance(cell, Text) else Text(one_line(cell_text(cell))) for cell in row] for row in rows]
    drawn = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim", padding=(0, GAP - 1, 0, 0))
    widths = [max([len(name), *(row[index].cell_len for row in cells)]) for index, name in enumerate(columns)]
    room = screen.width - sum(widths[:-1]) - GAP * (len(columns) - 1)
    tight = room < min(MIN_LAST_WIDTH, widths[-1])
    for index, name in enumerate(columns):
        last, number = index == len(columns) - 1, name in right
        drawn.add_column(
            name,
            justify="right" if number else "left",
            no_wrap=not (last and wrap),
            overflow="fold" if last and wrap else "ellipsis",
            min_width=widths[index] if number or not (last or tight) else None,
            max_width=max(room, MIN_LAST_WIDTH) if last else None,
        )
    for row in cells:
        drawn.add_row(*row)
    screen.print(drawn)


def one_line(text: str) -> str:
    """``text`` on one line, safe for a terminal."""
    return printable(" ".join(text.split()))


def count(number: int, noun: str) -> str:
    """``1 document`` / ``42 documents`` / ``2 queries``, with thousands separated."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1] + 'ies' if noun.endswith('y') else noun + 's'}"
