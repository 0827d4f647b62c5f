"""Lines and tables for a pipe or a file, as rich would write them there: without loading it, where nothing is special.

Special are colours, characters that are not one cell wide, words longer than a line, and columns that have to be cut.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
from collections.abc import Sequence

PIPE_WIDTH = 120
GAP = 3
_PLAIN = re.compile(
    "[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u2013\u2014\u2018-\u201d\u2026\u2190-\u2193\u2500-\u25fc\n]*"
)
_WORD = re.compile(r"\s*\S+\s*")
_RULE = "\u2500"
_DECIDES = ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE")
"""Variables by which rich is told that a pipe is a terminal, or how wide it is."""


def is_piped() -> bool:
    """Whether the standard output is no terminal, and nobody says that it is to be written to like one."""
    out = sys.stdout
    return (
        sys.platform != "win32"
        and not out.isatty()
        and (out.encoding or "").lower().startswith("utf")
        and not any(name in os.environ for name in _DECIDES)
        and not hasattr(builtins, "get_ipython")
    )


def wrapped(text: str, indent: int = 0, *, whole: bool = False) -> str | None:
    """``text`` in lines, each with its end; None where rich has to write it. A ``whole`` line is never wrapped."""
    if _PLAIN.fullmatch(text) is None or (whole and indent):
        return None
    lines = text.split("\n")
    room = PIPE_WIDTH - indent
    if indent:
        room = min(room, max(map(len, lines)))
    if room < 1:
        return None
    if not whole:
        cut = [_cut(line, room) for line in lines]
        if None in cut:
            return None
        lines = [part for parts in cut if parts is not None for part in parts]
    if indent:
        lines = [" " * indent + line.ljust(room) for line in lines]
    return "".join(f"{line}\n" for line in lines)


def _cut(line: str, room: int) -> list[str] | None:
    """A line at its spaces, each piece at most ``room`` characters; None where a word is longer."""
    if len(line) <= room:
        return [line]
    starts, used = [0], 0
    for found in _WORD.finditer(line):
        word = found.group()
        needed = len(word.rstrip())
        if needed > room:
            return None
        if needed > room - used and used and found.start():
            starts.append(found.start())
            used = 0
        used += len(word)
    pieces = [line[start:end] for start, end in zip(starts, [*starts[1:], len(line)], strict=True)]
    return [_without_end(piece, room) for piece in pieces]


def _without_end(piece: str, room: int) -> str:
    """Spaces that stand behind the edge are taken away."""
    return piece if len(piece) <= room else piece[: max(room, len(piece.rstrip()))]


def tabulated(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> str | None:
    """A table in lines, each with its end; None where rich has to write it."""
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    width = sum(widths) + GAP * (len(widths) - 1)
    texts = [*columns, *(cell for row in rows for cell in row)]
    if not rows or width > PIPE_WIDTH or any("\n" in text or _PLAIN.fullmatch(text) is None for text in texts):
        return None
    made = []
    for row in (columns, *rows):
        cells = [
            cell.rjust(n) if name in right else cell.ljust(n)
            for name, n, cell in zip(columns, widths, row, strict=True)
        ]
        made.append((" " * GAP).join(cells))
    return "".join(f"{line}\n" for line in (made[0], _RULE * width, *made[1:]))


def write(text: str) -> None:
    """Write to the standard output at once; where its reader has left, end as rich does."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
