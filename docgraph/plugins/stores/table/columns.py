"""Which columns of a table hold its chunks: as LangChain and LlamaIndex make them, else by their names and types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.errors import SettingsError

LANGCHAIN, LANGCHAIN_STORE, LLAMA_INDEX = "LangChain PGVector", "LangChain PGVectorStore", "LlamaIndex"
VECTORS = ("vector", "halfvec")
_TEXTS = ("content", "document", "text", "page_content", "chunk", "chunk_text", "body")
_KEYS = ("langchain_id", "id", "uuid", "chunk_id", "node_id")
_METADATA = ("langchain_metadata", "cmetadata", "metadata_", "metadata")
_TEXTUAL, _JSON = ("text", "varchar", "bpchar"), ("json", "jsonb")
_NO_FIELDS = (*VECTORS, "sparsevec", "bit", "tsvector", "bytea")
"""Types of columns that say nothing which could stand in a document's metadata."""


@dataclass(frozen=True)
class Column:
    """A column as the catalogue has it; ``width`` of a vector, 0 = not fixed."""

    name: str
    kind: str
    width: int = 0


@dataclass(frozen=True)
class Columns:
    """What each column is read as; ``others`` become fields beside those of ``metadata``.

    ``serial`` = a column that counts the rows as they came in.
    """

    written_by: str
    text: str
    vector: Column
    key: str | None = None
    serial: str | None = None
    metadata: str | None = None
    others: tuple[str, ...] = ()
    collection: str | None = None


def columns_of(table: str, found: Sequence[Column]) -> Columns:
    """How the table with these columns is read. Raises SettingsError where that cannot be told."""
    kinds = {column.name: column.kind for column in found}
    vector = _vector(table, [column for column in found if column.kind in VECTORS])
    collection = serial = None
    key = next((name for name in _KEYS if name in kinds), None)
    metadata = next((name for name in _METADATA if kinds.get(name) in _JSON), None)
    if kinds.keys() >= {"id", "text", "metadata_", "node_id", "embedding"}:
        written_by, key, serial = LLAMA_INDEX, "node_id", "id"
    elif kinds.keys() >= {"collection_id", "embedding", "document", "cmetadata"}:
        written_by, collection = LANGCHAIN, "collection_id"
    else:
        written_by = LANGCHAIN_STORE if "langchain_id" in kinds else ""
    text = "text" if written_by == LLAMA_INDEX else _text(table, kinds)
    taken = {text, key, metadata, serial, collection}
    return Columns(
        written_by=written_by,
        text=text,
        vector=vector,
        key=key,
        serial=serial,
        metadata=metadata,
        others=tuple(name for name, kind in kinds.items() if name not in taken and kind not in _NO_FIELDS),
        collection=collection,
    )


def _vector(table: str, found: Sequence[Column]) -> Column:
    if len(found) == 1:
        return found[0]
    named = next((column for column in found if column.name == "embedding"), None)
    if named is not None:
        return named
    names = ", ".join(column.name for column in found)
    what = f"several columns of vectors: {names}" if found else "no column of the type vector or halfvec"
    raise SettingsError(
        f"{table} has {what}", hint="name a table of chunks; a view that has one column of vectors can be read as well"
    )


def _text(table: str, kinds: dict[str, str]) -> str:
    textual = [name for name, kind in kinds.items() if kind in _TEXTUAL]
    named = [name for name in _TEXTS if name in textual]
    if named or len(textual) == 1:
        return (named or textual)[0]
    raise SettingsError(
        f"none of the columns of {table} is known to hold the texts: {', '.join(kinds)}",
        hint=f"a view that calls it {_TEXTS[0]!r} can be read: CREATE VIEW … AS SELECT … AS {_TEXTS[0]}, …",
    )
