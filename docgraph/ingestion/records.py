"""Reads ``relations.jsonl``: one edge a line, ``{"from", "to", "type"}``; every other field is kept as its metadata."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from docgraph.domain.graph import Relationship
from docgraph.domain.report import Rejected
from docgraph.ingestion.linking import cleaned_edge

EXTRACTOR = "jsonl"
MAX_LINE = 100_000
_NAMES = {
    "from_document_id": ("from", "from_document_id", "source"),
    "relation_type": ("type", "relation_type", "via"),
    "to_document_id": ("to", "to_document_id", "target"),
}


def read_relations(data: bytes, *, source: str) -> Iterator[tuple[str, Relationship] | Rejected]:
    """(place, edge) for each line, ``Rejected`` for each bad one. Raises ValueError when it is no UTF-8 text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte {error.start:,})") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"line {number}"
            try:
                yield place, _edge(line, number, source)
            except (ValueError, RecursionError) as error:
                yield Rejected(reason=f"{place}: {_reason(error)}", place=place)


def _edge(line: str, number: int, source: str) -> Relationship:
    if len(line) > MAX_LINE:
        raise ValueError(f"the line has {len(line):,} characters; at most {MAX_LINE:,} are read")
    record: Any = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("a relationship is an object with from, to and type")
    ends: dict[str, str] = {}
    for field, names in _NAMES.items():
        name = next((name for name in names if name in record), None)
        if name is None or not isinstance(record[name], str | int):
            raise ValueError(f"the relationship has no {names[0]!r}")
        ends[field] = str(record.pop(name)).strip()
    # "where" is how published sets call the place; "dangling" is found out anew at every import.
    record.pop("dangling", None)
    place = record.pop("where", None) or "record"
    metadata = {"place": place, "order": number - 1, "source": source, **record}
    return cleaned_edge(Relationship(**ends, relationship_metadata=metadata), extractor=EXTRACTOR)


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at character {error.pos + 1}"
    return str(error) or type(error).__name__
