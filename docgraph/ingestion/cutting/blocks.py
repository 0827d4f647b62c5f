"""Finds tables and code in a text, with the lines that every part of them has to repeat."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_FENCE = re.compile(
    r"(?P<indent>[ \t]{0,40}(?:>[ \t]{0,3}){0,10}[ \t]{0,40})(?P<marker>(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?"
    r"(?P<fence>`{3,}|~{3,})(?P<info>.*)"
)
_GRID = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE = re.compile(r"=+(?: +=+)+")
_DELIMITER = re.compile(r":?-+:?")
_DIRECTIVE = re.compile(r"[ \t]{0,40}\.\. (?:code-block|code|sourcecode|parsed-literal)::.*")
_SIGNS = ("```", "~~~", "|", "+-", "==", "::")


@dataclass(frozen=True)
class Block:
    """A table or code between the characters ``start`` and ``stop`` of its text.

    ``rows`` are (start, end) of the stretches that stay whole, in text order; what stands before the first of them is
    the block's own beginning, what stands behind the last one its own end. A later part begins with ``head``, a part
    that is not the last one ends with ``tail`` ("" = nothing); both are whole lines without the newline at their end.
    ``breaks`` are the rows before which a cut is best: those after a blank line of code.
    """

    start: int
    stop: int
    rows: tuple[tuple[int, int], ...]
    head: str
    tail: str = ""
    breaks: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Lines:
    """A block by lines (from 0, ends excluded); ``rows`` are the lines at which a row begins."""

    first: int
    body: int
    end: int
    last: int
    head: str
    tail: str = ""
    rows: Sequence[int] = ()
    code: bool = False


def find_blocks(text: str, *, literal_blocks: bool = False) -> list[Block]:
    """Blocks in text order, apart from each other; time is linear in the text.

    Pipe tables, reStructuredText's grid and simple tables, fenced code (in lists and quotes too). With
    ``literal_blocks`` also reStructuredText's ``::`` and ``.. code-block::``.
    """
    if not any(sign in text for sign in _SIGNS):
        return []
    lines = text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    finders: tuple[Callable[[Sequence[str], int], _Lines | None], ...] = (_fenced, _pipe_table, _grid_table)
    finders += (_simple_table, *((_literal,) if literal_blocks else ()))
    blocks, place = [], 0
    while place < len(lines):
        found = next((each for finder in finders if (each := finder(lines, place))), None)
        if found is not None and found.end > found.body:
            blocks.append(_block(found, lines, offsets))
        place = place + 1 if found is None else found.last
    return blocks


def _block(found: _Lines, lines: Sequence[str], offsets: Sequence[int]) -> Block:
    starts = [found.body, *(row for row in found.rows if row > found.body)]
    ends = [*starts[1:], found.end]
    blank = [place for place, row in enumerate(starts) if found.code and row and not lines[row - 1].strip()]
    return Block(
        start=offsets[found.first],
        stop=offsets[found.last] - 1,
        rows=tuple((offsets[start], offsets[end] - 1) for start, end in zip(starts, ends, strict=True)),
        head=found.head,
        tail=found.tail,
        breaks=frozenset(blank),
    )


def _fenced(lines: Sequence[str], place: int) -> _Lines | None:
    """Code between fences; without a closing one it goes to the end of its quote, or of the text."""
    if "```" not in lines[place] and "~~~" not in lines[place]:
        return None
    opening = _FENCE.fullmatch(lines[place])
    if opening is None or (opening["fence"][0] == "`" and "`" in opening["info"]):
        return None
    fence, depth = opening["fence"], opening["indent"].count(">")
    indent = opening["indent"] + " " * len(opening["marker"] or "")
    end = last = place + 1
    while end < len(lines):
        bare = lines[end].lstrip(" \t>" if depth else " \t").rstrip()
        if len(bare) >= len(fence) and bare == fence[0] * len(bare):
            last = end + 1
            break
        if depth and not lines[end].lstrip().startswith(">"):
            last = end
            break
        end += 1
        last = end
    head = f"{indent}{fence}{opening['info']}"
    return _Lines(place, place + 1, end, last, head, f"{indent}{fence}", range(place + 1, end), code=True)


def _pipe_table(lines: Sequence[str], place: int) -> _Lines | None:
    """A heading row, a row of dashes with as many cells, and rows until a line without a pipe."""
    if "|" not in lines[place] or place + 1 >= len(lines):
        return None
    cells = _cells(lines[place + 1])
    if not all(_DELIMITER.fullmatch(cell.strip()) for cell in cells) or "|" not in lines[place + 1]:
        return None
    if len(_cells(lines[place])) != len(cells):
        return None
    end = place + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return _Lines(place, place + 2, end, end, "\n".join(lines[place : place + 2]), rows=range(place + 2, end))


def _cells(line: str) -> list[str]:
    bare = line.strip("> \t").replace("\\|", "")
    return bare.removeprefix("|").removesuffix("|").split("|")


def _grid_table(lines: Sequence[str], place: int) -> _Lines | None:
    """Rows between rules; those under a rule of ``=`` belong to the heading rows above it."""
    if not _GRID.fullmatch(lines[place].strip()):
        return None
    end = place + 1
    while end < len(lines) and lines[end].lstrip()[:1] in ("+", "|"):
        end += 1
    rules = [row for row in range(place, end) if _GRID.fullmatch(lines[row].strip())]
    under = next((row for row in rules if "=" in lines[row]), place)
    head = "\n".join(lines[place : under + 1])
    return _Lines(place, under + 1, end, end, head, rows=[rule + 1 for rule in rules if under < rule < end - 1])


def _simple_table(lines: Sequence[str], place: int) -> _Lines | None:
    """Rows between rules of ``=`` with gaps; with a third rule, what stands above the second one is the heading."""
    rule = lines[place].strip()
    if not _SIMPLE.fullmatch(rule):
        return None
    rules = []
    for row in range(place + 1, len(lines)):
        if not lines[row].strip() and not lines[row - 1].strip():
            break
        if _SIMPLE.fullmatch(lines[row].strip()):
            rules.append(row)
            if len(rules) == 2 or row + 1 >= len(lines) or not lines[row + 1].strip():
                break
    if not rules:
        return None
    body = rules[0] + 1 if len(rules) == 2 else place + 1
    column = len(lines[place]) - len(lines[place].lstrip())
    rows = [row for row in range(body, rules[-1]) if lines[row][column : column + 1].strip()]
    head = "\n".join(lines[place:body])
    return _Lines(place, body, rules[-1], rules[-1] + 1, head, lines[place], rows)


def _literal(lines: Sequence[str], place: int) -> _Lines | None:
    """An indented block under ``.. code-block::`` or a line that ends with ``::``."""
    line = lines[place]
    if "::" not in line:
        return None
    directive = _DIRECTIVE.fullmatch(line)
    if directive is None and (not line.rstrip().endswith("::") or line.lstrip().startswith("..")):
        return None
    body, indent = place + 1, _indent(line)
    while directive and body < len(lines) and lines[body].lstrip().startswith(":") and _indent(lines[body]) > indent:
        body += 1
    if body >= len(lines) or lines[body].strip():
        return None
    while body < len(lines) and not lines[body].strip():
        body += 1
    end = last = body
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > indent):
        end += 1
        last = end if lines[end - 1].strip() else last
    head = line.rstrip() if directive else f"{line[:indent]}::"
    return _Lines(place, body, last, last, f"{head}\n", rows=range(body, last), code=True)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
