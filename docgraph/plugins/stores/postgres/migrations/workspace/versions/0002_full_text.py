"""Words of documents and chunks, kept by the database itself, for full-text search."""

from __future__ import annotations

from alembic import context, op

revision = "0002"
down_revision = "0001"

# 50,000 characters: a tsvector holds at most 1 MB, and a longer chunk must not be refused for that
_WORDS = {"document_nodes": "left(title || ' ' || summary, 50000)", "vector_chunks": "left(chunk_text, 50000)"}


def upgrade() -> None:
    """Add a generated column and its index to both tables; existing rows are filled."""
    schema = context.config.attributes["schema"]
    for table, words in _WORDS.items():
        op.execute(
            f'ALTER TABLE "{schema}".{table} ADD words tsvector '
            f"GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', {words})) STORED"
        )
        op.execute(f'CREATE INDEX {table}_words ON "{schema}".{table} USING gin (words)')
