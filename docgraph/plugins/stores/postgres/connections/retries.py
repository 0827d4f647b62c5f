"""What an error of the server says of asking again: it is full for now, or a prepared statement is not there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg

T = TypeVar("T")
TIMEOUT = 30.0
"""Seconds that a connection is waited for."""
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.5
NO_SESSION = "no session was given by the server, or by a pooler before it"
_FULL = re.compile(
    "|".join(
        (
            NO_SESSION,
            *("too many clients", "too many connections", "remaining connection slots"),
            *("query_wait_timeout", "no more connections allowed", "max_client_conn"),
            *("max client connections reached", "max clients reached", "waiting to acquire database connection"),
        )
    ),
    re.IGNORECASE,
)
"""PostgreSQL by its own limit, a database's and a role's; PgBouncer, Supavisor and RDS Proxy by theirs."""
_NO_STATEMENT, _NOT_SUPPORTED = ("26000", "42P05"), "0A000"
_STATEMENT = re.compile(r"prepared statement|cached plan must not change result type", re.IGNORECASE)


def is_full(error: BaseException) -> bool:
    """Whether a connection was refused for no reason but that there are as many as there may be."""
    cause = getattr(error, "orig", None) or error  # what SQLAlchemy says hides what the driver said
    if not isinstance(cause, psycopg.Error):
        return False
    return cause.sqlstate == "53300" or (is_of_connection(cause) and bool(_FULL.search(str(cause))))


def is_of_connection(error: psycopg.Error) -> bool:
    """Whether its text is the server's own about a connection, in which nothing of a document can stand."""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "28"))


def is_lacking_statement(error: BaseException) -> bool:
    """Whether a prepared statement is not what the client takes it for, so that asking again without one helps."""
    if not isinstance(error, psycopg.Error):
        return False
    may_say_so = is_of_connection(error) or error.sqlstate == _NOT_SUPPORTED
    return error.sqlstate in _NO_STATEMENT or (may_say_so and bool(_STATEMENT.search(str(error))))


def waited(opened: Callable[[], T], *, meanwhile: Callable[[float], object] = lambda left: None) -> T:
    """What ``opened`` opens, asked again while the server is full. Raises what it raises, after ``TIMEOUT`` seconds.

    ``meanwhile`` is called before each new try with the seconds that are left: it may give back what this program holds
    for later alone, and says by True that it has waited itself.
    """
    deadline, pause = time.monotonic() + TIMEOUT, FIRST_PAUSE
    while True:
        try:
            return opened()
        except Exception as error:
            if not is_full(error) or time.monotonic() > deadline:
                raise
        if meanwhile(max(0.0, deadline - time.monotonic())) is not True:
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
