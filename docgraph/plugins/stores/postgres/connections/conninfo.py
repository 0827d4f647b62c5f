"""Connection strings: checked before they are used, and told without their password."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from docgraph.errors import SettingsError

CONNECT_TIMEOUT = 10
_URL_HINT = (
    "write postgresql://user:password@host:5432/database; special characters percent-encoded (/ is %2F, @ is %40)"
)


def checked_conninfo(database_url: str) -> str:
    """A connection string that libpq understands. Raises SettingsError, without repeating what was given."""
    url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    parts: dict[str, Any] | None = None
    with suppress(psycopg.Error):  # its text repeats the password, so it must not become our error's context
        parts = dict(conninfo_to_dict(url))
    if parts is None or _is_torn(url):
        raise SettingsError("the database URL cannot be understood", hint=_URL_HINT)
    ports = str(parts.get("port") or "5432").split(",")
    if not all(port.isascii() and port.isdigit() and 0 < int(port) < 65_536 for port in ports if port):
        raise SettingsError("the port in the database URL is not a number from 1 to 65535", hint=_URL_HINT)
    parts.setdefault("connect_timeout", CONNECT_TIMEOUT)
    parts.setdefault("application_name", "docgraph")
    return make_conninfo("", **parts)


def _is_torn(url: str) -> bool:
    """True when a password with a bare ``/`` or ``@`` was cut there: its rest would pass for a host or a database."""
    authority, _, path = url.partition("://")[2].partition("/")
    return authority.count("@") > 1 or "@" in path.partition("?")[0]


def location(conninfo: str) -> str:
    """Where a connection string leads, without the password: ``user@host:port/database``."""
    parts = conninfo_to_dict(conninfo)
    user, host = parts.get("user") or "", parts.get("host") or parts.get("hostaddr") or "local socket"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"{user}{'@' if user else ''}{host}{port}/{parts.get('dbname') or user}"
