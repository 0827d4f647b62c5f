"""Counts round trips between a client and a PostgreSQL: a relay of bytes on a socket of its own.

A trip is a change of direction: bytes from the client after bytes from the server, or the first ones. What a client
sends in one go (a pipeline) is one trip, whatever it holds; so every driver is counted alike.
"""

from __future__ import annotations

import select
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

SIZE = 1 << 16


class Relay:
    """Listens on a Unix socket and passes everything on; ``trips`` counts over all connections."""

    def __init__(self, target: str | tuple[str, int], path: Path) -> None:
        self.trips, self._target = 0, target
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stop listening; open connections end with their clients."""
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        family = socket.AF_UNIX if isinstance(self._target, str) else socket.AF_INET
        with client, socket.socket(family) as server, suppress(OSError):
            server.connect(self._target)
            others, last = {client: server, server: client}, server
            while True:
                ready, _, _ = select.select([client, server], [], [])
                for one in ready:
                    data = one.recv(SIZE)
                    if not data:
                        return
                    if one is client and last is server:
                        self.trips += 1
                    last = one
                    others[one].sendall(data)


@contextmanager
def relayed(url: str) -> Iterator[tuple[str, Relay]]:
    """(a URL that leads through a relay to the same database, the relay)."""
    with psycopg.connect(url) as connection:
        info = connection.info
        host, port, user, password, database = info.host, info.port, info.user, info.password, info.dbname
    is_socket = host.startswith("/")
    with tempfile.TemporaryDirectory(prefix="dg-relay-") as folder:
        relay = Relay(f"{host}/.s.PGSQL.{port}" if is_socket else (host, port), Path(folder) / ".s.PGSQL.5432")
        login = f"{quote(user)}:{quote(password)}" if password else quote(user)
        try:
            yield f"postgresql://{login}@/{quote(database)}?host={quote(folder, safe='')}", relay
        finally:
            relay.close()


def trips_of(relay: Relay, work: Callable[[], Any]) -> int:
    """Round trips of one call of ``work``."""
    before = relay.trips
    work()
    return relay.trips - before
