"""Writing documents and imported relationships to PostgreSQL: locked in one order, compared, copied in binary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from psycopg import Cursor
from psycopg.types.json import Jsonb

from docgraph.domain.decisions import is_reviewed
from docgraph.domain.graph import Relationship
from docgraph.domain.naming import name_keys
from docgraph.domain.revision import (
    N_BYTES,
    N_DOCUMENT_BYTES,
    document_fingerprint,
    moved,
    moved_relationships,
    moved_vectors,
    relationship_fingerprint,
    with_vectors,
)
from docgraph.domain.where import facets_of_document
from docgraph.plugins.stores._rows.decided import decide
from docgraph.plugins.stores._rows.ready import place_column
from docgraph.plugins.stores._rows.writing import is_manual
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.decided import (
    columns_of,
    decisions_about,
    decisions_from,
    forget_contested,
    forget_contested_keys,
    put_contested,
)
from docgraph.plugins.stores.postgres.postings import add_bits, add_postings, remove_bits, remove_postings, search_of
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.workspaces import dropped
from docgraph.ports import WriteResult

if TYPE_CHECKING:
    from docgraph.domain.graph import ImportHashes, PreparedDocument
    from docgraph.domain.overrides import EdgeKey
    from docgraph.domain.workspace import VectorSearch
    from docgraph.plugins.stores.postgres.connections.naming import Connection

SQL = family("writing")
MAX_DOCUMENT_LOCKS = 500
"""A write of more documents locks the whole workspace: the server's lock table is finite."""

HASH_COLUMNS = ("text_hash", "embedded_hash", "stated_hash")
NODE_COLUMNS = (
    "document_id",
    "title",
    "summary",
    "summary_embedding",
    "title_embedding",
    "source",
    "ingestion_id",
    "doc_type",
    "headings",
    "metadata",
    "content_hash",
    "n_chunks",
    "n_tokens",
    "fingerprint",
    "names",
    "facets",
    *HASH_COLUMNS,
)
NODE_TYPES = (
    *("text", "text", "text", "vector", "vector", "text", "text", "text", "text[]", "jsonb", "text", "int4", "int4"),
    *("bytea", "text[]", "text[]", "text", "text", "text"),
)
CHUNK_TYPES = ("text", "int4", "text", "text", "vector", "text[]", "int4", "int4[]")
EDGE_TYPES = ("text", "text", "text", "jsonb", "bytea")


