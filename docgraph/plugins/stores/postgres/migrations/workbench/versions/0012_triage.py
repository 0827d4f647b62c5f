"""What people say of decisions about findings: who takes one on, until when, comments; it goes with its workspace."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the table; an entry that was taken back is NULL, so that its number is not given again."""
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS docgraph.triage (
          workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
          entry_id bigint NOT NULL,
          entry json,
          PRIMARY KEY (workspace, entry_id))
        """
    )
