"""Writes relationships as CSV, for a spreadsheet, and as JSON Lines, and the traceability matrix as CSV or Excel."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from docgraph.boundary.text import one_line
from docgraph.domain.curation import Dismissal, TraceabilityMatrix, TriageEntry
from docgraph.domain.decisions import REVIEW
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.history import HistoryEntry, edge_state
from docgraph.domain.overrides import EdgeKey, edge_text

MARK = "'"
"""Stands before a cell that a spreadsheet would not keep as text; spreadsheets show it and write it back."""

LONGEST = 64
"""No longer text is taken for a number or a date."""
_STARTS = frozenset("=+-@\t\r\n'＝＋－＠")
"""Formulas begin so, in some settings also at the wide signs; the mark itself, so that the way back is exact."""
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_CONVERTED = re.compile(
    rf"""(?ix) \s* (?:
        (?=.*\d) [\d.,:/\-+%\s€$£¥]+ (?:e[+\-]?\d+)? (?:\s*[ap]m)?   # 007, 1/2, 2024-01-02, 1e5, 12:30 pm
        | true | false
        | {_MONTH} [\s\-/.,]* \d+ | \d+ [\s\-/.,]* {_MONTH} (?:[\s\-/.,]*\d+)?   # MARCH1, 1-May
    ) \s*"""
)


def defused(text: str) -> str:
    """``text`` as a cell; ``restored`` gives exactly the same text back."""
    return MARK + text if _is_touched(text) else text


def restored(cell: str) -> str:
    """The text of a cell, whether the mark still stands or somebody typed the text anew."""
    return cell[1:] if cell.startswith(MARK) and _is_touched(cell[1:]) else cell


def _is_touched(text: str) -> bool:
    """Whether a spreadsheet might take the cell for something else than text; true for all that begin with the mark."""
    if text[:1] in _STARTS or text.lstrip()[:1] in _STARTS:
        return True
    return len(text) <= LONGEST and _CONVERTED.fullmatch(text) is not None


DOCUMENT_COLUMNS = ("document", "title", "document type")
BETWEEN = "; "
"""Stands between the ids of one cell."""
AT_ONCE = 500


def names(matrix: TraceabilityMatrix) -> tuple[str, ...]:
    """What the columns of the sheet are called."""
    return (*DOCUMENT_COLUMNS, *(column.name for column in matrix.columns))


def cells(matrix: TraceabilityMatrix) -> Iterator[tuple[str, ...]]:
    """The rows of the sheet: the document, then the ids of every column; nothing in a cell = no relationship."""
    for row in matrix.rows:
        ends = (BETWEEN.join(str(end) for end in cell) for cell in row.cells)
        yield (row.document_id, one_line(row.title), one_line(row.doc_type), *ends)


def counts(matrix: TraceabilityMatrix) -> tuple[tuple[str, ...], ...]:
    """A row for every column of the matrix: its name, how many documents have a stored end there, how many none."""
    return tuple((each.name, str(each.n_filled), str(each.n_holes)) for each in matrix.columns)


def matrix_csv(matrix: TraceabilityMatrix) -> Iterator[bytes]:
    """The matrix in UTF-8 with its mark, commas, CRLF, one row a document; no cell is taken for a formula."""
    written = Written()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow([defused(name) for name in names(matrix)])
    yield MARK_OF_UTF8 + written.taken()
    for at, row in enumerate(cells(matrix), start=1):
        writer.writerow([defused(cell) for cell in row])
        if at % AT_ONCE == 0:
            yield written.taken()
    yield written.taken()


COLUMNS = (
    "edge",
    "state",
    "texts",
    "from",
    "from_title",
    "type",
    "to",
    "to_title",
    "decision",
    "reason",
    "reviewed_by",
    "reviewed_at",
    "extractor",
    "text",
    "sections",
)
"""``edge``, ``state`` and ``texts`` say what was exported; people change ``from``, ``type``, ``to``, ``decision`` and
``reason``; the others are there to be read, each on one line, so that lines of the file are rows of the sheet."""

MARK_OF_UTF8 = b"\xef\xbb\xbf"
"""Without it Excel takes a file for one of the machine's old code page; LibreOffice and Python know it too."""
VERSION = 1


class End(NamedTuple):
    """What a file says of a document at an end."""

    title: str
    content_hash: str


NO_END = End("", "")


class Documents(Protocol):
    """The documents of some ids, as ``ports.DocumentReader.documents_by_id``."""

    def __call__(self, document_ids: Sequence[str], /) -> Mapping[str, StoredDocument]:
        """document_id → document; unknown ids are absent."""
        ...


def mark_of(revision: str, *, whole: bool) -> str:
    """What the last column of a CSV is called: which data the file holds, and whether all of them."""
    return f"{'whole export' if whole else 'part'} of revision {revision}"


