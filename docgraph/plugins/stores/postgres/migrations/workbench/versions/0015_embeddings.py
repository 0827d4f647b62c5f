"""Workspaces embedded anew: with which embedder one was made, and where embedding it anew stands."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the column and the table; every workspace still has the embedder that it was made with."""
    op.execute("ALTER TABLE docgraph.workspaces ADD COLUMN IF NOT EXISTS made_with text NOT NULL DEFAULT ''")
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS docgraph.embeddings (
          workspace text COLLATE "C" PRIMARY KEY REFERENCES docgraph.workspaces ON DELETE CASCADE,
          entry json NOT NULL)
        """
    )
