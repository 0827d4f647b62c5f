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
from docgraph.plugins.stores.postgres.connections.retries import is_full, is_of_connection

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
_URL = "DOCGRAPH_DATABASE_URL"
_CAUSES = (
    (
        r"does not support SSL, but SSL was required",
        f"the server speaks no TLS: switch it on there (ssl = on), or take sslmode out of {_URL} where the way is safe",
    ),
    (
        r"pg_hba\.conf entry for .*(?:no encryption|SSL off)",
        f"the server lets this role in over TLS only, or not from here: add sslmode=require to {_URL}, or let its "
        "administrator add a line to pg_hba.conf",
    ),
    (
        r"no pg_hba\.conf entry|pg_hba\.conf rejects",
        "the server does not let this role into this database from here: its administrator adds a line to pg_hba.conf",
    ),
    (
        r"root certificate file .* does not exist|could not read root certificate",
        f"sslmode in {_URL} asks for a certificate to check against: name its file with sslrootcert=, or take "
        "sslrootcert=system",
    ),
    (
        r"connection requires a valid client certificate|certificate authentication failed|alert unknown ca"
        r"|alert bad certificate|alert certificate (?:required|expired|unknown)|alert handshake failure",
        "the server asks for a certificate of this role that it knows: name it with sslcert= and its key with sslkey= "
        f"in {_URL}",
    ),
    (
        r"private key file|could not read certificate file|could not load .*certificate",
        f"certificate (sslcert=) and key (sslkey=) in {_URL} have to be one pair that this user may read, and the key "
        "nobody else (chmod 600)",
    ),
    (
        r"certificate verify failed|self.signed certificate|unable to get local issuer",
        f"nobody known here has signed the server's certificate, or it is out of date: name the authority's file with "
        f"sslrootcert= in {_URL}, or let the server's administrator renew it",
    ),
    (
        r"server certificate for .* does not match host name",
        f"the certificate is of another host: give in {_URL} the host by the name that it states",
    ),
    (r"weak sslmode", f"the system's authorities go with a check of the host only: sslmode=verify-full in {_URL}"),
    (
        r"invalid \w+ value|invalid SSL protocol version|invalid connection option|invalid integer value",
        f"correct it in {_URL} (or in the environment: PGSSLMODE and its like)",
    ),
    (
        r"alert protocol version|unsupported protocol|no protocols available",
        f"server and client have no version of TLS in common: see ssl_min_protocol_version in {_URL}, and there",
    ),
    (
        r"session is (?:not )?read-only|server is (?:not )?in hot standby mode",
        f"target_session_attrs in {_URL} asks for another kind of server: primary or standby",
    ),
    (
        r"server refused SSL|SSL error|SSL SYSCALL|SSL negotiation",
        f"TLS could not be agreed on: check sslmode in {_URL}, and what stands between (a proxy, a pooler)",
    ),
    (
        r"could not translate host name|Name or service not known|nodename nor servname|failed to resolve host",
        f"nobody knows a host of that name: correct it in {_URL}",
    ),
    (
        r"Connection refused|No such file or directory",
        "nothing listens there: is the server running, and are host and port right? docgraph doctor shows where it "
        "looks",
    ),
    (
        r"timeout expired|timed out|No route to host|Network is unreachable",
        "nothing answers there: host and port may be wrong, or a firewall stands between",
    ),
    (
        r"unsupported startup parameter",
        f"the pooler takes no such parameter: take options= out of {_URL}, or let the pooler ignore it "
        "(ignore_startup_parameters)",
    ),
    (
        r"transaction blocks not allowed in statement pooling mode",
        "the pooler ends a session with every statement; docgraph needs whole transactions: pool_mode = transaction",
    ),
    (
        r"no such (?:database|user)|server login failed|server_login_retry|cannot connect to server|connect failed",
        "the message comes from a pooler: check what it knows of database, role and server",
    ),
    (
        r"prepared statement",
        "sessions are shared by something between docgraph and the server: set DOCGRAPH_PREPARED_STATEMENTS=off",
    ),
    (
        r"FATAL: +permission denied for database",
        "let a database administrator GRANT CONNECT on it to this role (docgraph db sql prints all that a role needs)",
    ),
    (
        r"permission denied for database",
        "let a database administrator run what docgraph db sql prints, or GRANT CREATE ON DATABASE to this role",
    ),
    (
        r"permission denied for schema",
        "let the owner of the schema GRANT USAGE on it to this role (docgraph db sql prints what a role needs)",
    ),
)
_KNOWN = tuple((re.compile(pattern, re.IGNORECASE), hint) for pattern, hint in _CAUSES)
"""What a server or a pooler says when it lets nobody in, and what to do about each: a text is all that it sends."""
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
    if not told or is_full(error):
        return ""
    line = first_line(error)
    return next((hint for pattern, hint in _KNOWN if pattern.search(line)), "")


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
