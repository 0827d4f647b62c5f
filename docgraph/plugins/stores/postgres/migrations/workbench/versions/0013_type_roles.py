"""What relation types may do in plans, as it is decided now, and the history of these decisions."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column and the table; of types that are off already nobody said why."""
    op.execute("ALTER TABLE docgraph.workspaces ADD COLUMN IF NOT EXISTS type_decisions text NOT NULL DEFAULT ''")
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS docgraph.type_history (
          workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
          entry_id bigint NOT NULL,
          entry json NOT NULL,
          PRIMARY KEY (workspace, entry_id))
        """
    )
