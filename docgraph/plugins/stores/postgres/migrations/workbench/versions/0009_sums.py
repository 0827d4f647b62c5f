"""What of each revision is relationships, so that the rest is the documents', of which saved runs keep theirs."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Connection, text

from docgraph.domain.revision import content_text, moved_relationships, off_type_fingerprint, revision_text
from docgraph.plugins.stores.postgres.connections.naming import naming_of

revision = "0009"
down_revision = "0008"

_WORDS = " + ".join(
    f"(('x' || encode(substr(f, {4 * i + 1}, 4), 'hex'))::bit(32)::bigint)::numeric * {1 << 32 * (3 - i)}"
    for i in range(4)
)
_SUM = f"SELECT COALESCE(sum({_WORDS}), 0) FROM (SELECT substr(fingerprint, length(fingerprint) - 15) AS f FROM "


def upgrade() -> None:
    """Add the columns, which keeps everybody from moving what is being summed until the end.

    No fingerprint that is stored says anything of vectors, so their sum begins with 0. A run that was saved on today's
    data is one of today's documents; of an older one nobody knows.
    """
    workspaces, runs = "ALTER TABLE docgraph.workspaces", "ALTER TABLE docgraph.saved_runs"
    for name in ("relationships_sum", "vectors_sum"):
        op.execute(f"{workspaces} ADD COLUMN IF NOT EXISTS {name} numeric(39, 0) NOT NULL DEFAULT 0")
    op.execute(f"{runs} ADD COLUMN IF NOT EXISTS content_revision text COLLATE \"C\" NOT NULL DEFAULT ''")
    connection = op.get_bind()
    rows = connection.execute(text("SELECT name, revision, off_relation_types FROM docgraph.workspaces")).all()
    put = text("UPDATE docgraph.workspaces SET relationships_sum = :sum WHERE name = :name")
    tell = text(
        "UPDATE docgraph.saved_runs SET content_revision = :content WHERE workspace = :name AND corpus_revision = :now"
    )
    for name, state, off in rows:
        sum_ = moved_relationships(_edges(connection, name), added=map(off_type_fingerprint, off))
        connection.execute(put, {"name": name, "sum": sum_})
        content = content_text(int(state), relationships=sum_, vectors=0)
        connection.execute(tell, {"name": name, "now": revision_text(int(state)), "content": content})


def _edges(connection: Connection, name: str) -> int:
    """The sum of the workspace's relationships; the last 16 bytes of a fingerprint are what is said, not where."""
    table = f'"{naming_of(connection).schema_of(name)}".document_relationships'
    if connection.scalar(text("SELECT to_regclass(:table)::text"), {"table": table}) is None:
        return 0
    return int(connection.scalar(text(f"{_SUM}{table}) edges")) or 0)
