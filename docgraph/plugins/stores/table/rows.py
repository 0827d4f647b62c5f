"""A chunk as a foreign table holds it, and what its metadata say: hostile data, read within bounds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docgraph.boundary.shape import check_json
from docgraph.boundary.text import clean, one_line
from docgraph.domain.graph import MAX_ID_LENGTH, MAX_METADATA_DEPTH, Vector

MAX_FIELDS_TEXT = 1_000_000
"""Characters of one chunk's metadata."""
MAX_VALUES = 20_000
NODE = "_node_content"
"""The field in which LlamaIndex keeps the whole node as text."""
_NOBODY = ("", "None")
"""What LlamaIndex writes where a node belongs to no document."""


@dataclass(frozen=True, eq=False)
class Row:
    """A chunk: its position in the table (only for its order), its id, text, vector (as stored) and metadata.

    ``fields`` is None where the metadata are no object, or beyond what is read. ``node`` is what LlamaIndex says of it,
    ``fault`` why it cannot be read at all.
    """

    place: tuple[Any, ...]
    key: str
    text: str
    vector: Vector | None
    fields: Mapping[str, Any] | None
    node: Mapping[str, Any]
    fault: str = ""


def read_object(text: str | None) -> dict[str, Any] | None:
    """The object that ``text`` is; empty for nothing, None for another value and for what is too large or too deep."""
    if text is None or text == "null":
        return {}
    if len(text) > MAX_FIELDS_TEXT:
        return None
    try:
        check_json(text, max_values=MAX_VALUES)
        value = json.loads(text, parse_float=_finite)
    except ValueError:
        return None
    return value if isinstance(value, dict) and _depth(value) <= MAX_METADATA_DEPTH else None


def fields_of_source(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a node of LlamaIndex says of the document that it was cut out of (relation 1)."""
    relations = node.get("relationships")
    source = relations.get("1") if isinstance(relations, Mapping) else None
    fields = source.get("metadata") if isinstance(source, Mapping) else None
    return fields if isinstance(fields, Mapping) else {}


def name_of(value: Any) -> str:
    """A text or a number as an id, on one line; empty for anything else and for what is too long."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    name = one_line(clean(str(value)), MAX_ID_LENGTH + 1)
    return "" if name in _NOBODY or len(name) > MAX_ID_LENGTH else name


def line_of(value: Any, limit: int) -> str:
    """A text on one line; empty for anything else."""
    return one_line(value, limit) if isinstance(value, str) else ""


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)
