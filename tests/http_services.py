"""A web server on this machine that answers every POST as a test's service says, truly or with malice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

DRIP_BYTES = 10
Answer = tuple[int, Any]
"""Status and body: bytes as they are, anything else as JSON."""


class Service:
    """What the server says; a test gives it ``answer``, further ``headers``, or a pause between every 10 bytes."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[tuple[str, dict[str, Any], str]] = []
        """Path, body and authorization of each."""
        self.headers: dict[str, str] = {}
        self.drip = 0.0

    def answer(self, path: str, body: dict[str, Any]) -> Answer:
        """The answer to one request."""
        raise NotImplementedError


@contextmanager
def served(service: Service) -> Iterator[None]:
    """Serve it on a free port, at ``service.url``."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append((self.path, body, self.headers.get("Authorization", "")))
            status, said = service.answer(self.path, body)
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **service.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self._write(data)

        def _write(self, data: bytes) -> None:
            step = DRIP_BYTES if service.drip else max(1, len(data))
            try:
                for start in range(0, len(data), step):
                    self.wfile.write(data[start : start + step])
                    time.sleep(service.drip)
            except OSError:
                self.close_connection = True  # the other side has stopped reading

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield
    server.shutdown()
    thread.join()
    server.server_close()
