"""Sign-ins are for roles that keep them: one that may only read finds none, whatever it was granted."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Close the table; ``SELECT ON ALL TABLES``, granted before or after, no longer shows names and hashes."""
    op.execute("ALTER TABLE docgraph.sign_ins ENABLE ROW LEVEL SECURITY")
    op.execute("DROP POLICY IF EXISTS not_for_readers ON docgraph.sign_ins")
    op.execute(
        "CREATE POLICY not_for_readers ON docgraph.sign_ins "
        "USING (has_table_privilege(tableoid, 'INSERT')) WITH CHECK (true)"
    )
