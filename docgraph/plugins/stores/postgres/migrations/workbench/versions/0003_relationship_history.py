"""The history of relationships: who changed what, when and why, for each workspace; it goes with its workspace."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

# json keeps a relationship as it was written, so that an undo brings back exactly that
_TABLES = (
    """
    CREATE TABLE docgraph.relationship_history (
      workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
      entry_id bigint NOT NULL,
      act bigint NOT NULL,
      at text COLLATE "C" NOT NULL,
      by text NOT NULL,
      reason text NOT NULL,
      edit json NOT NULL,
      before json,
      after json,
      undoes bigint,
      keys text[] NOT NULL,
      document_ids text[] NOT NULL,
      PRIMARY KEY (workspace, entry_id))
    """,
    "CREATE UNIQUE INDEX relationship_history_undoes ON docgraph.relationship_history (workspace, undoes)",
    "CREATE INDEX relationship_history_keys ON docgraph.relationship_history USING gin (keys)",
    "CREATE INDEX relationship_history_documents ON docgraph.relationship_history USING gin (document_ids)",
)


def upgrade() -> None:
    """Create the table; nothing else changes."""
    for statement in _TABLES:
        op.execute(statement)
