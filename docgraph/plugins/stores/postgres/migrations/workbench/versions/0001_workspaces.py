"""The list of workspaces, each with its embedder, its revision and its counts."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the table."""
    op.execute(
        """
        CREATE TABLE docgraph.workspaces (
          name text COLLATE "C" PRIMARY KEY,
          title text NOT NULL,
          embedder_name text NOT NULL,
          embedder_model text NOT NULL,
          dimension int NOT NULL,
          revision numeric(39, 0) NOT NULL DEFAULT 0,
          off_relation_types text[] NOT NULL DEFAULT '{}',
          n_documents bigint NOT NULL DEFAULT 0,
          n_relationships bigint NOT NULL DEFAULT 0,
          n_chunks bigint NOT NULL DEFAULT 0,
          created_at timestamptz NOT NULL DEFAULT now())
        """
    )
