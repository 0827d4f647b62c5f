"""Reads a table of chunks that LangChain, LlamaIndex or another program made on a PostgreSQL server, in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.graph import PreparedDocument
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import SettingsError
from docgraph.plugins.stores.postgres.connections.conninfo import checked_conninfo
from docgraph.plugins.stores.table.documents import Found, Wanted, documents_of
from docgraph.plugins.stores.table.reader import TableReader
from docgraph.plugins.stores.table.source import TableSource
from docgraph.ports import Embedder, Tokenizer


def build(
    database_url: str | None = None,
    *,
    table: str | None = None,
    table_collection: str | None = None,
    table_document_field: str | None = None,
    table_title_field: str | None = None,
    table_relations: Sequence[str] | None = None,
    embedder: Embedder,
    tokenizer: Tokenizer,
    workspace: str = "default",
    statement_timeout: float = 30.0,
) -> TableReader:
    """Look at ``table`` (``name`` or ``schema.name``) on the server of ``database_url``; its rows are read when used.

    ``embedder`` is the one that made its vectors. ``table_relations`` are fields of metadata that name documents, each
    ``field`` or ``field=relation type`` (none given: the usual ones; an empty list: no one). Raises SettingsError,
    StoreError and EmbeddingMismatchError.
    """
    if not database_url or not table:
        missing = "DOCGRAPH_DATABASE_URL" if table else "DOCGRAPH_TABLE"
        raise SettingsError(
            f"{missing} is not set, and the store 'table' needs it",
            hint="DOCGRAPH_DATABASE_URL=postgresql://user:password@host/database DOCGRAPH_TABLE=data_notes",
        )
    wanted = Wanted(table_document_field, table_title_field, _mapping(table_relations))
    source = TableSource(
        checked_conninfo(database_url),
        table=table,
        collection=table_collection,
        embedder=embedder.info,
        statement_timeout=statement_timeout,
    )
    documents = _Documents(source, wanted, tokenizer)
    return TableReader(documents, workspace=workspace, embedder=embedder.info, embed=embedder.embed)


def example(embedder: EmbedderInfo, documents: Sequence[PreparedDocument]) -> TableReader:
    """For the compliance suite: a reader of these documents, whatever table they would stand in."""
    return TableReader(_Given(tuple(documents)), workspace="example", embedder=embedder)


class _Documents:
    """The rows of a table as documents (``reader.Source``)."""

    def __init__(self, source: TableSource, wanted: Wanted, tokenizer: Tokenizer) -> None:
        self.name, self.health, self.close = source.name, source.health, source.close
        self._source, self._wanted, self._count = source, wanted, tokenizer.count

    def look(self, known: str) -> tuple[str, Found | None]:
        """See ``reader.Source``."""
        state, rows = self._source.look(known)
        if rows is None:
            return state, None
        return state, documents_of(rows, self._wanted, table=self.name, count_tokens=self._count)


class _Given:
    """Documents that are there already (``reader.Source``)."""

    name = "example"

    def __init__(self, documents: tuple[PreparedDocument, ...]) -> None:
        self._documents = documents

    def look(self, known: str) -> tuple[str, Found | None]:
        """See ``reader.Source``."""
        return "given", None if known else Found(self._documents)

    def health(self) -> dict[str, Any]:
        """See ``reader.Source``."""
        return {}

    def close(self) -> None:
        """Nothing was opened."""


def _mapping(relations: Sequence[str] | None) -> Mapping[str, str] | None:
    """Field → relation type; a field alone is a type of its own name. None = the usual fields."""
    if relations is None:
        return None
    pairs = [each.partition("=") for each in relations]
    if bad := ["".join(pair) for pair in pairs if not pair[0].strip() or (pair[1] and not pair[2].strip())]:
        raise SettingsError(
            f"{bad[0][:60]!r} in DOCGRAPH_TABLE_RELATIONS is no field", hint="write links=links_to,depends_on"
        )
    return {field.strip(): kind.strip() or field.strip() for field, _, kind in pairs}
