"""A workspace's tables on several servers (Citus): checked, spread, gathered, each in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import sql

from docgraph.errors import NotFoundError, StoreError, UserError
from docgraph.plugins.stores.postgres.connections import Connector
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.ports.distribution import Distribution, TableMove

COLUMNS = {
    "document_nodes": "document_id",
    "vector_chunks": "document_id",
    "document_relationships": "from_document_id",
    "vector_postings": "document_id",
    "vector_bits": "document_id",
    "memories": "memory_id",
}
"""Table → the column that decides where a row lies; what belongs to a document lies where the document lies."""
FIRST = "document_nodes"
OLDEST = (12, 1)
MAX_SHARDS = 1_024

_HOLD = "SELECT name FROM docgraph.workspaces WHERE name = %s FOR UPDATE"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 20251))"  # as a writer that locks the whole workspace
_TABLES = """
SELECT c.relname::text, s.n, CASE WHEN s.n > 0 THEN citus_total_relation_size(c.oid, fail_on_error => false)
                                  ELSE pg_total_relation_size(c.oid) END
FROM pg_class c CROSS JOIN LATERAL (SELECT count(*) AS n FROM pg_dist_shard WHERE logicalrelid = c.oid) s
WHERE c.relnamespace = to_regnamespace(%s) AND c.relname = ANY(%s)"""
_NODES = """
SELECT nodename || ':' || nodeport FROM pg_dist_node
WHERE noderole = 'primary' AND isactive AND shouldhaveshards ORDER BY nodename, nodeport"""
_UNREACHABLE = """
SELECT DISTINCT to_nodename || ':' || to_nodeport FROM citus_check_cluster_node_health()
WHERE result IS NOT TRUE ORDER BY 1"""
_VERSIONS = """SELECT string_agg(name || ' ' || version, ', ' ORDER BY name) FROM (
  SELECT extname::text AS name, extversion AS version FROM pg_extension WHERE extname IN ('citus', 'vector')
  UNION ALL SELECT 'PostgreSQL', split_part(current_setting('server_version'), '.', 1)) said"""
_ELSEWHERE = """
SELECT n.nodename || ':' || n.nodeport, r.success, r.result FROM run_command_on_all_nodes(%s) r
JOIN pg_dist_node n USING (nodeid) ORDER BY 1"""
_INSTALLED = """
SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus'),
       EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')"""
_VERSION = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
_SHARDS = """
SELECT count(DISTINCT c.oid), count(*) FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
WHERE c.relname = 'document_nodes' AND c.relnamespace::regnamespace::text LIKE '%ws\\_%'"""


def distribute(
    connector: Connector, workspace: str, *, n_shards: int, dry_run: bool, told: Callable[[str], None]
) -> Distribution:
    """See ``ports.Distributes``."""
    if not 1 <= n_shards <= MAX_SHARDS:
        raise UserError(
            f"{n_shards} shards are not possible", hint=f"give a number from 1 to {MAX_SHARDS}; 32 suits most clusters"
        )
    action = f"distribute workspace {workspace!r}"
    with connector.transaction(action) as connection:
        nodes = _checked(connection)
        found = _tables(connection, workspace)
        if dry_run or all(table.done for table in found):
            return Distribution(workspace, found, nodes)
        _alone(connection, workspace)
        schema = connector.naming.schema_of(workspace)
        for table in found:
            if not table.done:
                told(table.table)
                _spread(connection, schema, table.table, n_shards)
        for table in found:  # what was copied is still on the coordinator; who refers to it goes with it
            if not table.done and table.table in (FIRST, "vector_postings", "vector_bits", "memories"):
                name = sql.Identifier(schema, table.table).as_string(connection)
                connection.execute("SELECT truncate_local_data_after_distributing_table(%s::regclass)", (name,))
    return Distribution(workspace, _analyzed(connector, action, workspace), nodes)


def undistribute(connector: Connector, workspace: str, *, dry_run: bool, told: Callable[[str], None]) -> Distribution:
    """See ``ports.Distributes``."""
    action = f"gather workspace {workspace!r}"
    with connector.transaction(action) as connection:
        nodes = _checked(connection)
        found = _gathered(_tables(connection, workspace))
        if dry_run or all(table.done for table in found):
            return Distribution(workspace, found, nodes)
        _alone(connection, workspace)
        schema = connector.naming.schema_of(workspace)
        for table in ("memories", "vector_bits", "vector_postings", FIRST):
            if any(each.table == table and not each.done for each in found):
                told(table)
                name = sql.Identifier(schema, table).as_string(connection)
                connection.execute("SELECT undistribute_table(%s::regclass, cascade_via_foreign_keys => true)", (name,))
        _say_words(connection, schema)
    return Distribution(workspace, _gathered(_analyzed(connector, action, workspace)), nodes)


def cluster_health(connector: Connector) -> dict[str, Any]:
    """``citus_version``, ``nodes`` and ``shards`` where workspaces are distributed; nothing on a single server."""
    action = "ask the database about its nodes"
    with connector.connection(action) as connection:
        version = connection.execute(_VERSION).fetchone()
        if version is None:
            return {}
        n_workspaces, n_shards = connection.execute(_SHARDS).fetchone() or (0, 0)
        nodes = [row[0] for row in connection.execute(_NODES)] if n_workspaces else []
    told: dict[str, Any] = {"citus_version": version[0], "n_distributed_workspaces": n_workspaces}
    return told | {"n_shards": n_shards, "nodes": ", ".join(nodes)} if n_workspaces else told


