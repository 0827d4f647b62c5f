"""Query sets with their evaluations, which outlive workspaces, and judgments of passages, which go with them."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS docgraph.query_sets (
      workspace text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      n int NOT NULL,
      n_judged int NOT NULL,
      fingerprint text COLLATE "C" NOT NULL,
      note text NOT NULL,
      by text NOT NULL,
      at text COLLATE "C" NOT NULL,
      query_set json NOT NULL,
      PRIMARY KEY (workspace, name))
    """,
    """
    CREATE TABLE IF NOT EXISTS docgraph.evaluations (
      workspace text COLLATE "C" NOT NULL,
      evaluation_id text COLLATE "C" NOT NULL,
      query_set text COLLATE "C" NOT NULL,
      at text COLLATE "C" NOT NULL,
      pinned boolean NOT NULL,
      summary json NOT NULL,
      beside json NOT NULL,
      questions json,
      PRIMARY KEY (workspace, evaluation_id))
    """,
    "CREATE INDEX IF NOT EXISTS evaluations_query_set ON docgraph.evaluations (workspace, query_set)",
    """
    CREATE TABLE IF NOT EXISTS docgraph.evaluation_outcomes (
      workspace text COLLATE "C" NOT NULL,
      evaluation_id text COLLATE "C" NOT NULL,
      place int NOT NULL,
      outcome json NOT NULL,
      PRIMARY KEY (workspace, evaluation_id, place),
      FOREIGN KEY (workspace, evaluation_id) REFERENCES docgraph.evaluations ON DELETE CASCADE)
    """,
    """
    CREATE TABLE IF NOT EXISTS docgraph.passage_judgments (
      workspace text COLLATE "C" NOT NULL REFERENCES docgraph.workspaces ON DELETE CASCADE,
      query_hash text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      text_hash text COLLATE "C" NOT NULL,
      by text COLLATE "C" NOT NULL,
      query text COLLATE "C" NOT NULL,
      chunk_id text COLLATE "C" NOT NULL,
      grade int,
      at text COLLATE "C" NOT NULL,
      note text NOT NULL,
      PRIMARY KEY (workspace, query_hash, document_id, text_hash, by))
    """,
)


def upgrade() -> None:
    """Create the tables; what is there stays as it is."""
    for statement in _TABLES:
        op.execute(statement)
