"""A workspace to export from and import into, and edits of its file as a person makes them."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Sequence
from io import StringIO

from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

Key = tuple[str, str, str]
Row = dict[str, str]
HOSTILE = ("=1+1", "|p%7C", "007", 'a;b,c "d"', "'e")
TEXTS = {"a": "The queue is bounded.", "b": "A slot holds a payment.", "c": "The alarm rings."} | {
    name: f"Number {place}." for place, name in enumerate(HOSTILE)
}
KEYS: tuple[Key, ...] = (
    ("a", "explains", "b"),
    ("a", "explains", "c"),
    ("b", "refines", "a"),
    ("=1+1", "-uses", "|p%7C"),
    ("007", "1/2", 'a;b,c "d"'),
    ("c", "explains", "gone"),
)


def edge(key: Key, **metadata: object) -> Relationship:
    return Relationship(
        from_document_id=key[0], relation_type=key[1], to_document_id=key[2], relationship_metadata=metadata
    )


def opened(keys: Iterable[Key] = KEYS) -> Docgraph:
    """Some documents and relationships, hostile ones among them; every look at the calendar is another day."""
    days = itertools.count(1)
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: f"day {next(days)}",
    )
    dg = Docgraph(adapters, "test")
    documents = [Document(document_id=i, title=f"={i.upper()}", text=text) for i, text in TEXTS.items()]
    sentences = itertools.cycle(('It says b, "so".', "-1\r\nand more", ""))
    dg.ingest_records(documents, [edge(key, extractor="links", text=next(sentences)) for key in keys])
    return dg


def exported(dg: Docgraph, kind: str = "csv") -> bytes:
    return b"".join(dg.relationships.export(kind))  # type: ignore[arg-type]


def keys(dg: Docgraph) -> list[Key]:
    return [each.key for each in dg.relationships.list()]


def table(data: bytes) -> tuple[list[str], list[Row]]:
    """Header and rows of an export, cells as a spreadsheet shows them."""
    rows = list(csv.reader(StringIO(data.decode("utf-8-sig"), newline="")))
    return rows[0], [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def saved(
    header: Sequence[str], rows: Iterable[Row], *, separator: str = ",", encoding: str = "utf-8", end: str = "\n"
) -> bytes:
    """The file as another program writes it."""
    written = StringIO(newline="")
    writer = csv.writer(written, delimiter=separator, lineterminator=end)
    writer.writerow(header)
    writer.writerows([row.get(name, "") for name in header] for row in rows)
    return written.getvalue().encode(encoding)


def with_changes(data: bytes, changes: dict[str, Row], more: Sequence[Row] = ()) -> bytes:
    """The file after a person changed cells of the rows with these edges, and added rows."""
    header, rows = table(data)
    return saved(header, [*(row | changes.get(row["edge"], {}) for row in rows), *more])
