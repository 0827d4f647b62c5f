"""The HTTP client that everything which docgraph asks goes through: one host, one deadline, bounds, no redirect."""

from __future__ import annotations

import ipaddress
import os
import select
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

import h11

from docgraph.boundary.outbound.breaker import BROKEN, LOST, UNTRUSTED, CallError, Deadline

MAX_HEADERS = 64_000
"""Bytes of a status line with its headers, of a chunk's line, of what follows the last chunk."""
MAX_INTERIM = 10
"""Answers of the kind ``100 Continue`` in front of the real one."""
MAX_ADDRESSES = 4
_PIECE = 65_536
_CERTIFICATES = {10: "has expired", 18: "is self-signed", 19: "is signed by an unknown authority"}
_CERTIFICATES |= {20: "is signed by an unknown authority", 62: "is of another host", 64: "is of another host"}

Address = tuple[Any, ...]
_lookups: dict[tuple[str, int], Future[list[Address]]] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class Reply:
    """Status, the body of an answer with the status 200 (of others none is read), seconds after which to try again."""

    status: int
    body: bytes = b""
    pause: float | None = None


class Connection:
    """A connection that is open; one call at a time.

    ``reusable`` = the last answer ended where it said it would; ``has_answered`` = bytes came since the last request.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEADERS)
        self.reusable = self.has_answered = False

    def ask(self, request: h11.Request, body: bytes, deadline: Deadline, max_bytes: int) -> Reply:
        """The answer to one request. Raises CallError; the connection is to be closed then."""
        self.reusable = self.has_answered = False
        deadline.step = "did not take the request"
        said = (self._protocol.send(event) for event in (request, h11.Data(body), h11.EndOfMessage()))
        self._send(b"".join(part or b"" for part in said), deadline)
        deadline.step = "did not answer"
        head = self._head(deadline, max_bytes)
        reply = self._reply(head, deadline, max_bytes)
        protocol = self._protocol
        if reply.status == 200 and protocol.our_state is protocol.their_state is h11.DONE:
            self.reusable = not protocol.trailing_data[0]
            protocol.start_next_cycle()
        return reply

    @property
    def silent(self) -> bool:
        """Nothing came since the last answer: no further bytes, and no end of the connection."""
        with suppress(OSError, ValueError):
            return not select.select([self._socket], [], [], 0)[0]
        return False

    def close(self) -> None:
        """End it."""
        self._socket.close()

    def _send(self, data: bytes, deadline: Deadline) -> None:
        rest = memoryview(data)
        try:
            while rest:
                self._socket.settimeout(deadline.left())
                rest = rest[self._socket.send(rest[:_PIECE]) :]
        except TimeoutError:
            raise deadline.over() from None
        except OSError:  # it may have answered already, and hung up
            return

    def _head(self, deadline: Deadline, max_bytes: int) -> h11.Response:
        for _ in range(MAX_INTERIM + 1):
            event = self._event(deadline)
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                raise CallError(LOST, "hung up without an answer")
        raise CallError(BROKEN, f"did not come to an answer: {MAX_INTERIM + 1} interim ones")

    def _reply(self, head: h11.Response, deadline: Deadline, max_bytes: int) -> Reply:
        if head.status_code != 200:
            return Reply(head.status_code, pause=_asked_pause(head))
        for name, value in head.headers:
            if name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
                raise CallError(BROKEN, "answered in a compressed form, which was not asked for")
            if name == b"content-length" and int(value) > max_bytes:
                raise _too_long(max_bytes)
        deadline.step = "did not end its answer"
        body = bytearray()
        while True:
            event = self._event(deadline)
            if isinstance(event, h11.EndOfMessage):
                return Reply(200, bytes(body))
            if isinstance(event, h11.Data):
                body += event.data
                if len(body) > max_bytes:
                    raise _too_long(max_bytes)

    def _event(self, deadline: Deadline) -> Any:
        ended = False
        while True:
            try:
                event = self._protocol.next_event()
            except h11.RemoteProtocolError:  # its words may quote what came
                if ended:
                    raise CallError(LOST, "hung up before its answer ended") from None
                raise CallError(BROKEN, "did not answer as HTTP has it") from None
            if event is not h11.NEED_DATA:
                return event
            data = self._receive(deadline)
            ended = not data
            self.has_answered = self.has_answered or not ended
            self._protocol.receive_data(data)

    def _receive(self, deadline: Deadline) -> bytes:
        try:
            self._socket.settimeout(deadline.left())
            return self._socket.recv(_PIECE)
        except TimeoutError:
            raise deadline.over() from None
        except OSError as error:
            raise CallError(LOST, f"broke the connection off{_reason(error)}") from None


def opened(host: str, port: int, deadline: Deadline, tls: ssl.SSLContext | None) -> Connection:
    """A new connection to the first address of ``host`` that takes it, with TLS where ``tls`` says so.

    Raises CallError.
    """
    found = _addresses(host, port, deadline)[:MAX_ADDRESSES]
    deadline.step = "was not reached"
    sock, failure = None, CallError(LOST, "cannot be reached: its name has no address")
    for left, (family, kind, protocol, _, address) in zip(range(len(found), 0, -1), found, strict=True):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(deadline.left() / left)
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return Connection(sock if tls is None else _secured(sock, host, deadline, tls))
        except TimeoutError:
            failure = deadline.over()
        except OSError as error:
            failure = CallError(LOST, f"cannot be reached{_reason(error)}")
        except BaseException:
            sock.close()
            raise
        sock.close()
    raise failure


def tls_context(trusted: str | None = None, certificate: str | tuple[str, str] | None = None) -> ssl.SSLContext:
    """TLS that trusts the authorities of the file ``trusted``, else those that ``SSL_CERT_FILE`` or ``SSL_CERT_DIR``
    name, else those that browsers trust. ``certificate`` = a client's own, in a file, or with its key in another.

    Raises OSError for a file that cannot be read.
    """
    if trusted is None and not {"SSL_CERT_FILE", "SSL_CERT_DIR"} & os.environ.keys():
        import certifi  # only where a server is spoken to by TLS

        trusted = certifi.where()
    context = ssl.create_default_context(cafile=trusted)
    if certificate is not None:
        context.load_cert_chain(*([certificate] if isinstance(certificate, str) else certificate))
    return context


def _secured(sock: socket.socket, host: str, deadline: Deadline, tls: ssl.SSLContext) -> ssl.SSLSocket:
    deadline.step = "did not agree on TLS"
    sock.settimeout(deadline.left())
    try:
        return tls.wrap_socket(sock, server_hostname=host)
    except TimeoutError:
        raise deadline.over() from None
    except ssl.SSLCertVerificationError as error:
        what = _CERTIFICATES.get(error.verify_code, "cannot be verified")
        raise CallError(UNTRUSTED, f"cannot be trusted: its certificate {what}") from None
    except ssl.SSLError:
        raise CallError(UNTRUSTED, "does not speak TLS as it should") from None


def _addresses(host: str, port: int, deadline: Deadline) -> list[Address]:
    """What ``getaddrinfo`` says; a name is looked up in a thread, which may hang, once at a time."""
    deadline.step = "was not found by its name"
    with suppress(ValueError):
        ipaddress.ip_address(host.partition("%")[0])
        return _found(host, port)
    with _lock:
        lookup = _lookups.get((host, port))
        if lookup is None:
            lookup = _lookups[host, port] = Future()
            threading.Thread(target=_look_up, args=(host, port, lookup), name="docgraph-lookup", daemon=True).start()
    try:
        return lookup.result(deadline.left())
    except FutureTimeoutError:
        raise deadline.over() from None


def _look_up(host: str, port: int, lookup: Future[list[Address]]) -> None:
    try:
        lookup.set_result(_found(host, port))
    except BaseException as error:
        lookup.set_exception(error)
    finally:
        with _lock:
            _lookups.pop((host, port), None)


def _found(host: str, port: int) -> list[Address]:
    try:
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        raise CallError(LOST, "cannot be reached: its name is not known") from None


def _too_long(max_bytes: int) -> CallError:
    return CallError(BROKEN, f"answered with more than {max_bytes:,} bytes")


def _reason(error: OSError) -> str:
    """What the system calls an error, ``""`` where it has no name: words of other libraries may quote what came."""
    return f": {os.strerror(error.errno)}" if error.errno and not isinstance(error, ssl.SSLError) else ""


def _asked_pause(head: h11.Response) -> float | None:
    value = next((value for name, value in head.headers if name == b"retry-after"), b"")
    return float(value) if value.isdigit() and len(value) < 6 else None


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
        """The answer to ``body`` at the URL, its path followed by ``path``, with its query. Raises CallError.

        A server may end a kept connection while the request is on its way: it is asked again, over a new one.
        """
        request = self._request(path, headers, len(body))
        if (kept := self._waiting()) is not None:
            try:
                return self._asked(kept, request, body, deadline, max_bytes)
            except CallError as error:
                if error.kind != LOST or kept.has_answered:
                    raise
        connection = opened(self._host, self._port, deadline, self._context())
        return self._asked(connection, request, body, deadline, max_bytes)

    def _asked(
        self, connection: Connection, request: h11.Request, body: bytes, deadline: Deadline, max_bytes: int
    ) -> Reply:
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
