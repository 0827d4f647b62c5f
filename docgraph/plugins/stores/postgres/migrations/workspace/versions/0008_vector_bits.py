"""Room for one bit a number of each chunk's vector: empty until quantized candidates are switched on."""

from __future__ import annotations

from alembic import context, op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table; nothing is put into it."""
    schema, dimension = context.config.attributes["schema"], context.config.attributes["dimension"]
    op.execute(
        f'CREATE TABLE IF NOT EXISTS "{schema}".vector_bits ('
        'document_id text COLLATE "C" NOT NULL, chunk_index integer NOT NULL, '
        f"bits bit({int(dimension)}) NOT NULL, PRIMARY KEY (document_id, chunk_index))"
    )
