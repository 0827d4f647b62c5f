"""Reads tables: graphs in CSV as Neo4j imports and exports them, and requirements with columns that name others."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.boundary.limits import MAX_COLUMNS, MAX_EXCHANGE_BYTES, MAX_ROW, MAX_SHEET_ROWS
from docgraph.boundary.text import decode, one_line
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import edge, node_document
from docgraph.plugins.loaders._trees import requirement_table

READER = "neo4j_csv"
_FIELD = re.compile(
    r"(?P<name>[^:]*?)(?::(?P<kind>[A-Za-z_]+)(?:\((?P<space>[^()]*)\))?(?P<many>\[\])?(?:\{[^{}]*\})?)?"
)
_ENDS = {"START_ID": "start", "END_ID": "end", "TYPE": "type", "ID": "id", "LABEL": "label"}
_EXPORTED = {"_id": "id", "_labels": "label", "_start": "start", "_end": "end", "_type": "type"}
_SEPARATORS = (",", ";", "\t", "|")


class CSVLoader:
    """Files as ``neo4j-admin`` imports them (``id:ID(Space)``, ``:LABEL``, ``:START_ID``, ``:END_ID``, ``:TYPE``) and
    as ``apoc.export.csv`` writes them (``_id``, ``_labels``, ``_start``, ``_end``, ``_type``).

    A node's id is its ``:ID``, with ``Space:`` in front where the header names a space; other columns are attributes.
    A table of requirements has a column id, and beside it a text or columns that name other rows.
    """

    name = "csv"
    suffixes: tuple[str, ...] = (".csv", ".tsv")
    holds_many = True
    confined = Confined(from_bytes=1_000_000)

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Nodes and relationships in the order of the rows. Raises ValueError with a one-line reason."""
        text = decode(data, max_bytes=MAX_EXCHANGE_BYTES, max_line=MAX_EXCHANGE_BYTES)
        first = text.split("\n", 1)[0][:MAX_ROW]
        rows = _rows(text, max(_SEPARATORS, key=first.count))
        header = next(rows, None)
        if header is None:
            raise ValueError("the table has no header: every cell is empty")
        columns = [_column(name) for name in header[1]]
        roles = {role for role, *_ in columns}
        if "id" not in roles and not {"start", "end"} <= roles:
            if requirement_table.is_table(header[1]):
                yield from requirement_table.read(header[1], list(rows), source)
                return
            raise ValueError(
                "the table is neither a graph as Neo4j writes it (columns :ID or _id, or :START_ID and :END_ID) nor "
                "one of requirements (a column id beside a text or others' ids); a header in another file is not read"
            )
        for number, (line, cells) in enumerate(rows):
            place = f"line {line}"
            try:
                yield _item(columns, cells, number, source)
            except ValueError as error:
                yield Rejected(reason=f"{place}: {error}", place=place)


Column = tuple[str, str, str, bool]
"""(role or "", attribute's name, id space, whether it holds a list)."""


def _column(header: str) -> Column:
    bare = header.strip()
    if bare in _EXPORTED:
        return _EXPORTED[bare], "", "", False
    found = _FIELD.fullmatch(bare)
    if found is None:
        return "", bare, "", False
    kind = found["kind"] or ""
    role = _ENDS.get(kind.upper(), "" if kind.upper() != "IGNORE" else "ignored")
    return role, found["name"].strip() or kind, found["space"] or "", bool(found["many"])


def _item(columns: Sequence[Column], cells: Sequence[str], number: int, source: str) -> Document | Relationship:
    attributes: dict[str, Any] = {}
    given: dict[str, str] = {}
    for (role, name, space, many), cell in zip(columns, cells, strict=False):
        if not cell.strip():
            continue
        if role in ("id", "start", "end"):
            given.setdefault(role, f"{space}:{cell.strip()}" if space else cell.strip())
            if role == "id" and name not in ("ID", ""):
                attributes[name] = cell
        elif role:
            given.setdefault(role, cell.strip())
        else:
            attributes[name] = cell.split(";") if many else cell
    if "start" in given or "end" in given:
        if "start" not in given or "end" not in given:
            raise ValueError("the relationship has no start or no end")
        kind = given.get("type", "")
        start, end = given["start"], given["end"]
        return edge(start, kind, end, reader=READER, source=source, order=number, attributes=attributes)
    if "id" not in given:
        raise ValueError("the node has no id")
    labels = ", ".join(filter(None, re.split(r"[;:]", given.get("label", ""))))
    return node_document(given["id"], attributes, source, doc_type=labels)


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row that is not empty, the header first. Raises ValueError for what is beyond a limit."""
    before = csv.field_size_limit(MAX_ROW)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        for number, cells in enumerate(reader):
            if number > MAX_SHEET_ROWS:
                raise ValueError(f"the table has more than {MAX_SHEET_ROWS:,} rows: split it")
            if len(cells) > MAX_COLUMNS:
                raise ValueError(f"line {reader.line_num} has {len(cells):,} cells; at most {MAX_COLUMNS:,} are read")
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise ValueError(
            f"the table cannot be read from line {reader.line_num} on: {one_line(str(error), 150)}"
        ) from None
    finally:
        csv.field_size_limit(before)


build = CSVLoader
