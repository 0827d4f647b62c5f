"""Reads ``relations.jsonl``: one edge a line, ``{"from", "to", "type"}``; every other field is kept as its metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from docgraph.boundary.json_lines import line_place, records
from docgraph.boundary.limits import MAX_RECORD_FILE
from docgraph.boundary.text import one_line
from docgraph.domain.graph import MAX_ID_LENGTH, Relationship
from docgraph.domain.report import Rejected
from docgraph.ingestion.linking import cleaned_edge

EXTRACTOR = "jsonl"
_MAX_PLACE = 60
_NAMES = {
    "from_document_id": ("from", "from_document_id", "source"),
    "relation_type": ("type", "relation_type", "via"),
    "to_document_id": ("to", "to_document_id", "target"),
}
# "where" is how published sets call the place; "dangling" is found out anew at every import.
_OWN_FIELDS = frozenset(("where", "place", "order", "dangling", "extractor"))


def read_relations(
    data: bytes, *, source: str, max_bytes: int = MAX_RECORD_FILE
) -> Iterator[tuple[str, Relationship] | Rejected]:
    """(place, edge) for each line that is one, ``Rejected`` for each that is none; blank lines are passed over.

    ``relationship_metadata`` holds ``extractor="jsonl"``, ``place`` (``where``, else ``record``), ``order`` (the given
    one, else the line's place in the file, from 0), ``source`` and every other field. Control characters in ids become
    spaces. An empty file holds no edges. Raises ValueError with one line when the file as a whole cannot be read
    (binary, too large, no known encoding …).
    """
    if not data.strip():
        return
    for number, record in records(data, max_bytes=max_bytes):
        if isinstance(record, Rejected):
            yield record
            continue
        place = line_place(number)
        try:
            yield place, _edge(record, number, source)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {_reason(error)}", place=place)


def _edge(record: Mapping[str, Any], number: int, source: str) -> Relationship:
    names = {field: _name_in(record, field) for field in _NAMES}
    others = {key: value for key, value in record.items() if key not in _OWN_FIELDS and key not in names.values()}
    where, order = record.get("where") or record.get("place"), record.get("order")
    metadata = {
        **others,
        "extractor": EXTRACTOR,
        "place": one_line(where, _MAX_PLACE) if isinstance(where, str) and where.strip() else "record",
        "order": order if isinstance(order, int) and not isinstance(order, bool) else number - 1,
        "source": source,
    }
    ends = {field: _text(record[name], name) for field, name in names.items()}
    return cleaned_edge(Relationship(**ends, relationship_metadata=metadata))


def _name_in(record: Mapping[str, Any], field: str) -> str:
    """Under which of its names a field stands. Raises ValueError when there is none."""
    name = next((name for name in _NAMES[field] if name in record), None)
    if name is None:
        raise ValueError(f"the relationship has no {_NAMES[field][0]!r}")
    return name


def _text(value: Any, name: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f"the field {name!r} is not a string but {type(value).__name__}")
    text = one_line(value, limit=MAX_ID_LENGTH + 1)  # one more, so that an id that is too long is told and not cut
    if not text:
        raise ValueError(f"the field {name!r} is empty")
    return text


def _reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)