@dataclass
class Change:
    """What one transaction did to a workspace: fingerprints and counts that came and went.

    ``added`` and ``removed`` are documents; ``linked`` and ``unlinked`` are relationships, and types that are off.
    """

    added: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    linked: list[int] = field(default_factory=list)
    unlinked: list[int] = field(default_factory=list)
    n_documents: int = 0
    n_chunks: int = 0
    n_relationships: int = 0

    def edges_went(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Count removed relationships by the fingerprints that the database returned."""
        fingerprints = [int.from_bytes(row[0], "big") for row in rows]
        self.unlinked += fingerprints
        self.n_relationships -= len(fingerprints)

    @property
    def sums(self) -> dict[str, int]:
        """What the workspace's numbers move by: ``delta`` of the revision, and the two sums beside it."""
        return {
            "delta": moved(0, added=[*self.added, *self.linked], removed=[*self.removed, *self.unlinked]),
            "relationships": moved_relationships(0, added=self.linked, removed=self.unlinked),
            "vectors": moved_vectors(0, added=self.added, removed=self.removed),
        }


class Writing:
    """One transaction on one workspace; the caller begins and ends it."""

    def __init__(self, connection: Connection, name: str, schema: str) -> None:
        self.connection, self._name, self.schema = connection, name, schema
        self.change = Change()

    def lock(self, document_ids: Sequence[str]) -> None:
        """Keep other writers away from these documents until the end; always in the same order, so nobody deadlocks."""
        few = len(document_ids) <= MAX_DOCUMENT_LOCKS
        key = {"schema": self.schema, "ids": sorted(document_ids)}
        self.execute(SQL["share_workspace" if few else "lock_workspace"], key)
        if few:
            self.execute(SQL["lock_documents"], key)

    def replace(self, ready: Sequence[PreparedDocument], *, at: str = "") -> WriteResult:
        """Put documents in the place of what is stored under their ids; equal, known ones are left alone."""
        stored = {row[0]: row[1:] for row in self._rows("stored", [p.document.document_id for p in ready])}
        same = {i for p in ready if (i := p.document.document_id) in stored and _is_stated(p, stored[i][0])}
        changed = [p for p in ready if p.document.document_id not in same]
        new = [p for p in changed if p.document.document_id not in stored]
        old = [p for p in changed if p.document.document_id in stored]
        fingerprints = {p.document.document_id: with_vectors(document_fingerprint(p), p) for p in changed}
        reviewed = self._remove_contents([(p.document.document_id, *stored[p.document.document_id]) for p in old])
        self._update_nodes([_node_row(p, fingerprints) for p in old])
        self._copy("copy_nodes", NODE_TYPES, (_node_row(p, fingerprints) for p in new))
        self._add_chunks(changed)
        self._add_edges(relationships_of(changed), old=[p.document.document_id for p in old], reviewed=reviewed, at=at)
        self.change.added += fingerprints.values()
        self.change.n_documents += len(new)
        return WriteResult(
            added=tuple(p.document.document_id for p in new),
            replaced=tuple(p.document.document_id for p in old),
            unchanged=tuple(sorted(same)),
        )

    def state(self, edges: Sequence[Relationship], *, at: str) -> tuple[Relationship, ...]:
        """Import relationships, whose starts are locked, as far as decisions let it; those that came or changed."""
        missing = self.rows(SQL["missing_start"], {"ids": [edge.from_document_id for edge in edges]})[0][0]
        if missing is not None:
            from docgraph.plugins.stores._rows.history import no_start

            raise no_start(missing)
        keys = [edge.key for edge in edges]
        there = {row[:3]: edge_of(row) for row in self.rows(SQL["edges_of_keys"], columns_of(keys))}
        found = decide(
            edges,
            decisions_about(self.connection, self._name, keys),
            manual={key for key, edge in there.items() if is_manual(edge)},
            reviewed={key: edge for key, edge in there.items() if is_reviewed(edge) and not is_manual(edge)},
            at=at,
            whole=False,
        )
        changed = [edge for edge in found.edges if there.get(edge.key) != edge]
        gone = self.rows(SQL["delete_edges_of_keys"], columns_of([edge.key for edge in changed]))
        self.change.edges_went(gone)
        self.copy_edges(changed)
        forget_contested_keys(self.connection, self._name, keys)
        put_contested(self.connection, self._name, found.contested)
        return tuple(changed)

    def delete(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and every outgoing relationship; how many there were."""
        rows = self._rows("stored", document_ids)
        ids = [row[0] for row in rows]
        self.change.edges_went(self._rows("delete_edges", ids))
        forget_contested(self.connection, self._name, ids)
        self._forget(rows)
        remove_postings(self.connection, self.schema, ids)
        self._drop_bits(ids)
        self.execute(SQL["delete_nodes"], {"ids": ids})
        self.change.n_documents -= len(ids)
        return len(ids)

    def copy_edges(self, edges: Sequence[Relationship]) -> None:
        """Add relationships whose keys are free."""
        fingerprints = list(map(relationship_fingerprint, edges))
        rows = (
            (*edge.key, Jsonb(edge.relationship_metadata), as_bytes(fingerprint))
            for edge, fingerprint in zip(edges, fingerprints, strict=True)
        )
        self._copy("copy_edges", EDGE_TYPES, rows)
        self.change.linked += fingerprints
        self.change.n_relationships += len(edges)

    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of a statement in the workspace's schema."""
        return self.execute(statement, values).fetchall()

    def execute(self, statement: str, values: Mapping[str, Any]) -> Cursor[tuple[Any, ...]]:
        """Run a statement in the workspace's schema."""
        return self.connection.execute(placed(statement, self.schema), values)

    def finish(self) -> None:
        """Move the workspace's revision, sums and counts; the row is locked last and for a moment only."""
        counts = {name: getattr(self.change, name) for name in ("n_documents", "n_chunks", "n_relationships")}
        steps = self.change.sums | counts
        if not any(steps.values()):
            return
        cursor = self.execute(SQL["move_workspace"], {"name": self._name, **steps})
        if cursor.rowcount != 1:
            raise dropped(self._name)

    @cached_property
    def search(self) -> VectorSearch:
        """How the workspace is searched; a switch waits for the lock that is held."""
        return search_of(self.connection, self._name)

    def _drop_bits(self, document_ids: Sequence[str]) -> None:
        if self.search != "exact":
            remove_bits(self.connection, self.schema, document_ids)

    def _update_nodes(self, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            with self.connection.cursor() as cursor:
                kept = [dict(zip(NODE_COLUMNS, row, strict=True)) for row in rows]
                cursor.executemany(placed(SQL["update_node"], self.schema), kept)

    def _remove_contents(self, stored: Sequence[tuple[Any, ...]]) -> dict[EdgeKey, Relationship]:
        """Remove chunks and imported relationships; those of the latter that somebody accepted are returned."""
        ids = [row[0] for row in stored]
        if not ids:
            return {}
        remove_postings(self.connection, self.schema, ids)
        self._drop_bits(ids)
        self.execute(SQL["delete_chunks"], {"ids": ids})
        self._forget(stored)
        return self._remove_ingested(ids)

    def _remove_ingested(self, document_ids: Sequence[str]) -> dict[EdgeKey, Relationship]:
        """Remove imported relationships; those that somebody accepted are returned."""
        rows = self._rows("delete_ingested_edges", document_ids)
        self.change.edges_went(rows)
        return {row[1:4]: edge_of(row[1:]) for row in rows if row[4] is not None}

    def _forget(self, stored: Sequence[tuple[Any, ...]]) -> None:
        self.change.removed += (int.from_bytes(row[2], "big") for row in stored)
        self.change.n_chunks -= sum(row[3] for row in stored)

    def _add_chunks(self, changed: Sequence[PreparedDocument]) -> None:
        self._copy("copy_chunks", CHUNK_TYPES, (row for prepared in changed for row in chunk_rows(prepared)))
        add_postings(self.connection, self.schema, [p.document.document_id for p in changed])
        add_bits(self.connection, self.schema, [p.document.document_id for p in changed], mode=self.search)
        self.change.n_chunks += sum(len(p.chunks) for p in changed)

    def replace_relationships(self, stated: Mapping[str, Sequence[Relationship]], *, at: str) -> None:
        """Put what an import states of stored documents in the place of what one stated before; all are old."""
        self._add_edges(stated, old=list(stated), reviewed=self._remove_ingested(list(stated)), at=at)

    def _add_edges(
        self,
        stated: Mapping[str, Sequence[Relationship]],
        *,
        old: Sequence[str],
        reviewed: Mapping[EdgeKey, Relationship],
        at: str,
    ) -> None:
        """What the import states, as far as decisions let it; what they do not is contested."""
        if not stated:
            return
        connection, name = self.connection, self._name
        manual = set(self._rows("kept_keys", old)) if old else set()
        decided = decisions_from(connection, name, list(stated))
        edges = (edge for each in stated.values() for edge in each)
        found = decide(edges, decided, manual=manual, reviewed=reviewed, at=at)
        self.copy_edges(found.edges)
        if old:
            forget_contested(connection, name, old)
        put_contested(connection, name, found.contested)

    def _copy(self, name: str, types: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        with self.connection.cursor() as cursor, cursor.copy(placed(SQL[name], self.schema)) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def _rows(self, name: str, document_ids: Sequence[str]) -> list[tuple[Any, ...]]:
        return self.rows(SQL[name], {"ids": list(document_ids)})


def relationships_of(documents: Iterable[PreparedDocument]) -> dict[str, tuple[Relationship, ...]]:
    """document_id → its relationships."""
    return {p.document.document_id: p.relationships for p in documents}


def edge_of(row: Sequence[Any]) -> Relationship:
    """A relationship from (from, type, to, metadata)."""
    return Relationship(
        from_document_id=row[0], relation_type=row[1], to_document_id=row[2], relationship_metadata=row[3]
    )


def _is_stated(prepared: PreparedDocument, stored: str) -> bool:
    return prepared.hashes.stated == stored != ""


def _node_row(prepared: PreparedDocument, fingerprints: Mapping[str, int]) -> tuple[Any, ...]:
    """Values in the order of ``NODE_COLUMNS``."""
    d = prepared.document
    return (
        d.document_id,
        d.title,
        d.summary,
        prepared.vector,
        prepared.title_vector,
        d.source,
        d.ingestion_id,
        d.doc_type,
        list(d.headings),
        Jsonb(d.metadata),
        d.content_hash,
        d.n_chunks,
        d.n_tokens,
        as_bytes(fingerprints[d.document_id], N_DOCUMENT_BYTES),
        list(name_keys(d.document_id, d.title, d.metadata)),
        list(facets_of_document(d)),
        *hashes_of(prepared.hashes),
    )


def hashes_of(hashes: ImportHashes) -> tuple[str, str, str]:
    """Values in the order of ``HASH_COLUMNS``."""
    return (hashes.text, hashes.embedded, hashes.stated)


def chunk_rows(prepared: PreparedDocument) -> Iterable[tuple[Any, ...]]:
    """Values in the order of ``copy_chunks``."""
    for c, vector in zip(prepared.chunks, prepared.chunk_vectors, strict=True):
        yield (
            c.document_id,
            c.chunk_index,
            c.chunk_id,
            c.text,
            vector,
            list(c.heading_path),
            c.token_count,
            place_column(c.place),
        )


def as_bytes(fingerprint: int, n_bytes: int = N_BYTES) -> bytes:
    """A fingerprint as its column holds it."""
    return fingerprint.to_bytes(n_bytes, "big")
