"""What belongs into a backup: the tables of a workspace, what the workbench keeps of it, and their columns."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql

from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.workspaces import VERSION_TABLE

DERIVED = ("vector_postings", "vector_bits", "next_vectors")
"""Tables that follow from the others, and are made anew; an unfinished embedding is begun anew after a restore."""
FIRST = "document_nodes"
RUNS = "saved_runs"
OF_RUNS = (RUNS, "saved_run_baselines", "saved_run_reviews", "corpus_states")
"""What is frozen under the name of the workspace that it was made in, and outlives it."""
OF_SETS = ("query_sets", "evaluations", "evaluation_outcomes")
"""What stands by the name of a workspace, follows it to a new one, and outlives it."""
_REFERRED_TO = (RUNS, "evaluations")
OF_NO_WORKSPACE = ("workspaces", "embeddings", "sign_ins")
"""Written by itself, begun anew after a restore, and nobody's to take along: who may come in is said where they do."""
ROW_COLUMNS = frozenset(
    {
        *("name", "title", "embedder_name", "embedder_model", "dimension", "created_at"),
        *(
            "off_relation_types",
            "type_decisions",
            "vector_search",
            "revision",
            "n_documents",
            "n_relationships",
            "n_chunks",
        ),
        *("relationships_sum", "vectors_sum", "made_with"),
    }
)
"""Columns of ``docgraph.workspaces`` that a backup carries, or that are worked out anew from the rows."""

_COLUMNS = """
SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum)
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relnamespace = to_regnamespace(%s) AND c.relkind IN ('r', 'p') AND c.relname <> %s
GROUP BY c.relname ORDER BY c.relname"""
_VERSION = "SELECT to_regclass(%s)::text"


@dataclass(frozen=True)
class Part:
    """A table of which some rows belong to a workspace; ``by`` = the column that says so, "" = all of them do."""

    schema: str
    table: str
    columns: tuple[str, ...]
    by: str = ""

    @property
    def name(self) -> sql.Identifier:
        """The table as it is named in a statement."""
        return sql.Identifier(self.schema, self.table)

    @property
    def listed(self) -> sql.Composed:
        """Its columns as they are listed in a statement."""
        return sql.SQL(", ").join(map(sql.Identifier, self.columns))


def workspace_parts(connection: Connection, schema: str) -> tuple[Part, ...]:
    """The tables of a workspace that hold what nothing else does, documents first."""
    found = _columns(connection, schema)
    names = sorted(found.keys() - set(DERIVED), key=lambda name: (name != FIRST, name))
    return tuple(Part(schema, name, found[name]) for name in names)


def kept_parts(connection: Connection) -> tuple[Part, ...]:
    """What the workbench keeps by workspace, what others refer to first."""
    found = _columns(connection, connection.naming.workbench)
    parts = []
    names = found.keys() - set(OF_NO_WORKSPACE)
    for name in sorted(names, key=lambda name: (name not in _REFERRED_TO, name)):
        by = "workspace" if "workspace" in found[name] else "run_id"
        parts.append(Part(connection.naming.workbench, name, found[name], by))
    return tuple(parts)


def version_of(connection: Connection, schema: str) -> str:
    """The migration that a schema is at; "" where there is none."""
    row = connection.execute(_VERSION, (sql.Identifier(schema, VERSION_TABLE).as_string(connection),)).fetchone()
    if row is None or row[0] is None:
        return ""
    statement = sql.SQL("SELECT version_num FROM {}").format(sql.Identifier(schema, VERSION_TABLE))
    found = connection.execute(statement).fetchone()
    return str(found[0]) if found else ""


def column_names(connection: Connection, schema: str, table: str) -> tuple[str, ...]:
    """The columns of a table that can be written; none when there is no such table."""
    return _columns(connection, schema).get(table, ())


def _columns(connection: Connection, schema: str) -> dict[str, tuple[str, ...]]:
    quoted = sql.Identifier(schema).as_string(connection)
    return {row[0]: tuple(row[1]) for row in connection.execute(_COLUMNS, (quoted, VERSION_TABLE))}
