"""What conversations leave behind: short texts with their vectors and words, beside the documents."""

from __future__ import annotations

from alembic import context, op

revision = "0003"
down_revision = "0002"

WIDEST_PLAIN = 1_900
"""See ``0001``: vectors up to this width are stored plain."""


def upgrade() -> None:
    """Create the table with its indexes, with vectors of the workspace's width."""
    schema, dimension = context.config.attributes["schema"], int(context.config.attributes["dimension"])
    for statement in _STATEMENTS:
        op.execute(statement.replace("SCHEMA", f'"{schema}"').replace("DIMENSION", str(dimension)))
    if dimension <= WIDEST_PLAIN:
        op.execute(f'ALTER TABLE "{schema}".memories ALTER embedding SET STORAGE PLAIN')


_STATEMENTS = (
    """
    CREATE TABLE SCHEMA.memories (
      memory_id text COLLATE "C" PRIMARY KEY,
      conversation_id text COLLATE "C" NOT NULL,
      turn bigint NOT NULL,
      role text NOT NULL,
      text text NOT NULL,
      embedding vector(DIMENSION) NOT NULL,
      metadata jsonb NOT NULL,
      at text COLLATE "C" NOT NULL,
      words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', left(text, 50000))) STORED)
    """,
    "CREATE INDEX memories_words ON SCHEMA.memories USING gin (words)",
    "CREATE INDEX memories_conversation ON SCHEMA.memories (conversation_id, turn)",
    "CREATE INDEX memories_turn ON SCHEMA.memories (turn)",
)
