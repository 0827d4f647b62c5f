"""What each document was made of when it was imported: its text, what was embedded, and all that was said of it."""

from __future__ import annotations

from alembic import context, op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the hashes. Until now ``content_hash`` covered all that was said; it stays as the name of the stored text.

    So a review or a dismissal that names it holds on, an unchanged file is skipped as before, and the next import that
    says something else compares the document by its chunks (``ingestion.differences``).
    """
    table = f'"{context.config.attributes["schema"]}".document_nodes'
    for name in ("text_hash", "embedded_hash", "stated_hash"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {name} text NOT NULL DEFAULT ''")
    op.execute(f"UPDATE {table} SET stated_hash = content_hash WHERE stated_hash = '' AND text_hash = ''")
