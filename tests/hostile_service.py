"""A server with every trick that one who is asked over HTTP can play: what it sends, how slowly, where it stops."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

SECRET = "ak-marker-secret-0815"
"""Stands in everything that the server says; nobody may ever repeat it."""
DRIP = 0.01
PATIENCE = 20.0
"""Seconds after which the server itself ends a trick."""

Trick = Callable[["Wire"], None]


class Wire:
    """One request at the server: what is right to answer, and how it is answered all the same."""

    def __init__(self, sock: socket.socket, asked: bytes, right: bytes, stopped: threading.Event) -> None:
        self.socket, self.asked, self.right = sock, asked, right
        self._stopped = stopped
        self._ends = time.monotonic() + PATIENCE

    @property
    def going(self) -> bool:
        """Whether the trick goes on."""
        return not self._stopped.is_set() and time.monotonic() < self._ends

    def send(self, *parts: bytes) -> None:
        """At once."""
        self.socket.sendall(b"".join(parts))

    def drip(self, data: bytes) -> None:
        """Byte by byte."""
        for at in range(len(data)):
            if not self.going:
                return
            self.socket.sendall(data[at : at + 1])
            self._stopped.wait(DRIP)

    def flood(self, data: bytes) -> None:
        """The same again and again."""
        while self.going:
            self.socket.sendall(data)

    def hang(self) -> None:
        """Nothing."""
        while self.going:
            self._stopped.wait(0.05)

    def reset(self) -> None:
        """End the connection by a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.socket.close()

    def answer(self, body: bytes, *headers: str, status: str = "200 OK") -> None:
        """A whole answer as it should be, but for what is given."""
        self.send(head(f"Content-Length: {len(body)}", *headers, status=status), body)


def head(*headers: str, status: str = "200 OK") -> bytes:
    """Status line and headers."""
    lines = (f"HTTP/1.1 {status}", "Content-Type: application/json", f"X-Note: {SECRET}", *headers)
    return "\r\n".join((*lines, "", "")).encode("latin-1")


def _deflated(size: int, *, gzipped: bool) -> bytes:
    """A list of so many zeros, packed."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31 if gzipped else 15)
    pieces = (packer.compress(b"0," * 100_000) for _ in range(size // 100_000))
    return b"".join((packer.compress(b"["), *pieces, packer.compress(b"0]"), packer.flush()))


_GZIP = _deflated(3_000_000, gzipped=True)
"""6 MB of JSON that are some 90 MB of memory, in 30 kB."""


def _packed(encoding: str, bomb: bytes) -> Trick:
    return lambda wire: wire.answer(bomb, f"Content-Encoding: {encoding}")


def _body(make: Callable[[bytes], bytes]) -> Trick:
    return lambda wire: wire.answer(make(wire.right))


def _said(*headers: str, status: str = "200 OK", body: bytes | None = None) -> Trick:
    return lambda wire: wire.answer(wire.right if body is None else body, *headers, status=status)


def _chunks(wire: Wire, *, ends: bool) -> None:
    wire.send(head("Transfer-Encoding: chunked"))
    wire.send(b"%x\r\n%s\r\n" % (len(wire.right), wire.right))
    if ends:
        wire.send(b"0\r\n\r\n")
    wire.hang()


def _redirect(wire: Wire, where: str, status: str = "302 Found") -> None:
    host, port = wire.socket.getsockname()
    own = f"http://{host}:{port}/again"
    wire.answer(b"", f"Location: {where or own}", status=status)


def _interim(wire: Wire) -> None:
    wire.flood(b"HTTP/1.1 100 Continue\r\nX-Note: " + SECRET.encode() + b"\r\n\r\n")


def _reset_inside(wire: Wire) -> None:
    wire.send(head("Content-Length: 1000"), wire.right[:5])
    wire.reset()


def _other_numbers(number: str) -> Trick:
    """Every number of the right answer as another one, where it has a point in it."""

    def trick(wire: Wire) -> None:
        value = json.loads(wire.right, parse_float=lambda _: "@number@")
        wire.answer(json.dumps(value).replace('"@number@"', number).encode())

    return trick


def _lists(change: Callable[[list[Any]], Any]) -> Trick:
    """Every list of the right answer changed, from the inside to the outside."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: walk(each) for name, each in value.items()}
        return change([walk(each) for each in value]) if isinstance(value, list) else value

    return lambda wire: wire.answer(json.dumps(walk(json.loads(wire.right))).encode())