def _spread(connection: Connection, schema: str, table: str, n_shards: int) -> None:
    name = sql.Identifier(schema, table).as_string(connection)
    values: dict[str, Any] = {"table": name, "column": COLUMNS[table], "n_shards": n_shards}
    if table == FIRST:
        how = "colocate_with => 'none', shard_count => %(n_shards)s"
    else:
        values["first"] = sql.Identifier(schema, FIRST).as_string(connection)
        how = "colocate_with => %(first)s"
    connection.execute(f"SELECT create_distributed_table(%(table)s::regclass, %(column)s, {how})".encode(), values)


def _say_words(connection: Connection, schema: str) -> None:
    """What the migration says of the postings' words is lost where a table is made anew."""
    name = sql.Identifier(schema, "vector_postings")
    connection.execute(sql.SQL("ALTER TABLE {} ALTER lexeme SET (n_distinct = -0.05)").format(name))


def _analyzed(connector: Connector, action: str, workspace: str) -> tuple[TableMove, ...]:
    """The tables as they lie now; what the planner knew of them was of where they lay before."""
    schema = connector.naming.schema_of(workspace)
    with connector.connection(action) as connection:
        tables = _tables(connection, workspace)
        for each in tables:
            connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(schema, each.table)))
    return tables


def _alone(connection: Connection, workspace: str) -> None:
    """Keep every writer away until the end; shards that refer to each other are made one after the other."""
    connection.execute("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")
    connection.execute("SET LOCAL client_min_messages TO warning")
    connection.execute(_LOCK, (connection.naming.schema_of(workspace),))
    connection.execute(_HOLD, (workspace,))


def _tables(connection: Connection, workspace: str) -> tuple[TableMove, ...]:
    """The tables in the order in which they are spread. Raises NotFoundError."""
    schema = f'"{connection.naming.schema_of(workspace)}"'
    rows = {row[0]: row for row in connection.execute(_TABLES, (schema, list(COLUMNS)))}
    if not rows:
        raise NotFoundError(f"there is no workspace {workspace!r}", hint="list them: docgraph workspaces")
    return tuple(
        TableMove(
            table=table,
            column=column,
            n_bytes=int(rows[table][2] or 0),
            n_shards=int(rows[table][1]),
            done=rows[table][1] > 0,
        )
        for table, column in COLUMNS.items()
        if table in rows
    )


def _gathered(tables: tuple[TableMove, ...]) -> tuple[TableMove, ...]:
    """The same tables, where what lies on one server is what is wanted."""
    return tuple(TableMove(t.table, t.column, t.n_bytes, t.n_shards, done=not t.n_shards) for t in tables)


def _checked(connection: Connection) -> tuple[str, ...]:
    """The servers that shards can lie on. Raises StoreError, which says what is missing."""
    _check_extension(connection)
    nodes = tuple(row[0] for row in connection.execute(_NODES))
    if not nodes:
        raise StoreError(
            "the cluster has no server for shards",
            hint="on the coordinator: SELECT citus_add_node('host', 5432) for each worker",
        )
    lost = [row[0] for row in connection.execute(_UNREACHABLE)]
    if lost:
        raise StoreError(
            f"servers of the cluster do not answer: {', '.join(lost)}",
            hint="start them, or take them out: citus_disable_node, citus_remove_node",
        )
    expected = connection.execute(_VERSIONS).fetchone()
    assert expected is not None
    for node, is_done, said in connection.execute(_ELSEWHERE, (_VERSIONS,)):
        if not is_done or said != expected[0]:
            raise StoreError(
                f"server {node} has {str(said)[:200]}, the coordinator has {expected[0]}",
                hint="install the same versions everywhere, and CREATE EXTENSION vector in this database",
            )
    return nodes


def _check_extension(connection: Connection) -> None:
    row = connection.execute(_INSTALLED).fetchone()
    version, is_available = row or (None, False)
    if version is None:
        what = (
            "citus is installed, but not in this database" if is_available else "citus is not installed on the server"
        )
        hint = (
            "as a superuser, on every server: CREATE EXTENSION citus"
            if is_available
            else "install it on every server, set shared_preload_libraries = 'citus', restart: docs/scaling.md"
        )
        raise StoreError(f"{what}: its tables cannot be distributed", hint=hint)
    if _number(version) < OLDEST:
        raise StoreError(
            f"citus {version} is too old", hint=f"upgrade it to {'.'.join(map(str, OLDEST))} or newer on every server"
        )
    try:
        row = connection.execute("SELECT citus_is_coordinator()").fetchone()
    except psycopg.errors.UndefinedFunction:
        row = (True,)
    if not (row and row[0]):
        raise StoreError(
            "this server is no coordinator of a cluster",
            hint="connect to the coordinator, or make this one: SELECT citus_set_coordinator_host('host', 5432)",
        )


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("-")[0].split(".")[:2] if part.isdigit())
