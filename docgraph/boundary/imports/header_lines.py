"""A header that cannot be read as a whole, read field by field: a bad line costs that line, and is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml

from docgraph.boundary.imports.plain_values import Double, plain_json, read_toml, read_yaml
from docgraph.domain.report import Adjusted, Rejected

Told = Adjusted | Rejected
Fields = dict[str, Any]

KEY_LINE = re.compile(r"[\"']?([\w@$][\w .\-/@$]{0,80}?)[\"']?[ \t]{0,20}:(?:[ \t]+|$)")
"""The beginning of ``key: value``."""

_TOML_LINE = re.compile(r"[\"']?([\w.\-]{1,80}?)[\"']?[ \t]{0,20}=[ \t]*")
_TOML_TABLE = re.compile(r"\[{1,2}[ \t]*([\w.\-]{1,80})[ \t]*\]{1,2}[ \t]*(?:#.*)?")
MAX_LINES, MAX_TOLD, MAX_TEXT = 2_000, 100, 60
MAX_TRIES = 400
"""Fields that are tried as YAML by themselves; those behind them are read as texts."""


class _Item(NamedTuple):
    """A line with a key, and the lines that belong to it; ``line`` = its place from 0."""

    key: str
    line: int
    first: str
    more: tuple[str, ...]


def yaml_lines(block: str, *, first_line: int) -> tuple[Fields, tuple[Told, ...]]:
    """(fields of a block of YAML, read one by one; what was read otherwise or left out, with field and line).

    ``first_line`` is where the block starts in its file. Of a key that stands twice the last one counts.
    """
    items, told = _items(block, first_line)
    fields: Fields = {}
    lines: dict[str, int] = {}
    for n, item in enumerate(items):
        value, said = _value(item, first_line, is_tried=n < MAX_TRIES)
        told += said
        if item.key in lines:
            told.append(twice(Double(item.key, lines[item.key], item.line), first_line))
        if not any(isinstance(each, Rejected) for each in said) or value is not None:
            fields[item.key] = value
        lines[item.key] = item.line
    return dict(plain_json(fields)), _few(told)


def toml_lines(block: str, *, first_line: int) -> tuple[Fields, tuple[Told, ...]]:
    """The same for a block of TOML: ``key = value`` a line, tables by their names."""
    fields: Fields = {}
    told: list[Told] = []
    lines: dict[tuple[str, str], int] = {}
    table, into = "", fields
    for n, line in enumerate(block.split("\n")[:MAX_LINES]):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if found := _TOML_TABLE.fullmatch(bare):
            table = found[1]
            inner = fields.setdefault(table, {})
            into = inner if isinstance(inner, dict) else fields
            continue
        found = _TOML_LINE.match(bare)
        if found is None:
            told.append(left_out(bare, n + first_line, "it is not 'key = value'"))
            continue
        key = found[1]
        if (table, key) in lines:
            told.append(twice(Double(key, lines[table, key], n), first_line))
        try:
            read = read_toml(bare)
            into[key] = next(iter(read.values()))
        except (ValueError, RecursionError) as error:
            into[key] = _as_text(bare[found.end() :])
            told.append(as_text(key, n + first_line, into[key], error))
        lines[table, key] = n
    return dict(plain_json(fields)), _few(told)


def twice(double: Double, first_line: int) -> Adjusted:
    """What is said of a key that stands twice."""
    line = double.again + first_line
    return Adjusted(
        reason=f"the field {double.key!r} stands twice, in line {double.first + first_line} and line {line}: "
        "the last one counts",
        place=f"header, line {line}",
    )


def left_out(text: str, line: int, why: str) -> Rejected:
    """What is said of a line that is left out."""
    return Rejected(reason=f"line {line} of the header is left out, {why}: {text[:MAX_TEXT]!r}", place=_place(line))


def as_text(key: str, line: int, value: Any, error: Exception) -> Adjusted:
    """What is said of a field whose value is taken as a text."""
    shown = repr(value)[: MAX_TEXT + 2]
    return Adjusted(
        reason=f"the field {key!r} in line {line} of the header is read as it stands: {shown} ({_why(error)})",
        place=_place(line),
    )


def _place(line: int) -> str:
    return f"header, line {line}"


def _why(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError):
        return str(error.problem or error.context)[:120]
    return (str(error).splitlines() or [type(error).__name__])[0][:120]


def _items(block: str, first_line: int) -> tuple[list[_Item], list[Told]]:
    """The fields at the top level in order, and lines that belong to none."""
    items: list[_Item] = []
    told: list[Told] = []
    more: list[str] = []
    lines = block.split("\n")
    for n, line in enumerate(lines[:MAX_LINES]):
        found = KEY_LINE.match(line)
        if found and not line.startswith("- "):
            more = []
            items.append(_Item(found[1].strip(), n, line[found.end() :], ()))
        elif not line.strip() or line.lstrip().startswith("#"):
            if items:
                more.append("")
        elif items and (line[0] in " \t" or line.startswith("-") or (line[0] in "]}" and more)):
            more.append(line)
        else:
            told.append(left_out(line.strip(), n + first_line, "it is not 'key: value'"))
            more.append("")  # so that the lines behind it keep their numbers
            continue
        if items and more:
            items[-1] = items[-1]._replace(more=tuple(more))
    if len(lines) > MAX_LINES:
        told.append(left_out("…", MAX_LINES + first_line, f"as all behind the first {MAX_LINES:,}"))
    return items, told


def _value(item: _Item, first_line: int, *, is_tried: bool) -> tuple[Any, list[Told]]:
    """The value of one field: as YAML reads it alone, else as a list or a text; None where nothing is left of it."""
    text = "\n".join((f"{item.key}: {item.first}", *item.more))
    line = item.line + first_line
    error: Exception = ValueError(f"there are more than {MAX_TRIES} fields")
    if is_tried:
        try:
            value, doubles = _alone(text, item.key)
            return value, [twice(each, line) for each in doubles]
        except (yaml.YAMLError, ValueError, OverflowError, RecursionError, TypeError) as problem:
            error = problem
    if item.first.strip() and not item.first.strip().startswith(("|", ">")):
        told: list[Told] = []
        value = _as_text(item.first)
        told.append(as_text(item.key, line, value, error))
        told += (
            left_out(each.strip(), line + n, f"it belongs to the field {item.key!r}, which is read as it stands")
            for n, each in enumerate(item.more, start=1)
            if each.strip()
        )
        return value, told
    return _listed(item, line, error)


def _alone(text: str, key: str) -> tuple[Any, tuple[Double, ...]]:
    """A field read without the others. Raises what the parser raises."""
    parsed = read_yaml(text)
    if not isinstance(parsed.value, dict) or len(parsed.value) != 1:
        raise ValueError("it is not one field")
    (value,) = plain_json(parsed.value).values()
    return value, parsed.doubles


def _listed(item: _Item, line: int, error: Exception) -> tuple[Any, list[Told]]:
    """``- one`` and the like below a key, each read alone; what is nested below it is left out."""
    values: list[Any] = []
    told: list[Told] = []
    for n, each in enumerate(item.more, start=1):
        bare = each.strip()
        if not bare:
            continue
        if bare.startswith("- ") and len(values) < MAX_TRIES:
            values.append(_entry(bare[2:], item.key, line + n, told))
        else:
            told.append(left_out(bare, line + n, f"it cannot be read under {item.key!r} ({_why(error)})"))
    return (values or None), told or [left_out(item.key, line, _why(error))]


def _entry(text: str, key: str, line: int, told: list[Told]) -> Any:
    try:
        return _alone(f"x: {text}", "x")[0]
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, TypeError) as error:
        value = _as_text(text)
        told.append(as_text(key, line, value, error))
        return value


def _as_text(text: str) -> Any:
    """What stands behind a key without its comment and quotes; ``[a, b]`` is a list of such texts."""
    comment = min((place for mark in (" #", "\t#") if (place := text.find(mark)) >= 0), default=len(text))
    bare = text[:comment].strip()
    if len(bare) >= 2 and bare[0] == "[" and bare[-1] == "]" and not bare.startswith("[["):
        return [_unquoted(each) for each in bare[1:-1].split(",") if each.strip()]
    return _unquoted(bare)


def _unquoted(text: str) -> str:
    bare = text.strip()
    return bare[1:-1] if len(bare) >= 2 and bare[0] == bare[-1] and bare[0] in "\"'" else bare


def _few(told: Sequence[Told]) -> tuple[Told, ...]:
    """As many as a report can show; the last one says how many more there are."""
    if len(told) <= MAX_TOLD:
        return tuple(told)
    more = len(told) - MAX_TOLD
    return (*told[:MAX_TOLD], Rejected(reason=f"{more:,} more lines of the header are not read", place="header"))