NOTE = json.dumps({"error": f"wrong key {SECRET} at /srv/secret"}).encode()
LATE: dict[str, Trick] = {
    "accepts and says nothing": Wire.hang,
    "drips the status line": lambda wire: wire.drip(b"HTTP/1.1 200 " + b"O" * 60_000),
    "drips the headers": lambda wire: (wire.send(head()[:-2]), wire.drip(b"X-Slow: " + b"a" * 60_000))[0],
    "drips the body": lambda wire: (wire.send(head("Content-Length: 60000")), wire.drip(b" " * 60_000))[0],
    "drips chunks": lambda wire: (wire.send(head("Transfer-Encoding: chunked")), wire.drip(b"1\r\n \r\n" * 9_000))[0],
    "drips the line of a chunk": lambda wire: (
        wire.send(head("Transfer-Encoding: chunked")),
        wire.drip(b"1;" + b"a" * 60_000),
    )[0],
    "chunks without an end": lambda wire: _chunks(wire, ends=False),
    "a body shorter than promised, and waits": lambda wire: (
        wire.send(head(f"Content-Length: {len(wire.right) + 9}"), wire.right),
        wire.hang(),
    )[0],
    "no length, and no end": lambda wire: (wire.send(head(), wire.right), wire.hang())[0],
    "an interim answer, then nothing": lambda wire: (wire.send(b"HTTP/1.1 100 Continue\r\n\r\n"), wire.hang())[0],
}
"""What ends with the deadline, and with nothing else."""
HEAVY: dict[str, Trick] = {
    "endless headers": lambda wire: (wire.send(head()[:-2]), wire.flood(b"X-More: " + b"a" * 8_000 + b"\r\n"))[0],
    "one endless header": lambda wire: (wire.send(head()[:-2]), wire.flood(b"a" * 8_000))[0],
    "an endless status line": lambda wire: (wire.send(b"HTTP/1.1 200 "), wire.flood(b"a" * 8_000))[0],
    "an endless body": lambda wire: (wire.send(head()), wire.flood(b" " * 65_536))[0],
    "endless chunks": lambda wire: (
        wire.send(head("Transfer-Encoding: chunked")),
        wire.flood(b"1000\r\n" + b" " * 0x1000 + b"\r\n"),
    )[0],
    "endless trailers": lambda wire: (
        wire.send(head("Transfer-Encoding: chunked"), b"0\r\n"),
        wire.flood(b"X-More: " + b"a" * 8_000 + b"\r\n"),
    )[0],
    "an endless line of a chunk": lambda wire: (
        wire.send(head("Transfer-Encoding: chunked"), b"1;"),
        wire.flood(b"a" * 8_000),
    )[0],
    "interim answers without an end": _interim,
    "an endless answer of an error": lambda wire: (wire.send(head(status="500 No")), wire.flood(NOTE * 100))[0],
    "empty lists": _said(body=b"[" + b"[]," * 900_000 + b"[]]"),
    "empty texts": _said(body=b"[" + b'"",' * 900_000 + b'""]'),
    "one text with a wide letter": _said(body=b'{"a":"' + b"a" * 2_900_000 + "\U0001f600".encode() + b'"}'),
    "nested lists": _said(body=b"[" * 2_900_000),
    "nested objects": _said(body=b'{"a":' * 500_000),
    "a text without an end": _said(body=b'"' + rb"\"" * 1_400_000),
    "a number of a million digits": _said(body=b"9" * 1_000_000),
    "gzip": _packed("gzip", _GZIP),
    "gzip twice": _packed("gzip, gzip", gzip.compress(_GZIP)),
    "deflate": _packed("deflate", _deflated(3_000_000, gzipped=False)),
    "br": _said("Content-Encoding: br", body=b"\x8b\x02\x80" * 1_000),
    "gzip as the form of transfer": lambda wire: (
        wire.send(head("Transfer-Encoding: gzip, chunked")),
        wire.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(gzip.compress(wire.right)), gzip.compress(wire.right))),
    )[0],
}
"""What asks for memory or work: refused long before."""
REFUSED: dict[str, Trick] = {
    "hangs up without a word": lambda wire: None,
    "resets without a word": Wire.reset,
    "resets inside the body": _reset_inside,
    "a body shorter than promised": lambda wire: wire.send(head("Content-Length: 9999"), wire.right),
    "a body longer than promised": lambda wire: wire.send(head("Content-Length: 5"), wire.right * 2),
    "two lengths": lambda wire: wire.send(head("Content-Length: 5", f"Content-Length: {len(wire.right)}"), wire.right),
    "a length that is none": lambda wire: wire.send(head("Content-Length: -5"), wire.right),
    "a length of 5,000 digits": lambda wire: wire.send(head(f"Content-Length: {'9' * 5_000}"), wire.right),
    "a length of petabytes": lambda wire: wire.send(head("Content-Length: 9000000000000000"), wire.right),
    "a chunk's length that is none": lambda wire: wire.send(head("Transfer-Encoding: chunked"), b"zz\r\n", wire.right),
    "a chunk of exabytes": lambda wire: wire.send(head("Transfer-Encoding: chunked"), b"f" * 19 + b"\r\n", wire.right),
    "no HTTP": lambda wire: wire.send(b"SSH-2.0-" + SECRET.encode() + b"\r\n" * 9),
    "a status of letters": lambda wire: wire.send(f"HTTP/1.1 abc {SECRET}\r\n\r\n".encode()),
    "a line break in a header": lambda wire: wire.send(head("X-A: b\r\n c\rd\x00: e"), wire.right),
    "switches protocols": _said("Upgrade: websocket", "Connection: Upgrade", status="101 Switching Protocols"),
    "to a file": lambda wire: _redirect(wire, "file:///etc/passwd"),
    "to another host": lambda wire: _redirect(wire, "http://169.254.169.254/latest/meta-data", "307 Temporary"),
    "to itself": lambda wire: _redirect(wire, "", "308 Permanent"),
    "to a place with a line break": lambda wire: _redirect(wire, "http://a/\r\nSet-Cookie: b=c"),
    "an error with a secret": _said(status=f"500 {SECRET}", body=NOTE),
    "a refusal with a secret": _said(status=f"401 {SECRET}", body=NOTE),
    "not found with a secret": _said(status=f"404 {SECRET}", body=NOTE),
    "busy, and asks for a pause that is none": _said("Retry-After: \xb2", status="429 Slow", body=NOTE),
    "no content": lambda wire: wire.send(b"HTTP/1.1 204 No\r\n\r\n"),
    "letters that are no UTF-8": _body(lambda right: right.replace(b'"', b'"\xff\xfe', 1)),
    "UTF-16": _body(lambda right: right.decode().encode("utf-16")),
    "no JSON": _said(body=f"<html>{SECRET}</html>".encode()),
    "nothing": _said(body=b""),
    "a value and another one": _body(lambda right: right + right),
}
"""What is no answer."""
SHAPES: dict[str, Trick] = {
    "null": _said(body=b"null"),
    "a number": _said(body=b"1e999"),
    "a text": _said(body=json.dumps(SECRET).encode()),
    "an empty list": _said(body=b"[]"),
    "an empty object": _said(body=b"{}"),
    "other names": _said(body=json.dumps({SECRET: [SECRET]}).encode()),
    "an object for each list": _lists(lambda found: {str(at): each for at, each in enumerate(found)}),
    "a text for each list": _lists(lambda found: SECRET),
    "each list twice": _lists(lambda found: found * 2),
    "each list without its last": _lists(lambda found: found[:-1]),
    "each list in a list": _lists(lambda found: [found]),
    "NaN": _other_numbers("NaN"),
    "Infinity": _other_numbers("-Infinity"),
    "1e999": _other_numbers("1e999"),
    "1e200": _other_numbers("1e200"),
    "an integer of 400 digits": _other_numbers("9" * 400),
    "an integer of 5,000 digits": _other_numbers("9" * 5_000),
    "true": _other_numbers("true"),
    "texts for numbers": _other_numbers(json.dumps(SECRET)),
    "half of a surrogate pair": _other_numbers(r'"\ud800"'),
}
"""JSON of another kind than was asked for."""
TAKEN: dict[str, Trick] = {
    "as it should": _body(lambda right: right),
    "a byte order mark": _body(lambda right: b"\xef\xbb\xbf" + right),
    "an interim answer before it": lambda wire: (wire.send(b"HTTP/1.1 103 Hints\r\n\r\n"), wire.answer(wire.right))[0],
    "in chunks of a byte": lambda wire: wire.send(
        head("Transfer-Encoding: chunked"), *(b"1\r\n%c\r\n" % each for each in wire.right), b"0\r\n\r\n"
    ),
    "until it hangs up": lambda wire: wire.send(b"HTTP/1.0 200 OK\r\n\r\n", wire.right),
    "identity": _said("Content-Encoding: identity"),
    "names twice": _body(lambda right: b'{"data": 0, "results": 0, ' + right[1:] if right[:1] == b"{" else right),
}
"""What is unusual and fine."""


