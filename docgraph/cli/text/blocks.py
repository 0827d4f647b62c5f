"""Writes the blocks of an answer to a terminal, or as Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from docgraph.cli.text.output import heading, line, table
from docgraph.views.blocks import Block, Facts, Heading, Item, Line, Rest, Table, Title
from docgraph.views.report import as_markdown

STYLES = {"strong": "bold", "quiet": "dim", "warning": "yellow", "": ""}
MARKS = {"passes": "green", "fails": "bold red"}


def show_blocks(blocks: Iterable[Block], *, markdown: bool = False) -> None:
    """Write an answer to the terminal, or as Markdown."""
    if markdown:
        sys.stdout.buffer.write(as_markdown.written(blocks).encode("utf-8", "replace"))
        sys.stdout.flush()
        return
    for block in blocks:
        _show(block)


def _show(block: Block) -> None:
    match block:
        case Title(text, aside):
            line((text, "bold"), (f"  {aside}" if aside else "", "dim"))
        case Heading(text, aside):
            heading(text, aside)
        case Line(text, tone, label):
            line((f"{label:<16}" if label else "", "dim"), (text, STYLES[tone]))
        case Table(columns, rows, right, wrap):
            table(columns, rows, right=right, wrap=wrap)
        case Facts(rows):
            for name, text in rows:
                line((f"{name:<16}", "dim"), text)
        case Rest(shown, total):
            line((f"{shown:,} of {total:,} shown; --json has all, --limit N shows more", "dim"), indent=2)
        case Item(text, mark, aside, fix, notes, ids):
            style = MARKS.get(mark, "")
            line((f"{mark:<8}" if style else f"{mark}: " if mark else "", style), text, indent=0 if style else 2)
            for note in filter(None, (f"fix: {fix}" if fix else "", *notes, " · ".join(filter(None, (*ids, aside))))):
                line((note, "dim"), indent=4)
