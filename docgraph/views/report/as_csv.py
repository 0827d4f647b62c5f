"""A comparison as a table: one record a document and a chunk of either side (RFC 4180), safe to open in a sheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from docgraph.boundary.text import FORMULA
from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange
from docgraph.views.report import content
from docgraph.views.report.content import names
from docgraph.views.report.rows import mark
from docgraph.views.words.changes import departure_text
from docgraph.views.words.sections import reason_words
from docgraph.views.words.texts import clean, line

COLUMNS = (
    "record",
    "change",
    "document_id",
    "title",
    "chunk_id",
    "heading",
    "place_a",
    "place_b",
    "rank_a",
    "rank_b",
    "score_a",
    "score_b",
    "role_a",
    "role_b",
    "tokens_a",
    "tokens_b",
    "reasons",
    "left_because",
    "text",
    "text_b",
)
Record = dict[str, str | int | float | None]


def as_csv(comparison: Comparison, made_at: str) -> str:
    """A header, the documents, the chunks, then records that say what was compared; the last one is ``made_at``."""
    return table_of(COLUMNS, _records(comparison, made_at))


def table_of(columns: Sequence[str], records: Iterable[Record]) -> str:
    """A header and a line a record, cells defused; what a record does not have is empty (RFC 4180)."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: defused(value) for name, value in record.items()})
    return out.getvalue()


def _records(comparison: Comparison, made_at: str) -> Iterator[Record]:
    yield from map(_document, comparison.documents)
    yield from map(_chunk, comparison.chunks)
    for figure in comparison.judged:
        title = line(f"{figure.title}@{figure.k}")
        yield {"record": "judged", "title": title, "score_a": figure.a, "score_b": figure.b}
    a, b = names(comparison)
    said = {"question": line(comparison.b.run.request.query), "a": a, "b": b, "verdict": comparison.sentence}
    if comparison.a.run.request.query != comparison.b.run.request.query:
        said["question_a"] = line(comparison.a.run.request.query)
    if comparison.judged:
        said["judged_about"] = content.judged_about(comparison)
    said |= {f"label_{i}": label for i, label in enumerate(comparison.labels, start=1)}
    for name, text in (*said.items(), ("made_at", line(made_at))):
        yield {"record": name, "text": text}


def _document(document: DocumentChange) -> Record:
    in_a, in_b = document.place_a is not None, document.place_b is not None
    reasons = "; ".join(reason_words(reason, {}) for reason in document.reasons)
    return {
        "record": "document",
        "change": mark(document),
        "document_id": document.document_id,
        "title": document.title,
        "place_a": document.place_a,
        "place_b": document.place_b,
        "score_a": None if in_b else document.score,
        "score_b": document.score if in_b else None,
        "role_a": document.role_a,
        "role_b": document.role_b,
        "tokens_a": document.n_tokens_a if in_a else None,
        "tokens_b": document.n_tokens_b if in_b else None,
        "reasons": reasons,
        "left_because": departure_text(document.left_because) if document.left_because else "",
    }


def _chunk(chunk: ChunkChange) -> Record:
    return {
        "record": "chunk",
        "change": mark(chunk),
        "document_id": chunk.document_id,
        "title": chunk.title,
        "chunk_id": chunk.chunk_id,
        "heading": " › ".join(chunk.heading_path),
        "place_a": chunk.place_a,
        "place_b": chunk.place_b,
        "rank_a": chunk.rank_a,
        "rank_b": chunk.rank_b,
        "score_a": chunk.score_a,
        "score_b": chunk.score_b,
        "tokens_a": chunk.token_count if chunk.place_a else None,
        "tokens_b": chunk.token_count if chunk.place_b else None,
        "left_because": departure_text(chunk.left_because) if chunk.left_because else "",
        "text": chunk.text,
        "text_b": chunk.text_b,
    }


def defused(value: str | float | None) -> str | float:
    """Numbers as they are; a text that a sheet would read as a formula starts with an apostrophe."""
    if value is None or not isinstance(value, str):
        return "" if value is None else value
    text = clean(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
