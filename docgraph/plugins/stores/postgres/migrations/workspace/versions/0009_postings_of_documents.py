"""An index over the documents of the postings: who removes a document finds them without its words."""

from __future__ import annotations

from alembic import context, op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add it; a document's postings lie together in it, so keeping it costs little."""
    schema = context.config.attributes["schema"]
    op.execute(f'CREATE INDEX IF NOT EXISTS vector_postings_document ON "{schema}".vector_postings (document_id)')
