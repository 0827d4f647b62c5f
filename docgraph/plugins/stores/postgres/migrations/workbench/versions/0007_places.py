"""Room above the revision for where everything stood; what was there is the revision of the content, as it was."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Widen the number; its lower 128 bits stay what they are."""
    op.execute("ALTER TABLE docgraph.workspaces ALTER COLUMN revision TYPE numeric(78, 0)")
