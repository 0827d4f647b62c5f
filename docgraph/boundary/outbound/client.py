"""The HTTP client that everything which docgraph asks goes through: one host, one deadline, bounds, no redirect."""

from __future__ import annotations

import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

import h11

from docgraph.boundary.outbound.connection import Connection, Reply, opened, tls_context
from docgraph.boundary.outbound.deadline import CallError, Deadline

KEPT_CONNECTIONS, KEPT_SECONDS = 4, 5.0
"""Connections that wait for the next call, and how long."""
_TARGET = "/%:@!$&'()*+,;=~-._[]"


class HttpClient:
    """Posts to URLs that begin with one of its own. Thread-safe.

    The environment's proxies and password files do not count, nothing is decompressed, no cookie is kept, and no
    redirect is followed: what is sent goes to the host that was named, and to no other. A name and password in the URL
    are sent as Basic authentication.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: str | None = None,
        certificate: str | tuple[str, str] | None = None,
    ) -> None:
        """``headers`` go with every request; see ``tls_context`` for the others. Raises ValueError for what is no URL,
        and for a header that cannot be sent, without repeating it.
        """
        parts, port = _parts(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("it needs a URL like http://127.0.0.1:11434")
        shown = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        self._host, self._port = parts.hostname, port or (443 if parts.scheme == "https" else 80)
        named = shown if port is None else f"{shown}:{port}"
        self.shown_url = urlunsplit((parts.scheme, named, parts.path.rstrip("/"), "", ""))
        self._path = quote(parts.path.rstrip("/"), safe=_TARGET)
        self._query = f"?{quote(parts.query, safe=_TARGET + '?')}" if parts.query else ""
        self._headers = {"User-Agent": "docgraph", **(headers or {}), "Accept-Encoding": "identity"}
        if parts.username or parts.password:
            given = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {b64encode(given.encode()).decode()}"
        try:
            self._headers["Host"] = named.encode("idna").decode()
            self._request("", {}, 0)
        except (h11.LocalProtocolError, UnicodeError):
            raise ValueError("its URL or its key has a character in it that cannot be sent") from None
        self._tls: ssl.SSLContext | None = None
        self._secure, self._trusted = parts.scheme == "https", (trusted, certificate)
        self._lock = threading.Lock()
        self._kept: list[tuple[float, Connection]] = []
        self._closed = False

    def post(self, path: str, body: bytes, headers: Mapping[str, str], deadline: Deadline, max_bytes: int) -> Reply:
        """The answer to ``body`` at the URL, its path followed by ``path``, with its query. Raises CallError."""
        request = self._request(path, headers, len(body))
        connection = self._waiting() or opened(self._host, self._port, deadline, self._context())
        try:
            reply = connection.ask(request, body, deadline, max_bytes)
        except BaseException:
            connection.close()
            raise
        self._keep(connection)
        return reply

    def close(self) -> None:
        """Give back the connections; one that is in use ends with its call."""
        with self._lock:
            kept, self._kept, self._closed = self._kept, [], True
        for _, connection in kept:
            connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):
            self.close()

    def _request(self, path: str, headers: Mapping[str, str], length: int) -> h11.Request:
        named = {**self._headers, **headers, "Content-Length": str(length)}
        return h11.Request(
            method="POST",
            target=((self._path + quote(path, safe=_TARGET) or "/") + self._query).encode("ascii"),
            headers=[(name.encode("ascii"), value.encode("ascii")) for name, value in named.items()],
        )

    def _context(self) -> ssl.SSLContext | None:
        if not self._secure:
            return None
        with self._lock:
            try:
                self._tls = self._tls or tls_context(*self._trusted)
            except OSError:
                raise CallError("setting", "cannot be asked: a file of certificates cannot be read") from None
            return self._tls

    def _waiting(self) -> Connection | None:
        """The connection that waits since the shortest time, if one does and nothing came on it meanwhile."""
        while True:
            with self._lock:
                if not self._kept:
                    return None
                since, connection = self._kept.pop()
            if time.monotonic() - since < KEPT_SECONDS and connection.silent:
                return connection
            connection.close()

    def _keep(self, connection: Connection) -> None:
        with self._lock:
            kept = connection.reusable and not self._closed
            if kept:
                self._kept.append((time.monotonic(), connection))
            ended = [self._kept.pop(0)[1]] if len(self._kept) > KEPT_CONNECTIONS else []
        for each in ended if kept else [connection]:
            each.close()


def _parts(url: str) -> tuple[SplitResult, int | None]:
    """The parts of a URL, and its port; of none where it is none."""
    try:
        parts = urlsplit(url)
        return parts, parts.port
    except ValueError:
        return urlsplit(""), None
