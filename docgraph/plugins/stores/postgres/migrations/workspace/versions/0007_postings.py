"""Postings of words, by which a ranking reads numbers instead of texts, and the indexes they take the place of."""

from __future__ import annotations

from alembic import context, op

from docgraph.plugins.stores.postgres.statements import family, placed

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table, fill it by word (so that a word's rows lie together), then add keys and indexes."""
    schema = context.config.attributes["schema"]
    table = f'"{schema}".vector_postings'
    op.execute(f"DROP TABLE IF EXISTS {table}")
    op.execute(
        f'CREATE TABLE {table} (lexeme text COLLATE "C" NOT NULL, document_id text COLLATE "C" NOT NULL, '
        "places int[] NOT NULL, frequencies real[] NOT NULL)"
    )
    op.get_bind().exec_driver_sql(placed(family("postings")["fill"], schema).decode())
    op.execute(f"ALTER TABLE {table} ADD PRIMARY KEY (lexeme, document_id)")
    # a sample of the rows shows few of the words there are: without this a look-up would be taken for a long one
    op.execute(f"ALTER TABLE {table} ALTER lexeme SET (n_distinct = -0.05)")
    op.execute(f"ANALYZE {table}")
    op.execute(f'DROP INDEX IF EXISTS "{schema}".document_nodes_words')
    op.execute(f'DROP INDEX IF EXISTS "{schema}".vector_chunks_words')
