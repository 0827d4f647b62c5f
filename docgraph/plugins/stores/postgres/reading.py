"""Reading a workspace in PostgreSQL: one transaction, begun with its first read, that sees one state of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import psycopg

from docgraph.boundary.logs import request_id
from docgraph.errors import StoreError
from docgraph.plugins.stores._rows.embedding import changed_embedder
from docgraph.plugins.stores.postgres import queries, workspaces
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.connections.retries import is_lacking_statement
from docgraph.plugins.stores.postgres.queries import QUERIES, SQL, Query, document, pg_text, relationship
from docgraph.plugins.stores.postgres.statements import placed, with_parts

if TYPE_CHECKING:
    from docgraph.domain.graph import Relationship, StoredDocument
    from docgraph.domain.workspace import EmbedderInfo, VectorSearch, Workspace
    from docgraph.plugins.stores.postgres.connections.naming import Connection
    from docgraph.plugins.stores.postgres.connections.pool import Lease
    from docgraph.plugins.stores.postgres.queries import Row
    from docgraph.plugins.stores.postgres.vector_cache.cache import VectorCache
    from docgraph.plugins.stores.postgres.vector_cache.search import CachedSearch
    from docgraph.ports import Read

P = ParamSpec("P")
T = TypeVar("T")
EF_SEARCH = 400
"""Entries that the approximate index keeps in view while it looks for the nearest."""
_BEGIN = b"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_ASKER = b"SELECT set_config('application_name', %s, true)"
"""Until the end of the snapshot the server's own views and log name the request; in the same round trip."""


def _answering(query: Callable[P, Query[T]]) -> Callable[Concatenate[PostgresSnapshot, P], T]:
    """The method of a snapshot that asks ``query``."""

    @wraps(query)
    def answer(self: PostgresSnapshot, /, *given: P.args, **named: P.kwargs) -> T:
        return self._ask(query(*given, **named))

    return answer


