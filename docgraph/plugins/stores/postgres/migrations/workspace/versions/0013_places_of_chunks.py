"""Where a chunk stands in its source: (start, end, line, page) beside it, or nothing."""

from __future__ import annotations

from alembic import context, op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column, empty: places of stored chunks are known when their documents are imported again."""
    schema = context.config.attributes["schema"]
    op.execute(f'ALTER TABLE "{schema}".vector_chunks ADD COLUMN IF NOT EXISTS source_place int[]')
