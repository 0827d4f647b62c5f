"""The tables as they are after the newest migration: ``docgraph.workspaces``, and six tables for each workspace."""

from __future__ import annotations

from pgvector.sqlalchemy import VECTOR
from sqlalchemy import (
    JSON,
    REAL,
    BigInteger,
    Boolean,
    Column,
    Computed,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    Table,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, BIT, JSONB, TSVECTOR

from docgraph.plugins.stores.postgres.connections.naming import WORKBENCH

HEAD_WORDS = "to_tsvector('pg_catalog.english'::regconfig, left((title || ' '::text) || summary, 50000))"
MEMORY_WORDS = "to_tsvector('pg_catalog.english'::regconfig, left(text, 50000))"
CHUNK_WORDS = "to_tsvector('pg_catalog.english'::regconfig, left(chunk_text, 50000))"
_ID = Text(collation="C")
_AT_ONCE = {"fastupdate": "off"}
"""An import looks once for each document: it must not go through a list of entries still to be put into the index."""


def workbench_tables() -> MetaData:
    """What belongs to no single workspace; ``revision`` is below 2²⁵⁶, sums (below 2¹²⁸) and counts move with it."""
    metadata = MetaData(schema=WORKBENCH)
    Table(
        "workspaces",
        metadata,
        Column("name", _ID, primary_key=True),
        Column("title", Text, nullable=False),
        Column("embedder_name", Text, nullable=False),
        Column("embedder_model", Text, nullable=False),
        Column("dimension", Integer, nullable=False),
        Column("revision", Numeric(78, 0), nullable=False, server_default=text("0")),
        Column("off_relation_types", ARRAY(Text), nullable=False, server_default=text("'{}'::text[]")),
        Column("n_documents", BigInteger, nullable=False, server_default=text("0")),
        Column("n_relationships", BigInteger, nullable=False, server_default=text("0")),
        Column("n_chunks", BigInteger, nullable=False, server_default=text("0")),
        Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
        Column("vector_search", Text, nullable=False, server_default=text("'exact'::text")),
        *(
            Column(name, Numeric(39, 0), nullable=False, server_default=text("0"))
            for name in ("relationships_sum", "vectors_sum")
        ),
        Column("type_decisions", Text, nullable=False, server_default=text("''::text")),
        Column("made_with", Text, nullable=False, server_default=text("''::text")),
    )
    _saved_runs(metadata)
    _relationship_history(metadata)
    _curation(metadata)
    _calibrations_and_imports(metadata)
    _judgments(metadata)
    _query_sets(metadata)
    _sign_ins(metadata)
    return metadata


def _saved_runs(metadata: MetaData) -> None:
    """Saved runs belong to no workspace's schema: they outlive it."""
    names = ("name", "note", "query", "saved_by", "embedder_id")
    keys = ("workspace", "corpus_revision", "content_hash", "said", "saved_at", "deleted_at", "plan_id")
    Table(
        "saved_runs",
        metadata,
        Column("run_id", _ID, primary_key=True),
        *(Column(name, _ID, nullable=False) for name in keys),
        *(Column(name, Text, nullable=False) for name in names),
        Column("pinned", Boolean, nullable=False),
        *(Column(name, Integer, nullable=False) for name in ("n_seeds", "n_expanded", "n_chunks", "n_tokens")),
        Column("run", JSON, nullable=False),
        Column("content_revision", _ID, nullable=False, server_default=text("''::text")),
        Index("saved_runs_workspace", "workspace", "corpus_revision"),
    )
    run = ForeignKey(f"{WORKBENCH}.saved_runs.run_id", ondelete="CASCADE")
    Table(
        "saved_run_baselines",
        metadata,
        Column("run_id", _ID, run, primary_key=True),
        Column("baseline", _ID, primary_key=True),
        Column("content_hash", _ID, nullable=False),
        Column("run", JSON, nullable=False),
    )
    Table(
        "saved_run_reviews",
        metadata,
        Column("run_id", _ID, ForeignKey(run.target_fullname, ondelete="CASCADE"), primary_key=True),
        Column("place", Integer, primary_key=True, autoincrement=False),
        Column("at", _ID, nullable=False),
        *(Column(name, Text, nullable=False) for name in ("kind", "by", "item", "text")),
        Column("checked", Boolean),
    )
    Table(
        "corpus_states",
        metadata,
        Column("workspace", _ID, primary_key=True),
        Column("revision", _ID, primary_key=True),
        Column("state", JSON, nullable=False),
    )


def _sign_ins(metadata: MetaData) -> None:
    """Who is let in by which token, until when, and who ended it."""
    kinds = ((Text, "name role browser ended_by"), (_ID, "subject claims created last_seen expires ended_at"))
    kept = (Column(name, kind, nullable=False) for kind, names in kinds for name in names.split())
    Table("sign_ins", metadata, Column("sign_in_id", _ID, primary_key=True), *kept)


def _relationship_history(metadata: MetaData) -> None:
    """What people did to relationships; ``keys`` holds hashes of those that an entry touched."""
    workspace = ForeignKey(f"{WORKBENCH}.workspaces.name", ondelete="CASCADE")
    Table(
        "relationship_history",
        metadata,
        Column("workspace", _ID, workspace, primary_key=True),
        Column("entry_id", BigInteger, primary_key=True, autoincrement=False),
        *(Column(name, kind, nullable=False) for name, kind in (("act", BigInteger), ("at", _ID))),
        *(Column(name, kind, nullable=False) for name, kind in (("by", Text), ("reason", Text), ("edit", JSON))),
        *(Column(name, JSON) for name in ("before", "after")),
        Column("undoes", BigInteger),
        *(Column(name, ARRAY(Text), nullable=False) for name in ("keys", "document_ids")),
        Index("relationship_history_undoes", "workspace", "undoes", unique=True),
        Index("relationship_history_keys", "keys", postgresql_using="gin", postgresql_with=_AT_ONCE),
        Index("relationship_history_documents", "document_ids", postgresql_using="gin", postgresql_with=_AT_ONCE),
    )


def _curation(metadata: MetaData) -> None:
    """Rules of checks, what was dismissed, where imports and decisions disagree, and where an embedding stands."""

    def workspace() -> Column[str]:
        return Column(
            "workspace", _ID, ForeignKey(f"{WORKBENCH}.workspaces.name", ondelete="CASCADE"), primary_key=True
        )

    rule = (Column("check_id", _ID, primary_key=True), Column("rule", JSON, nullable=False))
    Table("check_rules", metadata, workspace(), *rule)
    kept = (Column(name, kind, nullable=False) for name, kind in (("at", _ID), ("dismissal", JSON)))
    Table("dismissals", metadata, workspace(), Column("subject_id", _ID, primary_key=True), *kept)
    Table("embeddings", metadata, workspace(), Column("entry", JSON, nullable=False))
    for name in ("triage", "type_history", "type_trials"):
        entry = Column("entry", JSON, nullable=name == "triage")
        number = Column("entry_id", BigInteger, primary_key=True, autoincrement=False)
        Table(name, metadata, workspace(), number, entry)
    Table(
        "contested_relationships",
        metadata,
        workspace(),
        *(Column(name, _ID, primary_key=True) for name in ("from_document_id", "relation_type", "to_document_id")),
        *(Column(name, kind, nullable=False) for name, kind in (("kind", Text), ("relationship", JSON))),
        *(Column(name, kind, nullable=False) for name, kind in (("entry_id", BigInteger), ("at", _ID))),
    )


def _calibrations_and_imports(metadata: MetaData) -> None:
    """How raw scores become confidences; and imports, with the state after them where it is another than before."""
    workspace = f"{WORKBENCH}.workspaces.name"
    Table(
        "calibrations",
        metadata,
        Column("workspace", _ID, ForeignKey(workspace, ondelete="CASCADE"), primary_key=True),
        *(Column(name, _ID, primary_key=True) for name in ("embedder_id", "score_kind")),
        Column("calibration", JSON, nullable=False),
    )
    Table(
        "imports",
        metadata,
        Column("workspace", _ID, ForeignKey(workspace, ondelete="CASCADE"), primary_key=True),
        Column("import_id", BigInteger, primary_key=True, autoincrement=False),
        *(Column(name, kind, nullable=name == "state") for name, kind in (("summary", JSON), ("state", LargeBinary))),
    )


def _judgments(metadata: MetaData) -> None:
    """Which documents help to answer which question; ``query_hash`` stands for a text of any length."""
    workspace = ForeignKey(f"{WORKBENCH}.workspaces.name", ondelete="CASCADE")
    Table(
        "judgments",
        metadata,
        Column("workspace", _ID, workspace, primary_key=True),
        *(Column(name, _ID, primary_key=True) for name in ("query_hash", "document_id")),
        *(Column(name, kind, nullable=False) for name, kind in (("query", _ID), ("at", _ID), ("by", Text))),
        Column("relevant", Boolean, nullable=False),
    )
    Table(
        "passage_judgments",
        metadata,
        Column("workspace", _ID, ForeignKey(workspace.target_fullname, ondelete="CASCADE"), primary_key=True),
        *(Column(name, _ID, primary_key=True) for name in ("query_hash", "document_id", "text_hash", "by")),
        *(Column(name, _ID, nullable=False) for name in ("query", "chunk_id", "at")),
        Column("grade", Integer),
        Column("note", Text, nullable=False),
    )


def _query_sets(metadata: MetaData) -> None:
    """Query sets and evaluations stand by the workspace's name, and outlive it; an outcome is a row."""
    Table(
        "query_sets",
        metadata,
        *(Column(name, _ID, primary_key=True) for name in ("workspace", "name")),
        *(Column(name, Integer, nullable=False) for name in ("n", "n_judged")),
        *(Column(name, _ID, nullable=False) for name in ("fingerprint", "at")),
        *(Column(name, Text, nullable=False) for name in ("note", "by")),
        Column("query_set", JSON, nullable=False),
    )
    Table(
        "evaluations",
        metadata,
        *(Column(name, _ID, primary_key=True) for name in ("workspace", "evaluation_id")),
        *(Column(name, _ID, nullable=False) for name in ("query_set", "at")),
        Column("pinned", Boolean, nullable=False),
        *(Column(name, JSON, nullable=False) for name in ("summary", "beside")),
        Column("questions", JSON),
        Index("evaluations_query_set", "workspace", "query_set"),
    )
    key = ("workspace", "evaluation_id")
    Table(
        "evaluation_outcomes",
        metadata,
        *(Column(name, _ID, primary_key=True) for name in key),
        Column("place", Integer, primary_key=True, autoincrement=False),
        Column("outcome", JSON, nullable=False),
        ForeignKeyConstraint(key, [f"{WORKBENCH}.evaluations.{name}" for name in key], ondelete="CASCADE"),
    )


def workspace_tables(schema: str, dimension: int) -> MetaData:
    """The five tables of one workspace; every key holds what a cluster distributes its table by."""
    metadata = MetaData(schema=schema)
    _document_nodes(metadata, dimension)
    _document_relationships(metadata)
    _vector_chunks(metadata, dimension)
    _vector_postings(metadata)
    _vector_bits(metadata, dimension)
    _memories(metadata, dimension)
    return metadata


def _document_nodes(metadata: MetaData, dimension: int) -> None:
    Table(
        "document_nodes",
        metadata,
        Column("document_id", _ID, primary_key=True),
        *(Column(name, Text, nullable=False) for name in ("title", "summary")),
        Column("summary_embedding", VECTOR(dimension), nullable=False),
        Column("title_embedding", VECTOR(dimension)),
        *(Column(name, Text, nullable=False) for name in ("source", "ingestion_id", "doc_type")),
        Column("headings", ARRAY(Text), nullable=False),
        Column("metadata", JSONB, nullable=False),
        Column("content_hash", Text, nullable=False),
        *(Column(name, Integer, nullable=False) for name in ("n_chunks", "n_tokens")),
        Column("fingerprint", LargeBinary, nullable=False),
        *(
            Column(name, Text, nullable=False, server_default=text("''::text"))
            for name in ("text_hash", "embedded_hash", "stated_hash")
        ),
        Column("words", TSVECTOR, Computed(HEAD_WORDS, persisted=True)),
        *(Column(name, ARRAY(Text), nullable=False) for name in ("names", "facets")),
        *(Index(f"document_nodes_{name}", name, postgresql_using="gin") for name in ("names", "facets")),
    )


def _document_relationships(metadata: MetaData) -> None:
    """No foreign key on ``to_document_id``: an edge that points at nothing is data to be checked."""
    start = ForeignKey(f"{metadata.schema}.document_nodes.document_id", ondelete="CASCADE")
    Table(
        "document_relationships",
        metadata,
        Column("from_document_id", _ID, start, primary_key=True),
        Column("relation_type", _ID, primary_key=True),
        Column("to_document_id", _ID, primary_key=True),
        Column("relationship_metadata", JSONB, nullable=False),
        Column("fingerprint", LargeBinary, nullable=False),
        Index("document_relationships_to", "to_document_id", "from_document_id"),
    )


def _vector_chunks(metadata: MetaData, dimension: int) -> None:
    document = ForeignKey(f"{metadata.schema}.document_nodes.document_id", ondelete="CASCADE")
    Table(
        "vector_chunks",
        metadata,
        Column("document_id", _ID, document, primary_key=True),
        Column("chunk_index", Integer, primary_key=True, autoincrement=False),
        *(Column(name, Text, nullable=False) for name in ("chunk_id", "chunk_text")),
        Column("embedding", VECTOR(dimension), nullable=False),
        Column("heading_path", ARRAY(Text), nullable=False),
        Column("token_count", Integer, nullable=False),
        Column("source_place", ARRAY(Integer)),
        Column("words", TSVECTOR, Computed(CHUNK_WORDS, persisted=True)),
    )


def _vector_bits(metadata: MetaData, dimension: int) -> None:
    """Three bits a number of each chunk's vector, while quantized candidates are on; else empty."""
    Table(
        "vector_bits",
        metadata,
        Column("document_id", _ID, primary_key=True),
        Column("chunk_index", Integer, primary_key=True, autoincrement=False),
        Column("bits", BIT(3 * dimension), nullable=False),
    )


def _vector_postings(metadata: MetaData) -> None:
    """Where each word of a document stands; no foreign key: it would be checked for every word that is written."""
    Table(
        "vector_postings",
        metadata,
        Column("lexeme", _ID, primary_key=True),
        Column("document_id", _ID, primary_key=True),
        Column("places", ARRAY(Integer), nullable=False),
        Column("frequencies", ARRAY(REAL), nullable=False),
        Index("vector_postings_document", "document_id"),
    )


def _memories(metadata: MetaData, dimension: int) -> None:
    """What conversations leave behind; ``turn`` counts in the workspace."""
    Table(
        "memories",
        metadata,
        Column("memory_id", _ID, primary_key=True),
        Column("conversation_id", _ID, nullable=False),
        Column("turn", BigInteger, nullable=False),
        *(Column(name, Text, nullable=False) for name in ("role", "text")),
        Column("embedding", VECTOR(dimension), nullable=False),
        Column("metadata", JSONB, nullable=False),
        Column("at", _ID, nullable=False),
        Column("words", TSVECTOR, Computed(MEMORY_WORDS, persisted=True)),
        Index("memories_words", "words", postgresql_using="gin"),
        Index("memories_conversation", "conversation_id", "turn"),
        Index("memories_turn", "turn"),
    )
