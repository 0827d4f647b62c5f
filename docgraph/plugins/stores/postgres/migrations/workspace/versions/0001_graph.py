"""Documents, relationships and chunks: natural keys that start with the column a cluster distributes them by."""

from __future__ import annotations

from alembic import context, op

revision = "0001"
down_revision = None

WIDEST_PLAIN = 1_900
"""Vectors up to this width fit into a page beside the rest of their row; stored plain they are compared faster."""


def upgrade() -> None:
    """Create the tables in the workspace's schema, with vectors of its embedder's width."""
    schema, dimension = context.config.attributes["schema"], int(context.config.attributes["dimension"])
    for statement in _TABLES:
        op.execute(statement.replace("SCHEMA", f'"{schema}"').replace("DIMENSION", str(dimension)))
    if dimension <= WIDEST_PLAIN:
        op.execute(f'ALTER TABLE "{schema}".document_nodes ALTER summary_embedding SET STORAGE PLAIN')
        op.execute(f'ALTER TABLE "{schema}".vector_chunks ALTER embedding SET STORAGE PLAIN')


_TABLES = (
    """
    CREATE TABLE SCHEMA.document_nodes (
      document_id text COLLATE "C" PRIMARY KEY,
      title text NOT NULL,
      summary text NOT NULL,
      summary_embedding vector(DIMENSION) NOT NULL,
      title_embedding vector(DIMENSION),
      source text NOT NULL,
      ingestion_id text NOT NULL,
      doc_type text NOT NULL,
      headings jsonb NOT NULL,
      metadata jsonb NOT NULL,
      content_hash text NOT NULL,
      n_chunks int NOT NULL,
      n_tokens int NOT NULL,
      fingerprint bytea NOT NULL)
    """,
    """
    CREATE TABLE SCHEMA.document_relationships (
      from_document_id text COLLATE "C" NOT NULL REFERENCES SCHEMA.document_nodes ON DELETE CASCADE,
      relation_type text COLLATE "C" NOT NULL,
      to_document_id text COLLATE "C" NOT NULL,
      relationship_metadata jsonb NOT NULL,
      fingerprint bytea NOT NULL,
      PRIMARY KEY (from_document_id, relation_type, to_document_id))
    """,
    """
    CREATE INDEX document_relationships_to ON SCHEMA.document_relationships (to_document_id, from_document_id)
    """,
    """
    CREATE TABLE SCHEMA.vector_chunks (
      document_id text COLLATE "C" NOT NULL REFERENCES SCHEMA.document_nodes ON DELETE CASCADE,
      chunk_index int NOT NULL,
      chunk_id text NOT NULL,
      chunk_text text NOT NULL,
      embedding vector(DIMENSION) NOT NULL,
      heading_path jsonb NOT NULL,
      token_count int NOT NULL,
      PRIMARY KEY (document_id, chunk_index))
    """,
)
