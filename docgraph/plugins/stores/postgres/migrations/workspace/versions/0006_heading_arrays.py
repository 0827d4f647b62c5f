"""Headings as arrays of text: a driver reads those without a JSON parser for each row."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import text

revision = "0006"
down_revision = "0005"

_COLUMNS = {"document_nodes": "headings", "vector_chunks": "heading_path"}
_IS_JSON = text(
    "SELECT data_type = 'jsonb' FROM information_schema.columns "
    "WHERE table_schema = :schema AND table_name = :table AND column_name = :column"
)


def upgrade() -> None:
    """Turn both columns over, each in one pass over its table."""
    schema = context.config.attributes["schema"]
    texts = f'"{schema}".texts_of_json'
    op.execute(
        f"CREATE FUNCTION {texts}(given jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS "
        "'SELECT ARRAY(SELECT value FROM jsonb_array_elements_text(given) WITH ORDINALITY AS e(value, place) "
        "ORDER BY place)'"
    )
    for table, column in _COLUMNS.items():
        if op.get_bind().scalar(_IS_JSON, {"schema": schema, "table": table, "column": column}):
            op.execute(f'ALTER TABLE "{schema}".{table} ALTER {column} TYPE text[] USING {texts}({column})')
    op.execute(f"DROP FUNCTION {texts}(jsonb)")
