"""A new schema, made in one step, is what its migrations make."""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

from docgraph.plugins.stores.postgres import migrating
from docgraph.plugins.stores.postgres.migrating import Kind, newest, upgrade
from tests.integration.test_foreign_tables import dump

STATISTICS = """
SELECT relname, reltuples, relpages FROM pg_class WHERE relnamespace = 'docgraph'::regnamespace AND relkind = 'r'
ORDER BY relname"""


@pytest.mark.parametrize(
    ("kind", "dimension"), [("workbench", 0), *(("workspace", width) for width in (8, 901, 1_901, 2_500))]
)
def test_a_schema_made_in_one_step_is_what_the_migrations_make(
    new_database_url: str, kind: Kind, dimension: int
) -> None:
    """Each width stores vectors otherwise. In the dump stands everything, the columns in their order included."""
    at_once = made(new_database_url, kind, dimension, "head")
    assert made(new_database_url, kind, dimension, min(migrating._known(kind)), "head") == at_once


def test_a_migration_that_came_after_the_one_step_follows_it(
    new_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the statements of the one step need not be written anew with every migration."""
    folder = tmp_path / "migrations"
    shutil.copytree(Path(migrating.__file__).parent / "migrations", folder)
    last = newest("workspace")
    (folder / "workspace" / "versions" / "9999_later.py").write_text(
        "from alembic import context, op\n"
        f'revision, down_revision = "9999", "{last}"\n\n\n'
        "def upgrade() -> None:\n"
        "    schema = context.config.attributes['schema']\n"
        "    op.execute(f'ALTER TABLE \"{schema}\".memories ADD COLUMN later text')\n"
    )
    monkeypatch.setattr(migrating, "_FOLDER", folder)
    migrating._known.cache_clear()
    try:
        dumped, _ = made(new_database_url, "workspace", 8, "head")
    finally:
        migrating._known.cache_clear()
    assert "later text" in dumped


def made(url: str, kind: Kind, dimension: int, *revisions: str) -> tuple[str, list[tuple[object, ...]]]:
    """The dump of a schema that goes through these revisions, and what the server knows of its tables."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
        connection.execute(text("CREATE SCHEMA docgraph"))
        for revision in revisions:
            upgrade(connection, kind, "docgraph", dimension=dimension, revision=revision)
    dumped = dump(url)
    with engine.begin() as connection:
        statistics = [tuple(row) for row in connection.execute(text(STATISTICS))]
        connection.execute(text("DROP SCHEMA docgraph CASCADE"))
    engine.dispose()
    return dumped, statistics