@refusing_foreign_rows
class PostgresSnapshot:
    """One unchanging view of a workspace (``ports.Snapshot``).

    The first read begins the transaction, bounds it in time and tells the workspace's row, in one round trip. Reads
    that do not need one another (``at_once``) share a round trip. Statements are prepared, rows come in binary.
    ``search`` is a guess at how the workspace is searched: where its row says otherwise, what the guess asked is asked
    again. With ``exact`` it is searched exactly, whatever its row says. Where ``vector_cache`` has the codes of exactly
    this state, the process searches them itself. ``embedder`` = whose vectors the reader expects: another's are not
    read.
    """

    def __init__(
        self,
        lease: Lease,
        name: str,
        schema: str,
        *,
        statement_timeout: int = 30_000,
        search: VectorSearch = "exact",
        exact: bool = False,
        vector_cache: VectorCache | None = None,
        embedder: EmbedderInfo | None = None,
    ) -> None:
        self._lease, self._name, self._schema = lease, name, schema
        self._opening = {"name": name, "timeout": str(statement_timeout)}
        self._known: Workspace | None = None
        self._begun = False
        self.search: VectorSearch = "exact" if exact else search
        self._exact = exact
        self._sent: list[bytes] = []
        self._cache, self._codes_sought, self._embedder = vector_cache, False, embedder
        self._search_in_cache: CachedSearch | None = None

    @property
    def workspace(self) -> Workspace:
        """The workspace at this view, told with its first read. Raises NotFoundError when it was dropped."""
        if not self._begun:
            self._rows_of(())
        if self._known is None:
            raise workspaces.dropped(self._name)
        return self._known

    def statements(self) -> tuple[str, ...]:
        """SQL texts sent since the last call, without values."""
        sent, self._sent = tuple(text.decode() for text in self._sent), []
        return sent

    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        """The answers in order, in one round trip for all. Raises KeyError for reads that come in pages."""
        asked = [QUERIES[read.name](*read.arguments, **read.options) for read in reads]
        rows = iter(self._rows_of([query for query in asked if not query.idle]))
        return tuple(query.made([] if query.idle else next(rows)) for query in asked)

    rank_documents = _answering(queries.rank_documents)
    count_matching = _answering(queries.count_matching)
    metadata_values = _answering(queries.metadata_values)
    rank_with_neighbours = _answering(queries.rank_with_neighbours)
    documents_of_nearest_chunks = _answering(queries.documents_of_nearest_chunks)
    outgoing = _answering(queries.outgoing)
    count_outgoing = _answering(queries.count_outgoing)
    incoming = _answering(queries.incoming)
    count_linking = _answering(queries.count_linking)
    relation_types = _answering(queries.relation_types)
    followed_types = _answering(queries.followed_types)
    type_origins = _answering(queries.type_origins)
    fitting_chunks_of = _answering(queries.fitting_chunks_of)
    nearest_chunks_of = _answering(queries.nearest_chunks_of)
    nearest_chunks = _answering(queries.nearest_chunks)
    nearest_chunk_scores = _answering(queries.nearest_chunk_scores)
    chunks_with_words = _answering(queries.chunks_with_words)
    count_holding = _answering(queries.count_holding)
    documents_by_id = _answering(queries.documents_by_id)
    documents_named = _answering(queries.documents_named)
    chunks = _answering(queries.chunks)

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """See ``ports.RelationshipReader.relationships``; read in pages."""
        parts = {
            "of_document": document_id is not None,
            "of_type": relation_type is not None,
            "dangling": dangling is True,
            "attached": dangling is False,
        }
        text = chosen("relationships", parts)
        values = {"document_id": pg_text(document_id or ""), "relation_type": pg_text(relation_type or "")}
        after = ("", "", "")
        while page := self.rows(text, **values, **dict(zip(("from", "type", "to"), after, strict=True))):
            yield from map(relationship, page)
            after = page[-1][:3]

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id, read in pages; ``text`` filters by a part of title or id, whatever its case."""
        statement = chosen("documents", {"of_doc_type": doc_type is not None, "with_text": bool(text)})
        after = ""
        while page := self.rows(statement, after=after, doc_type=pg_text(doc_type or ""), text=pg_text(text or "")):
            yield from map(document, page)
            after = page[-1][0]

    @property
    def _connection(self) -> Connection:
        """The connection inside its transaction."""
        if not self._begun:
            self._rows_of(())
        return self._lease.connection

    def _ask(self, query: Query[T]) -> T:
        return query.made([] if query.idle else self._rows_of((query,))[0])

    def rows(self, text: str, /, **values: Any) -> list[Row]:
        """The rows of a statement of the workspace, with its values by name."""
        return self._rows_of((Query(text, list, values),))[0]

    def _rows_of(self, asked: Sequence[Query[Any]]) -> list[list[Row]]:
        """The rows of each, in one round trip; with the first one, the transaction begins."""
        if self._begun:
            return self._later_round_trip(asked)
        try:
            found = self._first_round_trip(self._lease.connection, asked)
        except psycopg.Error as error:
            if not self._lease.may_ask_again(error):
                raise
            found = self._first_round_trip(self._lease.replace(), asked)  # nothing was read yet, so nothing can be torn
        self._begun = True
        return found

    def _later_round_trip(self, asked: Sequence[Query[Any]]) -> list[list[Row]]:
        """Where only a prepared statement is lacking, it is asked elsewhere, if the same state is still there."""
        try:
            return self._round_trip(self._lease.connection, asked)
        except psycopg.Error as error:
            if not is_lacking_statement(error) or not self._lease.may_ask_again(error):
                raise
        known = self._known
        self._first_round_trip(self._lease.replace(), ())
        if known != self._known:
            raise StoreError(f"workspace {self._name!r} was changed while it was read", hint="ask again")
        return self._round_trip(self._lease.connection, asked)

    def _first_round_trip(self, connection: Connection, asked: Sequence[Query[Any]]) -> list[list[Row]]:
        self._codes_sought, self._search_in_cache = False, None  # of a connection that was lost they say nothing
        try:
            with connection.pipeline():
                connection.execute(_BEGIN, prepare=False)
                if asker := request_id():
                    connection.execute(_ASKER, (f"docgraph {asker}",))
                told = self._send(connection, Query(workspaces.SQL["opened"], list, self._opening))
                cursors = (
                    [] if (later := self._is_cached(asked)) else [self._send(connection, query) for query in asked]
                )
        except psycopg.DataError:  # vectors of two widths: was it embedded anew meanwhile?
            connection.rollback()
            workspaces.check_embedder(connection, self._name, self._embedder)
            raise
        row = told.fetchone()  # outside: inside the pipeline it would be a round trip of its own
        self._known = None if row is None else workspaces.workspace_of(row[:-1])
        if self._known and self._embedder and self._known.embedder != self._embedder:
            raise changed_embedder(self._name, self._known.embedder, self._embedder)
        if self._known and self._exact:
            self._known = self._known.model_copy(update={"vector_search": "exact"})
        guessed, self.search = self.search, self._known.vector_search if self._known else "exact"
        is_wrong = guessed != self.search and any(query.sent(guessed) != query.sent(self.search) for query in asked)
        if later or is_wrong:
            return self._round_trip(connection, asked)
        self._find_codes(connection, asked)
        return [cursor.fetchall() for cursor in cursors]

    def _is_cached(self, asked: Sequence[Query[Any]]) -> bool:
        """Whether it is worth knowing first what state this is: the process may look at bits itself."""
        is_held = self._cache is not None and self._cache.holds(self._name)
        return is_held and self.search == "quantized" and any(query.cached for query in asked)

    def _find_codes(self, connection: Connection, asked: Sequence[Query[Any]]) -> CachedSearch | None:
        """The codes of this state, looked for once; where there are none, they are read for the questions to come."""
        wanted = self._cache is not None and self.search == "quantized" and any(query.cached for query in asked)
        if self._cache is None or self._known is None or self._codes_sought or not wanted:
            return self._search_in_cache
        self._codes_sought = True
        if (codes := self._cache.find(self._known, self._schema)) is not None:
            from docgraph.plugins.stores.postgres.vector_cache.search import CachedSearch, SentArray, SentArrayDumper

            connection.adapters.register_dumper(SentArray, SentArrayDumper)

            def ask(text: str, values: Mapping[str, Any]) -> list[Row]:
                return self._execute(connection, text, values).fetchall()

            self._search_in_cache = CachedSearch(self._name, codes, self._cache.words, ask)
        return self._search_in_cache

    def _with_codes(self, connection: Connection, query: Query[Any]) -> Query[Any]:
        asking = self._find_codes(connection, (query,)) if query.cached else None
        if asking is None or self.search != "quantized":
            return query
        values = {**query.values, **asking.found(query.cached, query.values)}
        return replace(query, text=query.cached, values=values, two_stage={})

    def _round_trip(self, connection: Connection, asked: Sequence[Query[Any]]) -> list[list[Row]]:
        asked = [self._with_codes(connection, query) for query in asked]
        if len(asked) < 2:  # a pipeline costs more than it saves
            return [self._send(connection, query).fetchall() for query in asked]
        with connection.pipeline():
            cursors = [self._send(connection, query) for query in asked]
        return [cursor.fetchall() for cursor in cursors]

    def _send(self, connection: Connection, query: Query[Any]) -> psycopg.Cursor[Row]:
        """``query`` on its way; one that asks the approximate index is never prepared, as its plan must be its own."""
        approximate = self.search == "hnsw" and query.sent("hnsw") != query.text
        if approximate:
            self._execute(connection, workspaces.SQL["approximate"], {"ef_search": str(EF_SEARCH)})
        values = {**query.values, "workspace": self._name}
        text = query.sent(self.search)
        if approximate and self._known is not None:
            text = with_parts(text, width=f"::vector({self._known.embedder.dimension})")
        return self._execute(connection, text, values, prepare=not approximate)

    def _execute(
        self, connection: Connection, text: str, values: Mapping[str, Any], *, prepare: bool = True
    ) -> psycopg.Cursor[Row]:
        statement = connection.naming.written(placed(text, self._schema))
        self._sent.append(statement)
        return connection.execute(statement, values, prepare=prepare, binary=True)


def chosen(name: str, parts: Mapping[str, bool]) -> str:
    """A statement of the family with those of its parts that are chosen."""
    return with_parts(SQL[name], **{"and": "".join(f" {SQL[part]}" for part, is_chosen in parts.items() if is_chosen)})
