"""Makes schemas and removes them, and brings them to the newest migration: each workspace's when it is opened."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import psycopg
from psycopg import sql

from docgraph.errors import ConflictError, StoreError
from docgraph.plugins.stores.postgres.connections import SETUP_LOCK
from docgraph.plugins.stores.postgres.workspaces import VERSION_TABLE

if TYPE_CHECKING:  # a schema that is up to date is read by the driver alone: this takes a fifth of a command's start
    from sqlalchemy import Connection

    from docgraph.plugins.stores.postgres.connections.naming import Connection as DriverConnection

Kind = Literal["workbench", "workspace"]
_FOLDER = Path(__file__).parent / "migrations"
_IS_THERE = "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = :schema)"
_HAS_VERSION = """
SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = :schema AND c.relname = :table)"""
"""By the catalogue's tables: ``to_regclass`` may still know what was not there when this transaction first asked."""
_MAY_MAKE = "SELECT has_database_privilege(current_database(), 'CREATE')"
_HOLDS = "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(:schema)) LIMIT 1"
_TABLES = """
SELECT quote_ident(:schema) || '.' || quote_ident(relname) FROM pg_class
WHERE relnamespace = to_regnamespace(quote_ident(:schema)) AND relkind IN ('r', 'p') ORDER BY relname"""


def is_up_to_date(connection: DriverConnection, kind: Kind, schema: str) -> bool:
    """Whether a schema is there, at the newest migration."""
    (there,) = connection.execute("SELECT to_regclass(%s)::text", [f'"{schema}".{VERSION_TABLE}']).fetchall()
    if there == (None,):
        return False
    statement = sql.SQL("SELECT version_num FROM {}").format(sql.Identifier(schema, VERSION_TABLE))
    return connection.execute(statement).fetchall() == [(newest(kind),)]


def bring_up_to_date(connection: Connection, kind: Kind, schema: str, *, dimension: int = 0) -> bool:
    """Create the schema or apply what is missing, in the caller's transaction; True when something was done.

    A schema that is up to date is only read, so a role without the right to change anything passes too.
    """
    from sqlalchemy import text

    version = current_version(connection, schema)
    if version == newest(kind):
        return False
    if version is not None and (hint := unknown(kind, version)):
        raise StoreError(
            f"schema {schema!r} is at version {version!r}, unknown to this docgraph (it knows {newest(kind)!r})",
            hint=f"{hint}; nothing was touched",
        )
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SETUP_LOCK})
    version = current_version(connection, schema)
    if version == newest(kind):
        return False
    if version is None:
        make_schema(connection, schema)
    upgrade(connection, kind, schema, dimension=dimension)
    return True


def upgrade(connection: Connection, kind: Kind, schema: str, *, dimension: int, revision: str = "head") -> None:
    """Bring a schema to ``revision`` in the caller's transaction: a new one by one script, another by migrations."""
    wanted, sections = newest(kind) if revision == "head" else revision, _sections(kind)
    if current_version(connection, schema) is None:
        raw = connection.connection.driver_connection
        assert isinstance(raw, psycopg.Connection)
        script = _script(kind, schema, dimension, min(wanted, max(sections)))
        raw.execute(script.encode(), prepare=False)  # several statements, which cannot be prepared
        if wanted in sections:
            return
    from alembic import command  # only here: neither a new schema nor one that is up to date needs it
    from alembic.config import Config

    config = Config()
    config.set_main_option("path_separator", "os")
    for option, folder in (("script_location", _FOLDER), ("version_locations", _FOLDER / kind / "versions")):
        config.set_main_option(option, str(folder).replace("%", "%%"))
    config.attributes.update(connection=connection, schema=schema, dimension=dimension, version_table=VERSION_TABLE)
    command.upgrade(config, revision)


def whole_script(kind: Kind, schema: str, *, dimension: int = 0) -> str:
    """The statements that make a new schema at the newest migration. Raises StoreError where some come after them."""
    if newest(kind) not in _sections(kind):
        raise StoreError(
            f"no statements make a new {kind} at migration {newest(kind)} in one step",
            hint="let the role make the tables itself: without --tables",
        )
    return _script(kind, schema, dimension, newest(kind))


def _script(kind: Kind, schema: str, dimension: int, revision: str) -> str:
    script = "".join(text for number, text in _sections(kind).items() if number <= revision).strip()
    script += f"\nINSERT INTO SCHEMA.{VERSION_TABLE} VALUES ('{revision}');\n"
    for name, value in {"SCHEMA": f'"{schema}"', "DIMENSION": dimension, "BITS": 3 * dimension}.items():
        script = script.replace(name, str(value))
    return script


def current_version(connection: Connection, schema: str) -> str | None:
    """The migration a schema is at; None when there is none."""
    from sqlalchemy import text

    if not connection.scalar(text(_HAS_VERSION), {"schema": schema, "table": VERSION_TABLE}):
        return None
    version = connection.scalar(text(f'SELECT version_num FROM "{schema}".{VERSION_TABLE}'))
    return None if version is None else str(version)


def make_schema(connection: Connection, schema: str) -> None:
    """A new schema, or the empty one that is there. Raises ConflictError where something lies in it."""
    from sqlalchemy import text
    from sqlalchemy.schema import CreateSchema

    values = {"schema": schema}
    if not connection.scalar(text(_IS_THERE), values):
        connection.execute(CreateSchema(schema))
    elif (found := connection.scalar(text(_HOLDS), values)) is not None:
        raise ConflictError(
            f"the schema {schema!r} is there already, and holds {found!r}",
            hint="it is not docgraph's own: choose another DOCGRAPH_SCHEMA_PREFIX, or another name for the workspace",
        )


def remove_schema(connection: Connection, schema: str) -> None:
    """Everything in a schema; with the schema itself, where the role could make it again."""
    from sqlalchemy import text
    from sqlalchemy.schema import DropSchema

    if connection.scalar(text(_MAY_MAKE)):
        connection.execute(DropSchema(schema, cascade=True, if_exists=True))
        return
    for table in connection.scalars(text(_TABLES), {"schema": schema}).all():
        connection.execute(text(f"DROP TABLE IF EXISTS {table} CASCADE".replace(":", r"\:")))


def newest(kind: Kind) -> str:
    """The newest migration there is."""
    return max(_known(kind))


def unknown(kind: Kind, version: str) -> str | None:
    """What to do about a schema at ``version``; None = it is one of the migrations there are."""
    if version in _known(kind):
        return None
    if version < min(_known(kind)):
        return "it was made before the first release: import its files anew"
    return "a newer docgraph has changed it: upgrade this one, then try again"


@cache
def _known(kind: Kind) -> frozenset[str]:
    """Every migration's number, which its file's name begins with."""
    return frozenset(path.stem.partition("_")[0] for path in (_FOLDER / kind / "versions").glob("[0-9]*.py"))


@cache
def _sections(kind: Kind) -> dict[str, str]:
    """Migration → its part of the statements that make a new schema."""
    _, *parts = re.split(r"^-- (\d{4})$", (_FOLDER / kind / "schema.sql").read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[::2], parts[1::2], strict=True))
