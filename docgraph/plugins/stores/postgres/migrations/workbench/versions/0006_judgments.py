"""Judgments: which documents help to answer which question; they go with the workspace."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table; a question may be longer than what an index holds, so its hash stands in the key."""
    op.execute(
        """
        CREATE TABLE docgraph.judgments (
          workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
          query_hash text COLLATE "C" NOT NULL,
          document_id text COLLATE "C" NOT NULL,
          query text COLLATE "C" NOT NULL,
          relevant boolean NOT NULL,
          by text NOT NULL,
          at text COLLATE "C" NOT NULL,
          PRIMARY KEY (workspace, query_hash, document_id))
        """
    )
