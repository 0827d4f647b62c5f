"""Splits YAML (``---``) or TOML (``+++``) front matter from a text, and reads it and sidecars without trusting them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from docgraph.boundary.imports.header_lines import KEY_LINE, Told, toml_lines, twice, yaml_lines
from docgraph.boundary.imports.plain_values import TooMuch, plain_json, read_toml, read_yaml
from docgraph.boundary.limits import MAX_FRONT_MATTER, MAX_FRONT_MATTER_DEPTH
from docgraph.domain.report import Adjusted, Rejected

_DOCUMENT_START = re.compile(r"(?:[ \t]*(?:#[^\n]{0,1000})?\n){0,100}---[ \t]*\n")
_FIELD = re.compile(r"[A-Za-z_][\w\-]{0,60}:(?:[ \t]|$)")
_FENCES = ("---", "+++")
_COMMENTS = 5
"""Comments that may stand between the beginning of a file and a header that is told to stand behind them."""


class FrontMatter(NamedTuple):
    """The fields of a header as plain JSON, the text below it, and what of the header is told.

    ``told`` names field and line: ``Adjusted`` what is read otherwise than YAML reads it, ``Rejected`` what is left
    out.
    """

    fields: dict[str, Any]
    body: str
    told: tuple[Told, ...] = ()


def split_front_matter(text: str) -> FrontMatter:
    """The header of a text and the text below it; a text without one is given back as it is. Nothing raises.

    A line that cannot be read costs that line: the others are read one by one, and it is told. A header is left out as
    a whole when it is too large (64,000 characters), too deep, or its aliases would grow to more than 5,000 values.
    """
    block, body = fenced(text)
    if block is None:
        return FrontMatter({}, text, _not_a_header(text))
    if not block.strip():
        return FrontMatter({}, body)
    is_toml = text.startswith("+++")
    try:
        read = _read(block, is_toml=is_toml, first_line=2)
    except ValueError as error:
        if not is_toml and not _begins_with_a_field(block):
            return FrontMatter({}, text)  # two rules of Markdown with much between them
        told = Rejected(reason=f"the header is left out, the text is kept: {error}", place="header")
        return FrontMatter({}, body, (told,))
    # Two rules with prose between them are Markdown, not metadata.
    return FrontMatter({}, text) if read is None else FrontMatter(read[0], body, read[1])


def fenced(text: str) -> tuple[str | None, str]:
    """(what stands between the fences at the top, the text below them); (None, text) where there are no fences."""
    fence = text[:3]
    if fence not in _FENCES:
        return None, text
    first_end = text.find("\n")
    if first_end < 0 or text[:first_end].rstrip() != fence:
        return None, text
    end = _closing_fence(text, first_end, fence)
    if end is None:
        return None, text  # a Markdown rule at the top, not front matter
    start, stop = end
    return text[first_end + 1 : start], text[stop:].lstrip("\n")


def read_sidecar(text: str, *, toml: bool = False, first_line: int = 1) -> tuple[dict[str, Any], tuple[Told, ...]]:
    """(fields of a file of YAML, JSON or TOML that lies beside a text, what of them is told, by field and line).

    ``first_line`` is where ``text`` starts in its file. Raises ValueError with one line that starts with "it" for what
    is no mapping, cannot be read line by line either, or is too large.
    """
    block = text.lstrip("\ufeff")
    start = _DOCUMENT_START.match(block)
    block = block[start.end() :] if start else block
    first_line += start[0].count("\n") if start else 0
    if not block.strip():
        return {}, ()
    read = _read(block, is_toml=toml, first_line=first_line)
    if read is None:
        raise ValueError("it holds no fields: a mapping of names to values is asked for")
    return read


def _read(block: str, *, is_toml: bool, first_line: int) -> tuple[dict[str, Any], tuple[Told, ...]] | None:
    """(fields, what is told of them); None for what is no mapping. Raises ValueError with one line."""
    if len(block) > MAX_FRONT_MATTER:
        raise ValueError(f"it has {len(block):,} characters; at most {MAX_FRONT_MATTER:,} are read: shorten it")
    try:
        if is_toml:
            return read_toml(block, first_line=first_line), ()
        value, doubles = read_yaml(block)
        if value is None:
            return {}, ()
        if not isinstance(value, dict):
            return None
        return dict(plain_json(value)), tuple(twice(each, first_line) for each in doubles)
    except RecursionError:
        raise ValueError(f"it is nested more than {MAX_FRONT_MATTER_DEPTH} levels deep") from None
    except TooMuch:
        raise
    except (yaml.YAMLError, ValueError, OverflowError, TypeError) as error:
        if block.lstrip()[:1] in ("{", "["):  # JSON has no lines of its own
            raise ValueError(f"it cannot be read: {_why(error, first_line)}") from None
        fields, told = (toml_lines if is_toml else yaml_lines)(block, first_line=first_line)
        if not fields:
            if first_line > 1 and not is_toml and not _begins_with_a_field(block):
                return None
            raise ValueError(f"it cannot be read: {_why(error, first_line)}") from None
        return fields, told


def _why(error: Exception, first_line: int) -> str:
    """One line on what is wrong with a block, with the line where it is known."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + first_line}" if mark else ""
        return f"{error.problem or error.context}{where}"
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _begins_with_a_field(block: str) -> bool:
    first = next((line for line in block.split("\n", 50)[:50] if line.strip() and not line.startswith("#")), "")
    return bool(KEY_LINE.match(first))


def _not_a_header(text: str) -> tuple[Told, ...]:
    """What is told of a text that holds something like a header where none is read."""
    fence = text[:3]
    if fence in _FENCES:
        lines = text.split("\n", 2)
        if len(lines) > 1 and lines[0].rstrip() == fence and _is_field(lines[1], fence):
            reason = f"the header is never closed, and read as text: end it with a line {fence!r}"
            return (Adjusted(reason=reason, place="header, line 1"),)
        return ()
    start = _behind_blank_lines(text)
    if not start or (fence := text[start : start + 3]) not in _FENCES:
        return ()
    block, _ = fenced(text[start:])
    if block is None or not _is_field(block.lstrip("\n").partition("\n")[0], fence):
        return ()
    line = text.count("\n", 0, start) + 1
    reason = f"the header in line {line} is read as text: a header has to begin in the first line"
    return (Adjusted(reason=reason, place=f"header, line {line}"),)


def _is_field(line: str, fence: str) -> bool:
    return bool(_FIELD.match(line)) if fence == "---" else bool(re.match(r"[A-Za-z_][\w\-]{0,60}[ \t]{0,10}=", line))


def _behind_blank_lines(text: str) -> int:
    """Where a text begins behind blank lines and comments of HTML."""
    place = 0
    for _ in range(_COMMENTS):
        while place < len(text) and text[place] in " \t\n\ufeff":
            place += 1
        if not text.startswith("<!--", place):
            break
        end = text.find("-->", place)
        if end < 0:
            break
        place = end + 3
    return place


def _closing_fence(text: str, first_end: int, fence: str) -> tuple[int, int] | None:
    """Where the closing fence line starts and ends."""
    ending = re.compile(rf"\n({re.escape(fence)}|\.\.\.)[ \t]*(?=\n|\Z)")
    found = ending.search(text, first_end)
    return None if found is None else (found.start() + 1, found.end())
