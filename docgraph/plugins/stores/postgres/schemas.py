"""Schemas made and removed, also by a role that may make none: what an administrator made for it is kept and used."""

from __future__ import annotations

from sqlalchemy import Connection, text
from sqlalchemy.schema import CreateSchema, DropSchema

from docgraph.errors import ConflictError

_IS_THERE = "SELECT to_regnamespace(quote_ident(:schema)) IS NOT NULL"
_MAY_MAKE = "SELECT has_database_privilege(current_database(), 'CREATE')"
_HOLDS = "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(:schema)) LIMIT 1"
_TABLES = """
SELECT quote_ident(:schema) || '.' || quote_ident(relname) FROM pg_class
WHERE relnamespace = to_regnamespace(quote_ident(:schema)) AND relkind IN ('r', 'p') ORDER BY relname"""


def make_schema(connection: Connection, schema: str) -> None:
    """A new schema, or the empty one that is there. Raises ConflictError where something lies in it."""
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
    if connection.scalar(text(_MAY_MAKE)):
        connection.execute(DropSchema(schema, cascade=True, if_exists=True))
        return
    for table in connection.scalars(text(_TABLES), {"schema": schema}).all():
        connection.execute(text(f"DROP TABLE IF EXISTS {table} CASCADE".replace(":", r"\:")))
