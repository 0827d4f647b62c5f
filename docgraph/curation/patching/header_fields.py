"""Names of documents in header fields (``Requires: 8, 20``) and docinfo (``:Requires: 8``), edited in their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docgraph.curation.patching.blocks import newline_of
from docgraph.curation.patching.names import is_nothing, parts_of, without_part
from docgraph.domain.imports.fields import field_key

_FIELD = re.compile(r"(:?)([A-Za-z][A-Za-z0-9 _-]{0,60}):([ \t]*)")


@dataclass(frozen=True)
class _Field:
    """A field: its lines are ``block[start:end]``, its value ``block[value:last]`` (without the last line ending)."""

    name: str
    start: int
    value: int
    last: int
    end: int


def drop(block: str, field: str, raw: str) -> Iterator[str]:
    """The block without one of the names in ``field``: first one that reads ``raw``, then each other one."""
    for each, part in _parts(block, field, raw):
        rest = without_part(block[each.value : each.last], part)
        if rest is None:
            yield block[: each.start] + block[each.end :]
        else:
            yield block[: each.value] + rest + block[each.last :]


def put(block: str, field: str, raw: str, new: str) -> Iterator[str]:
    """The block with ``new`` in the place of one of the names in ``field``, in the same order."""
    for each, (start, end) in _parts(block, field, raw):
        yield block[: each.value + start] + new + block[each.value + end :]


def more(block: str, field: str, new: str) -> Iterator[str]:
    """The block with ``new`` as one more name in ``field``, which is made when it is not there."""
    fields = _fields(block)
    there = [each for each in fields if field_key(each.name) == field_key(field)]
    for each in there:
        value = block[each.value : each.last]
        if is_nothing(value):
            space = "" if block[each.value - 1] in " \t" else " "
            yield block[: each.value] + space + new + block[each.last :]
        else:
            comma = "," if value.rstrip().endswith(",") else ", "
            yield block[: each.value] + value.rstrip() + comma + new + block[each.last :]
    if there or not fields:
        return
    colon = ":" if block[fields[0].start] == ":" else ""
    newline, last = newline_of(block), fields[-1]
    gap = "" if last.end > last.last else newline
    yield f"{block[: last.end]}{gap}{colon}{field}: {new}{'' if gap else newline}{block[last.end :]}"


def _fields(block: str) -> list[_Field]:
    found: list[_Field] = []
    place = 0
    for line in block.splitlines(keepends=True):
        end = place + len(line)
        last = place + len(line.rstrip("\r\n"))
        if line[:1] in (" ", "\t") and found:
            before = found.pop()
            found.append(_Field(before.name, before.start, before.value, last, end))
        elif opened := _FIELD.match(line):
            found.append(_Field(opened[2], place, place + opened.end(), last, end))
        place = end
    return found


def _parts(block: str, field: str, raw: str) -> list[tuple[_Field, tuple[int, int]]]:
    found = []
    for each in _fields(block):
        if field_key(each.name) == field_key(field):
            value = block[each.value : each.last]
            found += [(value[s:e] == raw, each, (s, e)) for s, e in parts_of(value)]
    return [(each, part) for _, each, part in sorted(found, key=lambda entry: not entry[0])]
