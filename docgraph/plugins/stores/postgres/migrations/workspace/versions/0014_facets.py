"""The facets of documents, by which questions are filtered by metadata."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import text

from docgraph.domain.where import facets_of

revision = "0014"
down_revision = "0013"

_PAGE = 1_000


def upgrade() -> None:
    """Add the column with its index; the facets of stored documents are worked out page by page."""
    nodes = f'"{context.config.attributes["schema"]}".document_nodes'
    op.execute(f"ALTER TABLE {nodes} ADD COLUMN IF NOT EXISTS facets text[] NOT NULL DEFAULT '{{}}'")
    page = text(
        f"SELECT document_id, doc_type, ingestion_id, metadata FROM {nodes} "
        f"WHERE document_id > :after ORDER BY document_id LIMIT {_PAGE}"
    )
    put = text(f"UPDATE {nodes} SET facets = :facets WHERE document_id = :id")
    connection, after = op.get_bind(), ""
    while rows := connection.execute(page, {"after": after}).all():
        connection.execute(put, [{"id": row[0], "facets": list(facets_of(*row[1:]))} for row in rows])
        after = rows[-1][0]
    op.execute(f"ALTER TABLE {nodes} ALTER facets DROP DEFAULT")
    op.execute(f"CREATE INDEX IF NOT EXISTS document_nodes_facets ON {nodes} USING gin (facets)")
