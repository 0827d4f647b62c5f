"""Trials of relation types on questions that a corpus asks of itself; they go with their workspace."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the table; nobody has tried anything yet."""
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS docgraph.type_trials (
          workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
          entry_id bigint NOT NULL,
          entry json NOT NULL,
          PRIMARY KEY (workspace, entry_id))
        """
    )
