"""A vector of the title beside that of the summary, of long documents."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import text

revision = "0011"
down_revision = "0010"

WIDEST_PLAIN = 900
"""Vectors up to this width fit into a page both, beside the rest of their row."""
_LARGEST_ROW, _ROW = 8_160, 2_032
_IS_DISTRIBUTED = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(:table))"


def upgrade() -> None:
    """Add the column, empty, where the tables were made before it stood in front of their wide columns.

    Titles of stored documents are embedded when somebody asks for it, or imports them again.

    Stored plain, as the summary's is, it is compared faster; so that the texts of such rows need not leave them, rows
    may be longer by its size. Citus does not take the former for a table that is distributed already.
    """
    schema, dimension = context.config.attributes["schema"], int(context.config.attributes["dimension"])
    table = f'"{schema}".document_nodes'
    op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS title_embedding vector({dimension})")
    if dimension <= WIDEST_PLAIN and not _is_distributed(table):
        op.execute(f"ALTER TABLE {table} ALTER title_embedding SET STORAGE PLAIN")
        op.execute(f"ALTER TABLE {table} SET (toast_tuple_target = {min(_ROW + 4 * dimension + 8, _LARGEST_ROW)})")


def _is_distributed(table: str) -> bool:
    connection = op.get_bind()
    if connection.scalar(text("SELECT to_regclass('pg_dist_partition')::text")) is None:
        return False
    return bool(connection.scalar(text(_IS_DISTRIBUTED), {"table": table}))