def csv_lines(
    relationships: Iterable[Relationship], documents: Documents, *, revision: str, whole: bool
) -> Iterator[bytes]:
    """A CSV for spreadsheets: UTF-8 with its mark, commas, CRLF, one row a relationship, in pieces of 500 rows."""
    written = Written()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow([*COLUMNS, mark_of(revision, whole=whole)])
    yield MARK_OF_UTF8 + written.taken()
    for rows in _rows(relationships, documents):
        writer.writerows([*(defused(row[name]) for name in COLUMNS), ""] for row in rows)
        yield written.taken()


def json_lines(
    relationships: Iterable[Relationship],
    documents: Documents,
    *,
    revision: str,
    whole: bool,
    dismissals: Iterable[Dismissal] = (),
    triage: Iterable[TriageEntry] = (),
) -> Iterator[bytes]:
    """JSON Lines: what the file is, relationships with all metadata, dismissals, and what was said of decisions."""
    yield _line({"kind": "export", "version": VERSION, "revision": revision, "whole": whole})
    for rows in _rows(relationships, documents, with_metadata=True):
        yield b"".join(_line({"kind": "relationship", **row}) for row in rows)
    for dismissal in sorted(dismissals, key=lambda each: each.subject_id):
        yield _line({"kind": "dismissal", "dismissal": dismissal.model_dump(mode="json")})
    for entry in sorted(triage, key=lambda each: each.entry_id):  # their order tells which is the last word
        yield _line({"kind": "triage", "triage": entry.model_dump(mode="json", exclude={"entry_id"})})


def history_lines(entries: Iterable[HistoryEntry]) -> Iterator[bytes]:
    """Entries of the history, which follow ``json_lines``."""
    for entry in entries:
        yield _line({"kind": "history", "entry": _in_order(entry.model_dump(mode="json"))})


def _rows(
    relationships: Iterable[Relationship], documents: Documents, *, with_metadata: bool = False
) -> Iterator[list[dict[str, Any]]]:
    edges = iter(relationships)
    ends: dict[str, End] = {}
    while part := list(islice(edges, AT_ONCE)):
        ids = {document_id for edge in part for document_id in (edge.from_document_id, edge.to_document_id)}
        kept = {document_id: ends[document_id] for document_id in ids & ends.keys()}
        ends = kept | ends_of(documents(sorted(ids - kept.keys())))
        more = [{"metadata": _in_order(edge.relationship_metadata)} if with_metadata else {} for edge in part]
        yield [_row(edge, ends) | metadata for edge, metadata in zip(part, more, strict=True)]


def ends_of(documents: Mapping[str, StoredDocument]) -> dict[str, End]:
    """document_id → its title and content hash."""
    return {document_id: End(each.title, each.content_hash) for document_id, each in documents.items()}


def texts_state(key: EdgeKey, ends: Mapping[str, End]) -> str:
    """Both texts of a relationship as somebody saw them, in 16 hex digits; a document that is not stored has none."""
    return fingerprint([ends.get(document_id, NO_END).content_hash for document_id in (key[0], key[2])])[:16]


def _row(edge: Relationship, ends: Mapping[str, End]) -> dict[str, Any]:
    metadata = edge.relationship_metadata
    review = metadata.get(REVIEW)
    review = review if isinstance(review, dict) else {}
    start, target = (ends.get(document_id, NO_END) for document_id in (edge.from_document_id, edge.to_document_id))
    return {
        "edge": edge_text(edge.key),
        "state": edge_state(edge),
        "texts": texts_state(edge.key, ends),
        "from": edge.from_document_id,
        "from_title": start.title,
        "type": edge.relation_type,
        "to": edge.to_document_id,
        "to_title": target.title,
        "decision": "",
        "reason": "",
        "reviewed_by": _text(review.get("reviewed_by")),
        "reviewed_at": _text(review.get("reviewed_at")),
        "extractor": _text(metadata.get("extractor")),
        "text": one_line(_text(metadata.get("text"))),
        "sections": one_line("; ".join(dict.fromkeys(each.name or f"#{each.anchor}" for each in edge.sections))),
    }


def _in_order(value: Any) -> Any:
    """Plain data with the keys of every object sorted: stores keep them in different orders."""
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value)}
    return [_in_order(each) for each in value] if isinstance(value, list | tuple) else value


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"


class Written:
    """Takes what a CSV writer writes until it is fetched."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def write(self, text: str, /) -> None:
        """Take a text."""
        self._parts.append(text)

    def taken(self) -> bytes:
        """Everything since the last time, in UTF-8."""
        text = "".join(self._parts)
        self._parts.clear()
        return text.encode("utf-8", "backslashreplace")
