"""What is kept beside texts to find them, and written and removed with them: postings of words, bits of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docgraph.plugins.stores.postgres import workspaces
from docgraph.plugins.stores.postgres.statements import family, placed, with_parts

if TYPE_CHECKING:
    from docgraph.domain.workspace import SearchChoice, VectorSearch
    from docgraph.plugins.stores.postgres.connections.naming import Connection

SQL, BITS = family("postings"), family("bits")
_ADD = with_parts(SQL["fill"], of=f"\n  {SQL['of']}")
_INDEX = (
    'CREATE INDEX vector_chunks_hnsw ON :"schema".vector_chunks '
    "USING hnsw ((embedding::vector(WIDTH)) vector_cosine_ops) WITH (m = 32, ef_construction = 200)"
)
"""Of a column that takes any width it is the index of an expression, else that of the column itself."""
_UNINDEX = 'DROP INDEX IF EXISTS :"schema".vector_chunks_hnsw'
_ADD_BITS = with_parts(BITS["fill"], of=f"\n{BITS['of']}")
_ADD_HEADS = with_parts(BITS["fill_heads"], of=f"\n{BITS['of']}")


def add_postings(connection: Connection, schema: str, document_ids: Sequence[str]) -> None:
    """Write down the words of stored documents, which have no postings yet."""
    if document_ids:
        connection.execute(placed(_ADD, schema), {"ids": list(document_ids)})


def remove_postings(connection: Connection, schema: str, document_ids: Sequence[str]) -> None:
    """Remove the words of documents."""
    if document_ids:
        connection.execute(placed(SQL["remove"], schema), {"ids": list(document_ids)})


def search_of(connection: Connection, name: str) -> VectorSearch:
    """How a workspace is searched. Raises NotFoundError when it was dropped meanwhile."""
    row = connection.execute(BITS["mode"].encode(), {"name": name}).fetchone()
    if row is None:
        raise workspaces.dropped(name)
    mode: VectorSearch = workspaces.search_of(row[0])["vector_search"]
    return mode


def switch(connection: Connection, name: str, schema: str, *, mode: VectorSearch, choice: SearchChoice) -> None:
    """Make what the mode needs, drop what another one needed; the caller keeps writers away. Raises NotFoundError."""
    if search_of(connection, name) != mode:
        connection.execute(placed(BITS["empty"], schema))
        connection.execute(placed(_UNINDEX, schema))
        if mode == "quantized":
            connection.execute(placed(BITS["fill"], schema))
        if mode != "exact":
            connection.execute(placed(BITS["fill_heads"], schema))
            connection.execute(placed('ANALYZE :"schema".vector_bits', schema))
        if mode == "hnsw":
            connection.execute(BITS["memory"].encode())
            (width,) = connection.execute(BITS["width"].encode(), {"name": name}).fetchone() or (0,)
            connection.execute(placed(_INDEX.replace("WIDTH", str(int(width))), schema))
    connection.execute(BITS["set_mode"].encode(), {"name": name, "mode": workspaces.search_text(mode, choice)})


def add_bits(connection: Connection, schema: str, document_ids: Sequence[str], *, mode: VectorSearch) -> None:
    """Write down the bits that a mode needs of stored documents, which have none yet."""
    if document_ids and mode == "quantized":
        connection.execute(placed(_ADD_BITS, schema), {"ids": list(document_ids)})
    if document_ids and mode != "exact":
        connection.execute(placed(_ADD_HEADS, schema), {"ids": list(document_ids)})


def remove_bits(connection: Connection, schema: str, document_ids: Sequence[str]) -> None:
    """Remove the bits of documents."""
    if document_ids:
        connection.execute(placed(BITS["remove"], schema), {"ids": list(document_ids)})
