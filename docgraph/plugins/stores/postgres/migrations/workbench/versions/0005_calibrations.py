"""How raw scores become confidences in a workspace: one calibration for each embedder and kind of score."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table; calibrations go with their workspace."""
    op.execute(
        """
        CREATE TABLE docgraph.calibrations (
          workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
          embedder_id text COLLATE "C" NOT NULL,
          score_kind text COLLATE "C" NOT NULL,
          calibration json NOT NULL,
          PRIMARY KEY (workspace, embedder_id, score_kind))
        """
    )
