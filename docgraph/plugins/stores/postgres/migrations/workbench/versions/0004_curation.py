"""What a workspace remembers of its curators: rules, dismissals, contested relationships; all go with the workspace."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"

_WORKSPACE = 'workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE'
_TABLES = (
    f"""
    CREATE TABLE docgraph.check_rules (
      {_WORKSPACE},
      check_id text COLLATE "C" NOT NULL,
      rule json NOT NULL,
      PRIMARY KEY (workspace, check_id))
    """,
    f"""
    CREATE TABLE docgraph.dismissals (
      {_WORKSPACE},
      subject_id text COLLATE "C" NOT NULL,
      at text COLLATE "C" NOT NULL,
      dismissal json NOT NULL,
      PRIMARY KEY (workspace, subject_id))
    """,
    f"""
    CREATE TABLE docgraph.contested_relationships (
      {_WORKSPACE},
      from_document_id text COLLATE "C" NOT NULL,
      relation_type text COLLATE "C" NOT NULL,
      to_document_id text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      relationship json NOT NULL,
      entry_id bigint NOT NULL,
      at text COLLATE "C" NOT NULL,
      PRIMARY KEY (workspace, from_document_id, relation_type, to_document_id))
    """,
)
# An import looks into the history once for each document, so that its indexes must be complete at all times.
_INDEXES = tuple(
    statement
    for index in ("docgraph.relationship_history_keys", "docgraph.relationship_history_documents")
    for statement in (
        f"ALTER INDEX {index} SET (fastupdate = off)",
        f"SELECT gin_clean_pending_list('{index}'::regclass)",
    )
)


def upgrade() -> None:
    """Create the tables, and finish what waits to be put into the indexes of the history."""
    for statement in (*_TABLES, *_INDEXES):
        op.execute(statement)
