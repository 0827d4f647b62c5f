"""Where the metadata of a text stand: front matter, a header, or the whole file; every place in characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from docgraph.boundary.limits import MAX_FRONT_MATTER, MAX_HEADER_LINES

Kind = Literal["yaml", "toml", "header"]
MAX_BLOCK = 4 * MAX_FRONT_MATTER
_YAML, _TOML, _RST = (".yaml", ".yml"), (".toml",), (".rst", ".rest")
_OPENING = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n")
_FIELD = re.compile(r":?[A-Za-z][A-Za-z0-9 _-]{0,60}:(?:[ \t]|\r?$)")


@dataclass(frozen=True)
class Block:
    """``text[start:end]`` of a file, without the fences around it."""

    kind: Kind
    start: int
    end: int


def blocks_of(text: str, name: str) -> tuple[Block, ...]:
    """The blocks of metadata in the file ``name``, in text order; one too large to be read is none."""
    suffix = name[name.rfind(".") :].casefold() if "." in name else ""
    start = 1 if text.startswith("\ufeff") else 0
    if suffix in _YAML + _TOML:
        found = [Block("yaml" if suffix in _YAML else "toml", start, len(text))]
    else:
        front = _front_matter(text)
        found = [] if front is None else [front]
        if suffix in _RST:
            found += _header(text, start)
    return tuple(block for block in found if block.end - block.start <= MAX_BLOCK)


def newline_of(text: str) -> str:
    """The line ending of a text, by its first line."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def _front_matter(text: str) -> Block | None:
    opened = _OPENING.match(text)
    if opened is None:
        return None
    fence = re.escape(opened[1])
    closed = re.compile(rf"^(?:{fence}|\.\.\.)[ \t]*\r?$", re.MULTILINE).search(text, opened.end())
    return None if closed is None else Block("yaml" if opened[1] == "---" else "toml", opened.end(), closed.start())


def _header(text: str, start: int) -> list[Block]:
    """The first stretches of lines that hold fields only: at the top, or under a title."""
    place, block, found = start, start, []
    for line in text[start:].splitlines(keepends=True)[: 2 * MAX_HEADER_LINES]:
        if not line.strip():
            if _is_fields(text[block:place]):
                found.append(Block("header", block, place))
                break
            block = place + len(line)
        place += len(line)
    return found


def _is_fields(block: str) -> bool:
    lines = block.splitlines()
    if not lines or len(lines) > MAX_HEADER_LINES or not _FIELD.match(lines[0]):
        return False
    return all(line[0] in " \t" or _FIELD.match(line) for line in lines)