class Hostile:
    """A server on this machine that plays ``trick`` with every request, with TLS where it has ``tls``."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.trick: Trick = TAKEN["as it should"]
        self.right: Callable[[dict[str, Any]], Any] = lambda asked: {}
        """The answer to a request's JSON."""
        self.connections = 0
        self._tls, self._stopped = tls, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._threads: list[threading.Thread] = []
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}"
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def stop(self) -> None:
        """Every trick ends."""
        self._stopped.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        for thread in self._threads:
            thread.join(PATIENCE)
        self._listener.close()

    def hang_up(self) -> None:
        """Wait until each connection of a trick has been ended: a client then sees that it has."""
        for thread in self._threads:
            thread.join(PATIENCE)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                self.connections += 1
                thread = threading.Thread(target=self._serve, args=(sock, self.trick), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, sock: socket.socket, trick: Trick) -> None:
        with suppress(OSError, ValueError):
            sock.settimeout(PATIENCE)
            if self._tls is not None:
                sock = self._tls.wrap_socket(sock, server_side=True)
            while asked := self._request(sock):
                headers, body = asked
                right = json.dumps(self.right(body)).encode()
                trick(Wire(sock, headers, right, self._stopped))
                if trick is not TAKEN["as it should"]:
                    break
        with suppress(OSError):
            sock.shutdown(socket.SHUT_WR)
            sock.settimeout(0.2)
            while sock.recv(65_536):
                pass
        sock.close()

    def _request(self, sock: socket.socket) -> tuple[bytes, dict[str, Any]] | None:
        """Headers and body of the next request; None when there is none."""
        data = b""
        while b"\r\n\r\n" not in data:
            sock.settimeout(0.2)
            try:
                more = sock.recv(65_536)
            except TimeoutError:
                if self._stopped.is_set():
                    return None
                continue
            if not more:
                return None
            data += more
        headers, _, body = data.partition(b"\r\n\r\n")
        lines = dict(line.lower().split(b": ", 1) for line in headers.split(b"\r\n")[1:])
        sock.settimeout(PATIENCE)
        while len(body) < int(lines[b"content-length"]):
            more = sock.recv(65_536)
            if not more:  # whoever asks has given up
                return None
            body += more
        return headers + b"\r\n", json.loads(body) if lines[b"content-type"] == b"application/json" else {}


@contextmanager
def hostile(tls: ssl.SSLContext | None = None) -> Iterator[Hostile]:
    """Such a server, until the end of the block."""
    server = Hostile(tls)
    try:
        yield server
    finally:
        server.stop()
