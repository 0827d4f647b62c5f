"""What an error of the server says of asking again: it is full for now, or a prepared statement is not there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg

T = TypeVar("T")
PATIENCE = 30.0
"""Seconds that a connection is waited for."""
FIRST_NAP, LONGEST_NAP = 0.02, 0.5
_FULL = re.compile(
    r"too many clients|too many connections|remaining connection slots|no more connections allowed"
    r"|max client connections reached|max_client_conn|max clients reached|waiting to acquire database connection",
    re.IGNORECASE,
)
"""PostgreSQL by its own limit, a database's and a role's; PgBouncer, Supavisor and RDS Proxy by theirs."""
_NO_STATEMENT = ("26000", "42P05")
_STATEMENT = re.compile(r"prepared statement|cached plan must not change result type", re.IGNORECASE)


def is_full(error: BaseException) -> bool:
    """Whether a connection was refused for no reason but that there are as many as there may be."""
    cause = getattr(error, "orig", None) or error  # what SQLAlchemy says hides what the driver said
    return isinstance(cause, psycopg.Error) and (cause.sqlstate == "53300" or bool(_FULL.search(str(cause))))


def is_lacking_statement(error: BaseException) -> bool:
    """Whether a prepared statement is not what the client takes it for, so that asking again without one helps."""
    if not isinstance(error, psycopg.Error):
        return False
    return error.sqlstate in _NO_STATEMENT or bool(_STATEMENT.search(str(error)))


def waited(opened: Callable[[], T], *, spare: Callable[[], object] = lambda: None) -> T:
    """What ``opened`` opens, asked again while the server is full. Raises what it raises, after ``PATIENCE`` seconds.

    ``spare`` gives back what this program holds for later alone.
    """
    deadline, nap = time.monotonic() + PATIENCE, FIRST_NAP
    while True:
        try:
            return opened()
        except Exception as error:
            if not is_full(error) or time.monotonic() > deadline:
                raise
        spare()
        time.sleep(nap)
        nap = min(2 * nap, LONGEST_NAP)
