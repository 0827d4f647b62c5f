"""Imports: a row each, with the state of the workspace after it; they go with their workspace."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the table; a state is compressed JSON, and lies in the row only where it is another than before."""
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS docgraph.imports (
          workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
          import_id bigint NOT NULL,
          summary json NOT NULL,
          state bytea,
          PRIMARY KEY (workspace, import_id))
        """
    )
    op.execute("ALTER TABLE docgraph.imports ALTER state SET STORAGE EXTERNAL")
