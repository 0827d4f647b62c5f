"""The names of documents, so that a question that names one finds it."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import text

from docgraph.domain.naming import name_keys

revision = "0005"
down_revision = "0004"

_PAGE = 1_000


def upgrade() -> None:
    """Add the column with its index; the names of stored documents are worked out page by page."""
    schema = context.config.attributes["schema"]
    op.execute(f"ALTER TABLE \"{schema}\".document_nodes ADD COLUMN IF NOT EXISTS names text[] NOT NULL DEFAULT '{{}}'")
    page = text(
        f'SELECT document_id, title, metadata FROM "{schema}".document_nodes '
        f"WHERE document_id > :after ORDER BY document_id LIMIT {_PAGE}"
    )
    put = text(f'UPDATE "{schema}".document_nodes SET names = :names WHERE document_id = :id')
    connection, after = op.get_bind(), ""
    while rows := connection.execute(page, {"after": after}).all():
        connection.execute(put, [{"id": row[0], "names": list(name_keys(*row))} for row in rows])
        after = rows[-1][0]
    op.execute(f'ALTER TABLE "{schema}".document_nodes ALTER names DROP DEFAULT')
    op.execute(f'CREATE INDEX IF NOT EXISTS document_nodes_names ON "{schema}".document_nodes USING gin (names)')
