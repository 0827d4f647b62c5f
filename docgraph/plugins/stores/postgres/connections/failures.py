"""What the database's errors mean for a person: one clear line, what to do next, and never a password."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import isfunction, isgeneratorfunction
from typing import Any, TypeVar

import psycopg
from pydantic import ValidationError

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections.causes import hint_of
from docgraph.plugins.stores.postgres.connections.patience import is_full, is_of_connection

Kind = TypeVar("Kind", bound=type)
_HINTS = {
    "08": "is the server running, and are host and port right? docgraph doctor shows where it looks",
    "28": "check user name and password in DOCGRAPH_DATABASE_URL",
    "3D": "create the database first, or correct its name in DOCGRAPH_DATABASE_URL",
    "42501": "this role may not do that: grant it the right, or use the owner's connection for changes",
    "25006": "the connection is read-only: changes need the server's primary and a role that may write",
    "53100": "the disk is full: free some space and start again; nothing that was acknowledged is lost",
    "53300": "server, database, role or pooler has no connection left: let it have more, or lower DOCGRAPH_POOL_SIZE",
    "57014": "the statement took too long: raise DOCGRAPH_STATEMENT_TIMEOUT, or ask for less",
    "57P": "the server is stopping or starting: try again in a moment",
    "40": "somebody else changed the same documents at that moment: do it again",
    "55P03": "somebody else holds a lock: try again in a moment",
    "3F000": "the workspace was removed meanwhile: list the workspaces again",
    "42P01": "the workspace was removed meanwhile: list the workspaces again",
    "0A": "on a cluster, this statement cannot be answered across its servers: please report it",
    "XX": "the data may be damaged: keep a copy of the data folder; docgraph doctor --verify says what is lost, and "
    "docgraph restore FILE brings a backup back",
}
_IN_TEXT = {
    "password authentication failed|no password supplied": "28",
    "No space left on device": "53100",
    "is (starting up|in recovery mode|shutting down|not yet accepting connections)": "57P",
    'database ".*" does not exist': "3D",
    "role|permission denied for database": "28",
}
_IN_WORDS = ("42501", "26000", "42P05")
_FOREIGN_HINT = (
    "use the docgraph that wrote it, or put a backup of your own in its place (docgraph restore FILE --replace)"
)
_NO_HINT = "the message comes from PostgreSQL"
_OTHER_SERVER = re.compile(r"to the remote node|remote node [^ ]+ failed")
_OTHER_HINT = (
    "a server of the cluster does not answer: start it, or put its standby in its place (docs/scaling.md); what needs "
    "none of its shards goes on"
)
_REPLICA_HINT = (
    "the replica had to show what was removed meanwhile: ask again; hot_standby_feedback = on in its configuration "
    "keeps that from happening"
)
_SECRETS = re.compile(r"(?i)(password\s*=\s*)('(?:[^'\\]|\\.)*'|\S+)|(://[^:/@\s]*:)[^@\s]*(@)")


@contextmanager
def store_errors(action: str) -> Iterator[None]:
    """Turn errors of the database into a StoreError that says what could not be done (``action``)."""
    failure: StoreError | None = None
    cause: BaseException | None = None
    try:
        yield
    except psycopg.Error as error:
        failure, cause = store_error(action, error), error
    except Exception as error:
        if not _is_of_sqlalchemy(error):
            raise
        cause = getattr(error, "orig", None)  # what the driver said, where it said anything
        unreachable = StoreError(f"cannot {action}: {first_line(error)}", hint=_HINTS["08"])
        failure = store_error(action, cause) if cause else unreachable
    if failure is not None:  # raised outside, so that an error whose text holds a secret is not carried along
        raise failure from (cause if cause and str(cause) == without_secrets(str(cause)) else None)


def refusing_foreign_rows(kind: Kind) -> Kind:
    """A class whose public methods raise StoreError where a stored row is not what docgraph writes.

    Such rows come out of a forged backup, a newer docgraph, or somebody's own SQL.
    """
    for name, member in list(vars(kind).items()):
        if isfunction(member) and not name.startswith("_"):
            setattr(kind, name, (_all_refusing if isgeneratorfunction(member) else _refusing)(member))
    return kind


def _refusing(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def told(*given: Any, **named: Any) -> Any:
        with _foreign_rows(method.__name__):
            return method(*given, **named)

    return told


def _all_refusing(method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @wraps(method)
    def told(*given: Any, **named: Any) -> Iterator[Any]:
        with _foreign_rows(method.__name__):
            yield from method(*given, **named)

    return told


@contextmanager
def _foreign_rows(asked: str) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join((error.title, *map(str, first["loc"])))[:100]
        what = f"{where}: {first['msg'][:100]}"
    except json.JSONDecodeError as error:
        what = f"it is no JSON ({error.msg})"
    else:
        return
    message = f"cannot read what is stored ({asked.replace('_', ' ')}): a row is not what docgraph writes: {what}"
    raise StoreError(message.replace("\n", " "), hint=_FOREIGN_HINT)


def _is_of_sqlalchemy(error: Exception) -> bool:
    """Whether SQLAlchemy raised it; where nothing has imported that, it did not."""
    there = sys.modules.get("sqlalchemy.exc")
    return there is not None and isinstance(error, there.SQLAlchemyError)


def store_error(action: str, error: BaseException) -> StoreError:
    """The StoreError for an error of psycopg."""
    state = "53300" if is_full(error) else getattr(error, "sqlstate", None) or _state_in(str(error))
    if _OTHER_SERVER.search(str(error)):
        return StoreError(f"cannot {action}: {first_line(error)}", hint=_OTHER_HINT)
    if "conflict with recovery" in str(error):
        return StoreError(f"cannot {action}: {first_line(error)}", hint=_REPLICA_HINT)
    known = getattr(error, "hint", "") or _hint_of(error)
    hint = known or next((text for code, text in _HINTS.items() if state.startswith(code)), _NO_HINT)
    return StoreError(f"cannot {action}: {first_line(error)}", hint=hint)


def _hint_of(error: BaseException) -> str:
    """Of what is told in words alone; the text of another error may hold what somebody stored."""
    told = isinstance(error, psycopg.Error) and (is_of_connection(error) or error.sqlstate in _IN_WORDS)
    return hint_of(first_line(error)) if told and not is_full(error) else ""


def first_line(error: BaseException) -> str:
    """The first line of an error's text, without secrets; several addresses tried make several lines, one says it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    line = next((each for each in lines if "FATAL" in each), lines[0])
    return without_secrets(line)[:500]


def without_secrets(text: str) -> str:
    """``text`` with every password in a connection string replaced by ``***``."""
    return _SECRETS.sub(lambda match: f"{match[1] or match[3]}***{match[4] or ''}", text)


def _state_in(text: str) -> str:
    """The SQL state that a failed connection would carry if libpq told it."""
    return next((state for pattern, state in _IN_TEXT.items() if re.search(pattern, text)), "08")
