-- What the workbench's tables are made of in one step. Each migration has a section of its own, below its number.
-- 0015

CREATE TABLE SCHEMA.schema_version (version_num varchar(32) CONSTRAINT schema_version_pkc PRIMARY KEY);

CREATE TABLE SCHEMA.workspaces (
  name text COLLATE "C" PRIMARY KEY,
  title text NOT NULL,
  embedder_name text NOT NULL,
  embedder_model text NOT NULL,
  dimension int NOT NULL,
  revision numeric(78, 0) NOT NULL DEFAULT 0,
  off_relation_types text[] NOT NULL DEFAULT '{}',
  n_documents bigint NOT NULL DEFAULT 0,
  n_relationships bigint NOT NULL DEFAULT 0,
  n_chunks bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  vector_search text NOT NULL DEFAULT 'exact',
  relationships_sum numeric(39, 0) NOT NULL DEFAULT 0,
  vectors_sum numeric(39, 0) NOT NULL DEFAULT 0,
  type_decisions text NOT NULL DEFAULT '',
  made_with text NOT NULL DEFAULT '');

CREATE TABLE SCHEMA.saved_runs (
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
  run json NOT NULL,
  content_revision text COLLATE "C" NOT NULL DEFAULT '');
CREATE INDEX saved_runs_workspace ON SCHEMA.saved_runs (workspace, corpus_revision);

CREATE TABLE SCHEMA.saved_run_baselines (
  run_id text COLLATE "C" NOT NULL REFERENCES SCHEMA.saved_runs ON DELETE CASCADE,
  baseline text COLLATE "C" NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  run json NOT NULL,
  PRIMARY KEY (run_id, baseline));

CREATE TABLE SCHEMA.saved_run_reviews (
  run_id text COLLATE "C" NOT NULL REFERENCES SCHEMA.saved_runs ON DELETE CASCADE,
  place int NOT NULL,
  kind text NOT NULL,
  at text COLLATE "C" NOT NULL,
  by text NOT NULL,
  item text NOT NULL,
  checked boolean,
  text text NOT NULL,
  PRIMARY KEY (run_id, place));

CREATE TABLE SCHEMA.corpus_states (
  workspace text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  state json NOT NULL,
  PRIMARY KEY (workspace, revision));

CREATE TABLE SCHEMA.relationship_history (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  entry_id bigint NOT NULL,
  act bigint NOT NULL,
  at text COLLATE "C" NOT NULL,
  by text NOT NULL,
  reason text NOT NULL,
  edit json NOT NULL,
  before json,
  after json,
  undoes bigint,
  keys text[] NOT NULL,
  document_ids text[] NOT NULL,
  PRIMARY KEY (workspace, entry_id));
CREATE UNIQUE INDEX relationship_history_undoes ON SCHEMA.relationship_history (workspace, undoes);
CREATE INDEX relationship_history_keys ON SCHEMA.relationship_history USING gin (keys) WITH (fastupdate = off);
CREATE INDEX relationship_history_documents ON SCHEMA.relationship_history
  USING gin (document_ids) WITH (fastupdate = off);

CREATE TABLE SCHEMA.check_rules (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  check_id text COLLATE "C" NOT NULL,
  rule json NOT NULL,
  PRIMARY KEY (workspace, check_id));

CREATE TABLE SCHEMA.dismissals (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  subject_id text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  dismissal json NOT NULL,
  PRIMARY KEY (workspace, subject_id));

CREATE TABLE SCHEMA.contested_relationships (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  from_document_id text COLLATE "C" NOT NULL,
  relation_type text COLLATE "C" NOT NULL,
  to_document_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  relationship json NOT NULL,
  entry_id bigint NOT NULL,
  at text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, from_document_id, relation_type, to_document_id));

CREATE TABLE SCHEMA.calibrations (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  embedder_id text COLLATE "C" NOT NULL,
  score_kind text COLLATE "C" NOT NULL,
  calibration json NOT NULL,
  PRIMARY KEY (workspace, embedder_id, score_kind));

CREATE TABLE SCHEMA.judgments (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  query_hash text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  query text COLLATE "C" NOT NULL,
  relevant boolean NOT NULL,
  by text NOT NULL,
  at text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, query_hash, document_id));

CREATE TABLE SCHEMA.query_sets (
  workspace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  n int NOT NULL,
  n_judged int NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  note text NOT NULL,
  by text NOT NULL,
  at text COLLATE "C" NOT NULL,
  query_set json NOT NULL,
  PRIMARY KEY (workspace, name));

CREATE TABLE SCHEMA.evaluations (
  workspace text COLLATE "C" NOT NULL,
  evaluation_id text COLLATE "C" NOT NULL,
  query_set text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  pinned boolean NOT NULL,
  summary json NOT NULL,
  beside json NOT NULL,
  questions json,
  PRIMARY KEY (workspace, evaluation_id));
CREATE INDEX evaluations_query_set ON SCHEMA.evaluations (workspace, query_set);

CREATE TABLE SCHEMA.evaluation_outcomes (
  workspace text COLLATE "C" NOT NULL,
  evaluation_id text COLLATE "C" NOT NULL,
  place int NOT NULL,
  outcome json NOT NULL,
  PRIMARY KEY (workspace, evaluation_id, place),
  FOREIGN KEY (workspace, evaluation_id) REFERENCES SCHEMA.evaluations ON DELETE CASCADE);

CREATE TABLE SCHEMA.passage_judgments (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  query_hash text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  text_hash text COLLATE "C" NOT NULL,
  by text COLLATE "C" NOT NULL,
  query text COLLATE "C" NOT NULL,
  chunk_id text COLLATE "C" NOT NULL,
  grade int,
  at text COLLATE "C" NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (workspace, query_hash, document_id, text_hash, by));

CREATE TABLE SCHEMA.imports (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  import_id bigint NOT NULL,
  summary json NOT NULL,
  state bytea,
  PRIMARY KEY (workspace, import_id));
ALTER TABLE SCHEMA.imports ALTER state SET STORAGE EXTERNAL;

CREATE TABLE SCHEMA.triage (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  entry_id bigint NOT NULL,
  entry json,
  PRIMARY KEY (workspace, entry_id));

CREATE TABLE SCHEMA.type_history (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  entry_id bigint NOT NULL,
  entry json NOT NULL,
  PRIMARY KEY (workspace, entry_id));

CREATE TABLE SCHEMA.type_trials (
  workspace text COLLATE "C" NOT NULL REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  entry_id bigint NOT NULL,
  entry json NOT NULL,
  PRIMARY KEY (workspace, entry_id));

CREATE TABLE SCHEMA.embeddings (
  workspace text COLLATE "C" PRIMARY KEY REFERENCES SCHEMA.workspaces ON DELETE CASCADE,
  entry json NOT NULL);

-- 0016

CREATE TABLE SCHEMA.sign_ins (
  sign_in_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  role text NOT NULL,
  claims text COLLATE "C" NOT NULL,
  browser text NOT NULL,
  created text COLLATE "C" NOT NULL,
  last_seen text COLLATE "C" NOT NULL,
  expires text COLLATE "C" NOT NULL,
  ended_at text COLLATE "C" NOT NULL,
  ended_by text NOT NULL);

-- 0017

ALTER TABLE SCHEMA.sign_ins ENABLE ROW LEVEL SECURITY;
CREATE POLICY not_for_readers ON SCHEMA.sign_ins USING (has_table_privilege(tableoid, 'INSERT')) WITH CHECK (true);
