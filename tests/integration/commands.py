"""What tests of the command line look at: the lines of an error, and what stands in a database."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import psycopg

PREFIX = "DOCGRAPH_"
Command = Callable[..., tuple[int, str, str]]
"""Runs one command over the workspace ``w``: (exit code, standard output, standard error)."""


def counts(url: str) -> list[tuple[Any, ...]]:
    """Every workspace with its revision and counts, and what really stands in its tables."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT name, revision, n_documents, n_chunks, n_relationships FROM docgraph.workspaces ORDER BY name"
        ).fetchall()
        tables = ("document_nodes", "vector_chunks", "document_relationships")
        real = [connection.execute(f"SELECT count(*) FROM ws_w.{table}").fetchone() for table in tables]
    return [*found, *map(tuple, filter(None, real))]


def said(err: str) -> tuple[str, str]:
    """(message, hint) of an error; it must be one line each and nothing else."""
    found = re.fullmatch(r"error: ([^\n]+)\nhint:  ([^\n]+)\n", err)
    assert found, err
    return found[1], found[2]


_OTHERS = """
SELECT state, query FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


def left_connections(url: str, *, seconds: float = 60) -> list[tuple[str, str]]:
    """(state, last statement) of other clients' connections that a database still has after ``seconds``.

    One connection looks all the time: where each look has its own, the next one finds the last one ending.
    """
    deadline = time.monotonic() + seconds
    with psycopg.connect(url, autocommit=True) as connection:
        while True:
            rows = connection.execute(_OTHERS).fetchall()
            if not rows or time.monotonic() > deadline:
                return rows
            time.sleep(0.02)


def connection_states(url: str) -> list[str]:
    """The states of all other clients' connections to a database."""
    with psycopg.connect(url, autocommit=True) as connection:
        return [state for state, _ in connection.execute(_OTHERS).fetchall()]
