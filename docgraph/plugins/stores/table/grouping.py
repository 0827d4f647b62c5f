"""Which chunks of a foreign table make a document: those that agree in one field of their metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.errors import SettingsError
from docgraph.plugins.stores.table.rows import Row, name_of

FIELDS = ("ref_doc_id", "document_id", "doc_id", "source_id", "source", "file_path", "file_name", "filename", "url")
"""Fields that are known to say which document a chunk belongs to, the first of equals counts."""
SETTING = "DOCGRAPH_TABLE_DOCUMENT_FIELD"
ROW = "none"
"""In place of a field: every chunk is a document."""
EXCEPTIONS = 10
"""One chunk in so many may lack the field that tells documents apart."""
NAMED = 12
"""Fields that an error lists."""


def document_field(rows: Sequence[Row], given: str | None, *, table: str) -> str:
    """The field by which the chunks are grouped: the given one, else the one that every chunk has, or nearly every.

    Chunks whose metadata cannot be read have no say: they are left out. Several fields are as good as one where they
    group the chunks in the same way. Raises SettingsError, with the fields that there are, where that is not so, and
    where no chunk has the given one.
    """
    if given is not None:
        if given == ROW or not rows or any(group_of(row, given) for row in rows):
            return given
        raise SettingsError(f"no chunk of {table} has the field {given!r}", hint=f"there are: {_listed(rows)}")
    telling = [row for row in rows if row.fields is not None] or rows
    lacking = {field: sum(not group_of(row, field) for row in telling) for field in FIELDS}
    whole = [field for field in FIELDS if not lacking[field]] or _nearly_whole(lacking, len(telling))
    if not whole:
        raise SettingsError(
            f"no field says of every chunk of {table} which document it belongs to: {_listed(rows)}",
            hint=f"name one: {SETTING}=…, or {ROW} where every chunk is a document",
        )
    telling = [row for row in telling if all(group_of(row, field) for field in whole)]
    if len({_partition(telling, field) for field in whole}) > 1:
        raise SettingsError(
            f"several fields could say which document a chunk of {table} belongs to: {_listed(rows, whole)}",
            hint=f"name the one that is meant: {SETTING}={whole[0]}",
        )
    return whole[0]


def _nearly_whole(lacking: Mapping[str, int], n: int) -> list[str]:
    """The fields that the fewest chunks lack, where these are exceptions: one, or one in ten, and less than half."""
    fewest = min(lacking.values())
    is_exception = fewest <= max(1, n // EXCEPTIONS) and 2 * fewest < n
    return [field for field in FIELDS if lacking[field] == fewest] if is_exception else []


def group_of(row: Row, field: str) -> str:
    """The id of the document that a chunk belongs to; empty where nothing says so."""
    return row.key if field == ROW else name_of((row.fields or {}).get(field))


def _partition(rows: Sequence[Row], field: str) -> tuple[int, ...]:
    """Equal for fields that group the chunks in the same way, whatever their values are."""
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(group_of(row, field), len(numbers)) for row in rows)


def _listed(rows: Sequence[Row], fields: Sequence[str] | None = None) -> str:
    """``source (12 documents, 340 of 342 chunks)``, those of most chunks first."""
    values: dict[str, list[str]] = {}
    for row in rows:
        for field in fields or row.fields or ():
            if name := group_of(row, field):
                values.setdefault(field, []).append(name)
    counted: Mapping[str, tuple[int, int]] = {field: (len(set(v)), len(v)) for field, v in values.items()}
    best = sorted(counted, key=lambda field: (-counted[field][1], counted[field][0], field))
    said = [f"{f[:60]} ({counted[f][0]:,} documents, {counted[f][1]:,} of {len(rows):,} chunks)" for f in best[:NAMED]]
    more = [f"and {len(best) - NAMED:,} more"] if len(best) > NAMED else []
    return ", ".join((*said, *more)) or "the chunks have no fields"
