"""Saved runs with their baselines and reviews, and the states of the corpus that they were made on."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

# json keeps the text as it was written; jsonb would reorder keys, rewrite numbers and refuse \\u0000
_TABLES = (
    """
    CREATE TABLE docgraph.saved_runs (
      run_id text COLLATE "C" PRIMARY KEY,
      workspace text COLLATE "C" NOT NULL,
      corpus_revision text COLLATE "C" NOT NULL,
      content_hash text COLLATE "C" NOT NULL,
      name text NOT NULL,
      note text NOT NULL,
      query text NOT NULL,
      said text COLLATE "C" NOT NULL,
      saved_at text COLLATE "C" NOT NULL,
      saved_by text NOT NULL,
      pinned boolean NOT NULL,
      deleted_at text COLLATE "C" NOT NULL,
      plan_id text COLLATE "C" NOT NULL,
      embedder_id text NOT NULL,
      n_seeds int NOT NULL,
      n_expanded int NOT NULL,
      n_chunks int NOT NULL,
      n_tokens int NOT NULL,
      run json NOT NULL)
    """,
    "CREATE INDEX saved_runs_workspace ON docgraph.saved_runs (workspace, corpus_revision)",
    """
    CREATE TABLE docgraph.saved_run_baselines (
      run_id text COLLATE "C" NOT NULL REFERENCES docgraph.saved_runs ON DELETE CASCADE,
      baseline text COLLATE "C" NOT NULL,
      content_hash text COLLATE "C" NOT NULL,
      run json NOT NULL,
      PRIMARY KEY (run_id, baseline))
    """,
    """
    CREATE TABLE docgraph.saved_run_reviews (
      run_id text COLLATE "C" NOT NULL REFERENCES docgraph.saved_runs ON DELETE CASCADE,
      place int NOT NULL,
      kind text NOT NULL,
      at text COLLATE "C" NOT NULL,
      by text NOT NULL,
      item text NOT NULL,
      checked boolean,
      text text NOT NULL,
      PRIMARY KEY (run_id, place))
    """,
    """
    CREATE TABLE docgraph.corpus_states (
      workspace text COLLATE "C" NOT NULL,
      revision text COLLATE "C" NOT NULL,
      state json NOT NULL,
      PRIMARY KEY (workspace, revision))
    """,
)


def upgrade() -> None:
    """Create the tables; the workspaces and their three tables stay as they are."""
    for statement in _TABLES:
        op.execute(statement)
