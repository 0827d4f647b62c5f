"""Postings of words beside the texts they are in: written and removed with them, in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.plugins.stores.postgres.leases import Connection
from docgraph.plugins.stores.postgres.statements import family, placed, with_parts

SQL = family("postings")
_ADD = with_parts(SQL["fill"], of=f"\n  {SQL['of']}")


def add_postings(connection: Connection, schema: str, document_ids: Sequence[str]) -> None:
    """Write down the words of stored documents, which have no postings yet."""
    if document_ids:
        connection.execute(placed(_ADD, schema), {"ids": list(document_ids)})


def remove_postings(connection: Connection, schema: str, document_ids: Sequence[str]) -> None:
    """Remove the words of documents whose texts are still as they were when these were written down."""
    if document_ids:
        connection.execute(placed(SQL["remove"], schema), {"ids": list(document_ids)})
