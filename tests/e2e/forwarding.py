"""A proxy for tests: passes connections on to the dashboard, and says for whom as proxies do."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

PIECE = 65_536


@contextmanager
def forwarding(url: str, header: str) -> Iterator[str]:
    """The address of a proxy of ``url`` that adds ``header`` to the first request of every connection."""
    target = urlsplit(url)

    class Connection(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((target.hostname, target.port)) as inner:
                head = self.request.recv(PIECE)
                line, _, rest = head.partition(b"\r\n")
                if not line:
                    return
                inner.sendall(line + b"\r\n" + header.encode() + b"\r\n" + rest)
                back = threading.Thread(target=_passed_on, args=(inner, self.request))
                back.start()
                _passed_on(self.request, inner)
                back.join()

    class Proxy(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False

    with Proxy(("127.0.0.1", 0), Connection) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{proxy.server_address[1]}"
        proxy.shutdown()
        thread.join()


def _passed_on(one: socket.socket, other: socket.socket) -> None:
    """What ``one`` sends, until it ends; then ``other`` is told so."""
    with suppress(OSError):
        while piece := one.recv(PIECE):
            other.sendall(piece)
    with suppress(OSError):
        other.shutdown(socket.SHUT_WR)
