"""Documents put together of a foreign table's chunks: order, title, what is common to all of them, vectors, links."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from docgraph.boundary.text import clean
from docgraph.domain.graph import MAX_ID_LENGTH, MAX_TITLE, PreparedDocument, StoredChunk, StoredDocument, Vector
from docgraph.plugins.stores.table.grouping import ROW, document_field, group_of
from docgraph.plugins.stores.table.linking import Linking, field_extractor
from docgraph.plugins.stores.table.rows import NODE, Row, line_of, name_of

TITLES = ("title", "document_title", "file_name", "filename")
SOURCES = ("source", "file_path", "url", "file_name", "filename")
SUMMARIES = ("summary", "description", "abstract")
TYPES = ("doc_type", "type")
NAMES = ("id", "document_id", "doc_id", "ref_doc_id", "source_id", *SOURCES)
"""Fields whose value is a name of the document, too, where all its chunks agree."""
POSITIONS = ("page", "page_number", "chunk_index", "chunk_number", "start_index", "seq_num", "split_id")
"""Fields with numbers that tell where a chunk stands in its document, the outermost first."""
_HEADERS = tuple(f"Header {level}" for level in range(1, 7))
_OWN = (NODE, "_node_type", *POSITIONS)
"""Fields that say something of chunks, not of the document."""
MAX_SUMMARY = 2_000
UNFIT = "of a document that cannot be stored"


@dataclass(frozen=True)
class Wanted:
    """What somebody said of the table: the field that tells documents apart, that of the title, those of links."""

    document_field: str | None = None
    title_field: str | None = None
    relations: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Found:
    """What a table holds: its documents, the field that they were told apart by, and why rows were left out."""

    documents: tuple[PreparedDocument, ...]
    document_field: str = ""
    n_rows: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)


def documents_of(rows: Sequence[Row], wanted: Wanted, *, table: str, count_tokens: Callable[[str], int]) -> Found:
    """The documents of a table. Raises SettingsError where it cannot be told what they are."""
    left_out: Counter[str] = Counter()
    usable = [row for row in rows if not (why := _why_not(row))]
    left_out.update(why for row in rows if (why := _why_not(row)))
    by = document_field(usable, wanted.document_field, table=table)
    groups: dict[str, list[Row]] = {}
    for row in usable:
        if document_id := group_of(row, by):
            groups.setdefault(document_id, []).append(row)
        else:
            left_out["with metadata that is no object" if row.fields is None else f"without {by}"] += 1
    parts: dict[str, _Part] = {}
    for i in sorted(groups):
        try:
            parts[i] = _Part(i, sorted(groups[i], key=_order(groups[i])), wanted, by)
        except ValueError:  # of a document that cannot be: the others can
            left_out[UNFIT] += len(groups[i])
    linking = Linking(
        {i: (part.stored, part.rows) for i, part in parts.items()},
        field_extractor(wanted.relations),
        {i: part.names for i, part in parts.items()},
    )
    prepared = tuple(part.prepared(linking, count_tokens) for part in parts.values())
    return Found(prepared, "" if by == ROW else by, len(rows), dict(sorted(left_out.items())))


def _why_not(row: Row) -> str:
    if row.fault:
        return row.fault
    if not row.text.strip():
        return "without text"
    return "without a vector" if row.vector is None else ""


class _Part:
    """One document, and the chunks that it is put together of, in their order."""

    def __init__(self, document_id: str, rows: Sequence[Row], wanted: Wanted, by: str) -> None:
        self.rows = rows
        common = _common([row.fields or {} for row in rows])
        title = line_of((rows[0].fields or {}).get(wanted.title_field), MAX_TITLE) if wanted.title_field else ""
        path = document_id.replace("\\", "/").rstrip("/")
        name = path.rpartition("/")[2] if "://" not in path else ""
        self.names = tuple(filter(None, (name_of(common.get(name)) for name in NAMES)))
        self.stored = StoredDocument(
            document_id=document_id,
            title=title or _first(common, TITLES, MAX_TITLE) or name or document_id,
            summary=_first(common, SUMMARIES, MAX_SUMMARY),
            source=_first(common, SOURCES, MAX_ID_LENGTH),
            doc_type=_first(common, TYPES, 100),
            headings=tuple(dict.fromkeys(under[-1] for row in rows if (under := _heading(row.fields or {})))),
            metadata={
                name: value
                for name, value in common.items()
                if name not in (*_OWN, by) and not (name in NAMES and value == document_id)
            },
            n_chunks=len(rows),
        )

    def prepared(self, linking: Linking, count_tokens: Callable[[str], int]) -> PreparedDocument:
        """As a store keeps it; its vector is the direction between those of its chunks."""
        document_id, chunks, taken = self.stored.document_id, list[StoredChunk](), set[str]()
        for index, row in enumerate(self.rows):
            key = row.key if row.key and row.key not in taken else f"{document_id[:500]}#{index}"
            taken.add(key)
            chunks.append(
                StoredChunk(
                    document_id=document_id,
                    chunk_id=key,
                    chunk_index=index,
                    text=clean(row.text),
                    heading_path=_heading(row.fields or {}),
                    token_count=count_tokens(row.text),
                )
            )
        vectors = np.stack([row.vector for row in self.rows if row.vector is not None])
        counted: dict[str, Any] = {"n_tokens": sum(chunk.token_count for chunk in chunks)}
        counted["content_hash"] = _hash(self.stored.title, self.rows)
        return PreparedDocument(
            document=self.stored.model_copy(update=counted),
            vector=_between(vectors),
            chunks=tuple(chunks),
            chunk_vectors=vectors,
            relationships=linking.of(document_id),
        )


def _order(rows: Sequence[Row]) -> Callable[[Row], tuple[Any, ...]]:
    """By what all chunks of a document say of their position, then as they lie in the table."""
    told = [name for name in POSITIONS if all(_number((row.fields or {}).get(name)) for row in rows)]
    starts = all(_number(row.node.get("start_char_idx")) for row in rows)

    def key(row: Row) -> tuple[Any, ...]:
        start = (row.node["start_char_idx"],) if starts else ()
        return (*((row.fields or {})[name] for name in told), *start, row.place, row.key)

    return key


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _common(fields: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The fields in which all chunks say the same."""
    first, *others = fields
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}


def _first(common: Mapping[str, Any], names: Sequence[str], limit: int) -> str:
    return next((line for name in names if (line := line_of(common.get(name), limit))), "")


def _heading(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """LangChain's ``Header 1`` …, LlamaIndex's ``header_path``: ``/Top/Part/``."""
    path = fields.get("header_path")
    given = path.split("/") if isinstance(path, str) else [fields.get(name) for name in _HEADERS]
    return tuple(line for each in given[:10] if (line := line_of(each, MAX_TITLE)))


def _between(vectors: np.ndarray[Any, np.dtype[np.float32]]) -> Vector:
    """The direction between vectors, whatever their lengths; zeros where there is none."""
    rows = vectors.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    total = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length > 0 else total, dtype=np.float32)


def _hash(title: str, rows: Sequence[Row]) -> str:
    """Another one exactly when title or text are."""
    return hashlib.sha256("\x00".join((title, *(clean(row.text) for row in rows))).encode()).hexdigest()
