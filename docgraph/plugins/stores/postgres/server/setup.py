"""What an administrator runs for a role that may make neither extensions nor schemas: statements as psql takes them."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.conninfo import conninfo_to_dict

from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import SettingsError
from docgraph.plugins.stores.postgres.connections.conninfo import checked_conninfo
from docgraph.plugins.stores.postgres.connections.naming import Naming
from docgraph.plugins.stores.postgres.migrating import Kind, newest, whole_script
from docgraph.plugins.stores.postgres.workspaces import VERSION_TABLE

ROLE = "docgraph"
"""The role that is meant where nobody names one."""
_EXTENSION = """
CREATE EXTENSION IF NOT EXISTS vector;
SELECT set_config('search_path', quote_ident(n.nspname), true) AS "pgvector is in"
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';"""
_USAGE = """
DO $docgraph$ BEGIN
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), {role});
  EXECUTE (SELECT format('GRANT USAGE ON SCHEMA %I TO %I', n.nspname, {role})
           FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector');
END $docgraph$;"""
_WORKSPACE = """
INSERT INTO {workbench}.workspaces (name, title, embedder_name, embedder_model, dimension)
VALUES ({name}, '', {embedder}, {model}, {dimension}) ON CONFLICT (name) DO NOTHING;"""
_ONCE = """
DO $docgraph$ DECLARE docgraph_is_at text; BEGIN
IF to_regclass({table}) IS NOT NULL THEN
  EXECUTE {asked} INTO docgraph_is_at;
  IF docgraph_is_at IS DISTINCT FROM {newest} THEN
    RAISE EXCEPTION 'the tables of % are at migration %, and these statements make %',
      {schema}, docgraph_is_at, {newest}
      USING HINT = 'open them once with this docgraph as the role that owns them: docgraph doctor';
  END IF;
ELSE
{script}
END IF;
END $docgraph$;"""


def setup_sql(
    database_url: str | None = None,
    *,
    workspaces: Sequence[str],
    prefix: str = "",
    role: str | None = None,
    readers: Sequence[str] = (),
    embedder: EmbedderInfo | None = None,
) -> str:
    """One transaction: extension, schemas, rights. Nothing is asked of a server.

    ``role`` (the URL's, where none is named) gets the schemas as its own, and makes its tables itself; with
    ``embedder`` the tables are made as well, belong to whoever runs this, and the role may change their rows alone.
    ``readers`` may read. What is there already is left as it is, so that it can be run again, for one more workspace
    too; tables of another migration stop it. Raises SettingsError.
    """
    role = role or _role_of(database_url)
    naming = Naming(prefix)
    schemas = [naming.workbench, *map(naming.schema_of, workspaces)]
    parts = [_head(role, with_tables=embedder is not None), "BEGIN;" + _EXTENSION]
    parts += [_USAGE.format(role=_text(each)).strip() for each in (role, *readers)]
    owned = "" if embedder is not None else f" AUTHORIZATION {_name(role)}"
    parts += [f"CREATE SCHEMA IF NOT EXISTS {_name(each)}{owned};" for each in schemas]
    if embedder is not None:
        parts.append(_once("workbench", schemas[0]))
        for name, schema in zip(workspaces, schemas[1:], strict=True):
            parts += [_once("workspace", schema, dimension=embedder.dimension), _row(naming, name, embedder)]
        parts += _rights(role, schemas, "SELECT, INSERT, UPDATE, DELETE", owner=None)
    for reader in readers:
        parts += _rights(reader, schemas, "SELECT", owner=None if embedder is not None else role)
    return "\n".join([*parts, "COMMIT;", ""])


def _once(kind: Kind, schema: str, *, dimension: int = 0) -> str:
    """The statements that make the tables of a schema, where they are not there."""
    table = f"{_name(schema)}.{VERSION_TABLE}"
    return _ONCE.format(
        table=_text(table),
        asked=_text(f"SELECT version_num FROM {table}"),
        newest=_text(newest(kind)),
        schema=_text(schema),
        script=whole_script(kind, schema, dimension=dimension).strip(),
    ).strip()


def _head(role: str, *, with_tables: bool) -> str:
    may = "changes rows of these tables" if with_tables else "makes and changes tables in schemas of its own"
    name = _one_line(_name(role))
    return (
        f"-- For the role {name}, which {may} and nothing else.\n"
        "-- An administrator of the database runs this once: psql -v ON_ERROR_STOP=1 -f FILE DATABASE\n"
        f"-- Where the role is not there yet: CREATE ROLE {name} LOGIN PASSWORD '…';"
    )


def _rights(role: str, schemas: Sequence[str], rights: str, *, owner: str | None) -> list[str]:
    """On all tables that are there, and that ``owner`` (or who runs this) will make."""
    listed = ", ".join(map(_name, schemas))
    whose = f" FOR ROLE {_name(owner)}" if owner else ""
    return [
        f"GRANT USAGE ON SCHEMA {listed} TO {_name(role)};",
        f"GRANT {rights} ON ALL TABLES IN SCHEMA {listed} TO {_name(role)};",
        f"ALTER DEFAULT PRIVILEGES{whose} IN SCHEMA {listed} GRANT {rights} ON TABLES TO {_name(role)};",
    ]


def _row(naming: Naming, name: str, embedder: EmbedderInfo) -> str:
    return _WORKSPACE.format(
        workbench=_name(naming.workbench),
        name=_text(name),
        embedder=_text(embedder.name),
        model=_text(embedder.model),
        dimension=int(embedder.dimension),
    ).strip()


def _role_of(database_url: str | None) -> str:
    if not database_url:
        return ROLE
    user = conninfo_to_dict(checked_conninfo(database_url)).get("user")
    return str(user) if user else ROLE


def _name(text: str) -> str:
    if not text or "\x00" in text:
        raise SettingsError(f"{text!r} is no name of a role", hint="give it as CREATE ROLE has it")
    return '"{}"'.format(text.replace('"', '""'))


def _text(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))


def _one_line(text: str) -> str:
    """In a remark, which ends with its line."""
    return " ".join(text.split())
