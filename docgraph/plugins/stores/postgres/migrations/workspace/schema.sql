-- What a workspace's tables are made of in one step. Each migration has a section of its own, below its number.
-- Both vectors of a document stand in front of its wide columns: a scan that compares them passes over nothing else of
-- a row.
-- 0012

CREATE TABLE SCHEMA.schema_version (version_num varchar(32) CONSTRAINT schema_version_pkc PRIMARY KEY);

CREATE TABLE SCHEMA.document_nodes (
  document_id text COLLATE "C" PRIMARY KEY,
  title text NOT NULL,
  summary text NOT NULL,
  summary_embedding vector(DIMENSION) NOT NULL,
  title_embedding vector(DIMENSION),
  source text NOT NULL,
  ingestion_id text NOT NULL,
  doc_type text NOT NULL,
  headings text[] NOT NULL,
  metadata jsonb NOT NULL,
  content_hash text NOT NULL,
  n_chunks int NOT NULL,
  n_tokens int NOT NULL,
  fingerprint bytea NOT NULL,
  words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', left(title || ' ' || summary, 50000))) STORED,
  text_hash text NOT NULL DEFAULT '',
  embedded_hash text NOT NULL DEFAULT '',
  stated_hash text NOT NULL DEFAULT '',
  names text[] NOT NULL);
CREATE INDEX document_nodes_names ON SCHEMA.document_nodes USING gin (names);

CREATE TABLE SCHEMA.document_relationships (
  from_document_id text COLLATE "C" NOT NULL REFERENCES SCHEMA.document_nodes ON DELETE CASCADE,
  relation_type text COLLATE "C" NOT NULL,
  to_document_id text COLLATE "C" NOT NULL,
  relationship_metadata jsonb NOT NULL,
  fingerprint bytea NOT NULL,
  PRIMARY KEY (from_document_id, relation_type, to_document_id));
CREATE INDEX document_relationships_to ON SCHEMA.document_relationships (to_document_id, from_document_id);

CREATE TABLE SCHEMA.vector_chunks (
  document_id text COLLATE "C" NOT NULL REFERENCES SCHEMA.document_nodes ON DELETE CASCADE,
  chunk_index int NOT NULL,
  chunk_id text NOT NULL,
  chunk_text text NOT NULL,
  embedding vector(DIMENSION) NOT NULL,
  heading_path text[] NOT NULL,
  token_count int NOT NULL,
  words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', left(chunk_text, 50000))) STORED,
  PRIMARY KEY (document_id, chunk_index));

CREATE TABLE SCHEMA.vector_postings (
  lexeme text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  places int[] NOT NULL,
  frequencies real[] NOT NULL,
  PRIMARY KEY (lexeme, document_id));
CREATE INDEX vector_postings_document ON SCHEMA.vector_postings (document_id);
ALTER TABLE SCHEMA.vector_postings ALTER lexeme SET (n_distinct = -0.05);
ANALYZE SCHEMA.vector_postings;

CREATE TABLE SCHEMA.vector_bits (
  document_id text COLLATE "C" NOT NULL,
  chunk_index int NOT NULL,
  bits bit(BITS) NOT NULL,
  PRIMARY KEY (document_id, chunk_index));

CREATE TABLE SCHEMA.memories (
  memory_id text COLLATE "C" PRIMARY KEY,
  conversation_id text COLLATE "C" NOT NULL,
  turn bigint NOT NULL,
  role text NOT NULL,
  text text NOT NULL,
  embedding vector(DIMENSION) NOT NULL,
  metadata jsonb NOT NULL,
  at text COLLATE "C" NOT NULL,
  words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', left(text, 50000))) STORED);
CREATE INDEX memories_words ON SCHEMA.memories USING gin (words);
CREATE INDEX memories_conversation ON SCHEMA.memories (conversation_id, turn);
CREATE INDEX memories_turn ON SCHEMA.memories (turn);

DO $$
BEGIN
  IF DIMENSION <= 1900 THEN
    ALTER TABLE SCHEMA.document_nodes ALTER summary_embedding SET STORAGE PLAIN;
    ALTER TABLE SCHEMA.vector_chunks ALTER embedding SET STORAGE PLAIN;
    ALTER TABLE SCHEMA.memories ALTER embedding SET STORAGE PLAIN;
  END IF;
  IF DIMENSION <= 900 THEN
    ALTER TABLE SCHEMA.document_nodes ALTER title_embedding SET STORAGE PLAIN;
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = %s)',
      'SCHEMA.document_nodes'::regclass, least(2040 + 4 * DIMENSION, 8160));
  END IF;
END $$;

-- 0013

ALTER TABLE SCHEMA.vector_chunks ADD COLUMN source_place int[];

-- 0014

ALTER TABLE SCHEMA.document_nodes ADD COLUMN facets text[] NOT NULL;
CREATE INDEX document_nodes_facets ON SCHEMA.document_nodes USING gin (facets);
