"""How each workspace finds similar chunks: by every vector, or by quantized candidates."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Every workspace stays as it is: exact."""
    op.execute("ALTER TABLE docgraph.workspaces ADD COLUMN IF NOT EXISTS vector_search text NOT NULL DEFAULT 'exact'")
