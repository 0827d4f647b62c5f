"""Bits of summaries beside those of chunks, where a workspace is searched by candidates."""

from __future__ import annotations

from alembic import context, op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add them at place -1; an exact workspace keeps none."""
    schema = context.config.attributes["schema"]
    op.execute(
        f'INSERT INTO "{schema}".vector_bits (document_id, chunk_index, bits) '
        f'SELECT document_id, -1, binary_quantize(summary_embedding) FROM "{schema}".document_nodes '
        f'WHERE EXISTS (SELECT 1 FROM "{schema}".vector_bits) '
        f"OR to_regclass('\"{schema}\".vector_chunks_hnsw') IS NOT NULL "
        "ON CONFLICT DO NOTHING"
    )
