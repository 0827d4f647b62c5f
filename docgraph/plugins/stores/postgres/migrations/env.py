"""Runs the migrations of one schema on the connection that the caller hands over, inside the caller's transaction."""

from __future__ import annotations

from alembic import context

attributes = context.config.attributes
context.configure(
    connection=attributes["connection"],
    version_table=attributes["version_table"],
    version_table_schema=attributes["schema"],
    transaction_per_migration=False,
)
context.run_migrations()
