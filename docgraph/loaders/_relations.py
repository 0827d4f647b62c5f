"""Reads ``relations.jsonl``, the relationships that lie beside a file of documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.domain.graph import MAX_ID_LENGTH, Relationship
from docgraph.domain.report import Rejected
from docgraph.loaders._decoding import one_line
from docgraph.loaders._plain_json import plain_json
from docgraph.loaders._records import line_place, records

FILE_NAME = "relations.jsonl"
MAX_BYTES = 500_000_000
_MAX_TYPE = 100
_OWN_FIELDS = frozenset(("from", "to", "type", "where", "order", "dangling", "extractor", "place"))


def load_relations(data: bytes, *, source: str, max_bytes: int = MAX_BYTES) -> Iterator[Relationship | Rejected]:
    """Relationships from ``{"from", "to", "type", "where"?, "order"?, …}`` per line, in file order.

    ``relationship_metadata`` holds ``extractor="jsonl"``, ``place`` (``where``, else ``record``), ``order`` (the
    given one, else the line's place in the file, from 0), ``source`` and every other key. ``dangling`` is not taken
    over: whether a target exists is looked up anew. Control characters in ids become spaces. A line that cannot be
    read yields a ``Rejected`` that names it, and reading goes on. Raises ValueError when the whole file cannot be
    read.
    """
    for number, record in records(data, max_bytes=max_bytes):
        if isinstance(record, Rejected):
            yield record
            continue
        place = line_place(number)
        try:
            yield _relationship(record, number, source)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)


def _relationship(record: Mapping[str, Any], number: int, source: str) -> Relationship:
    order = record.get("order")
    others = plain_json({key: value for key, value in record.items() if key not in _OWN_FIELDS})
    where = record.get("where")
    return Relationship(
        from_document_id=_name(record, "from", MAX_ID_LENGTH),
        relation_type=_name(record, "type", _MAX_TYPE),
        to_document_id=_name(record, "to", MAX_ID_LENGTH),
        relationship_metadata={
            **others,
            "extractor": "jsonl",
            "place": one_line(where, 60) if isinstance(where, str) and where.strip() else "record",
            "order": order if isinstance(order, int) and not isinstance(order, bool) else number - 1,
            "source": source,
        },
    )


def _name(record: Mapping[str, Any], field: str, limit: int) -> str:
    value = record.get(field)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f"the field {field!r} is missing or not a string")
    name = one_line(value, limit)
    if not name:
        raise ValueError(f"the field {field!r} is empty")
    return name
