"""An in-process cache of quantized vectors: by workspace, within a budget, of one state each, read beside questions."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any

from docgraph.errors import DocgraphError

if TYPE_CHECKING:
    from docgraph.domain.workspace import Workspace
    from docgraph.plugins.stores.postgres.connections import Connector
    from docgraph.plugins.stores.postgres.vector_cache.codes import Codes
    from docgraph.plugins.stores.postgres.vector_cache.words import Words

ASKED = 2
"""The ranking from which on codes are read: a program that asks once and ends is not kept waiting for them."""
REST = 10
"""A workspace that changes is read anew after so many times what reading it took: a tenth of a processor at most."""
AFTER_FAILURE = 60.0
"""Seconds after which they are read again where the database failed."""
_MB = 1_000_000
_TIMEOUT = 10.0
"""Seconds that closing waits for reading to end."""
_LOG = logging.getLogger(__name__)


class VectorCache:
    """Codes by workspace, and the words that were asked for last; any thread may ask.

    Codes take three quarters of the budget at most, and the workspaces that were asked longest ago go first; what they
    leave is for words. One workspace is read at a time, by a thread of its own; the server's own way answers meanwhile.
    """

    def __init__(self, reader: Connector, *, megabytes: int, statement_timeout: float) -> None:
        self._reader, self._timeout = reader, max(1, int(statement_timeout * 1000))
        self._budget, self._room = megabytes * _MB, megabytes * _MB * 3 // 4
        self._held: OrderedDict[str, Codes] = OrderedDict()
        self._n_asked: Counter[str] = Counter()
        self._not_before: dict[str, float] = {}
        self._seconds: dict[str, float] = {}
        self._refused: dict[str, str] = {}
        self._lock, self._closed = threading.Lock(), False
        self._reading: threading.Thread | None = None
        self._words: Words | None = None

    @property
    def words(self) -> Words:
        """The words, of all workspaces together."""
        from docgraph.plugins.stores.postgres.vector_cache.words import Words

        with self._lock:
            if self._words is None:
                self._words = Words(self._left())
            return self._words

    def holds(self, name: str) -> bool:
        """Whether there are codes of a workspace, whatever revision they are of."""
        return name in self._held

    def find(self, workspace: Workspace, schema: str) -> Codes | None:
        """The codes of exactly this state; where there are none, they are read for the questions to come."""
        with self._lock:
            codes = self._held.get(workspace.name)
            if codes is not None and codes.content_revision == workspace.content_revision:
                self._held.move_to_end(workspace.name)
                return codes
            self._n_asked[workspace.name] += 1
            if self._n_asked[workspace.name] >= ASKED and self._may_read(workspace):
                self._reading = threading.Thread(
                    target=self._read, args=(workspace, schema), name="docgraph-codes", daemon=True
                )
                self._reading.start()
        return None

    def facts(self) -> dict[str, Any]:
        """``most_megabytes``, ``word_megabytes``, ``held``: workspace, content revision, megabytes, seconds to read."""
        words = self.words
        with self._lock:
            held = [
                {
                    "workspace": name,
                    "content_revision": codes.content_revision,
                    "megabytes": round(codes.n_bytes / _MB, 1),
                    "seconds": round(self._seconds[name], 1),
                }
                for name, codes in self._held.items()
            ]
        return {"most_megabytes": self._budget // _MB, "word_megabytes": round(words.n_bytes / _MB, 1), "held": held}

    def wait(self) -> None:
        """Until nothing is being read: for measurements and tests."""
        if (reading := self._reading) is not None:
            reading.join()

    def close(self) -> None:
        """Nothing is read any more, and nothing held."""
        self._closed = True
        if (reading := self._reading) is not None:
            reading.join(_TIMEOUT)
        with self._lock:
            self._held.clear()
            self._words = None

    def _may_read(self, workspace: Workspace) -> bool:
        """Nothing else is read, it was not read just now, and it has room; numpy is not needed to say so."""
        is_busy = self._reading is not None and self._reading.is_alive()
        width = 24 * workspace.embedder.dimension // 64 + 8
        least = width * (workspace.n_chunks + workspace.n_documents)
        is_early = time.monotonic() < self._not_before.get(workspace.name, 0.0)
        is_refused = self._refused.get(workspace.name) == workspace.content_revision
        return not (self._closed or is_busy or is_early or is_refused) and least <= self._room

    def _left(self) -> int:
        """What codes do not take."""
        return self._budget - sum(codes.n_bytes for codes in self._held.values())

    def _read(self, workspace: Workspace, schema: str) -> None:
        from docgraph.plugins.stores.postgres.vector_cache.codes import read_codes

        name, started, codes, rest = workspace.name, time.monotonic(), None, 0.0
        try:
            with self._reader.connection(f"hold the codes of workspace {name!r}") as connection:
                codes = read_codes(connection, name, schema, timeout=self._timeout, going_on=lambda: not self._closed)
        except DocgraphError as error:  # of a thread that nobody waits for; questions are answered by the server
            _LOG.warning("codes are not held: %s", error)
            rest = AFTER_FAILURE
        seconds = time.monotonic() - started
        with self._lock:
            self._not_before[name] = time.monotonic() + max(REST * seconds, rest)
            self._held.pop(name, None)
            if codes is None or codes.n_bytes > self._room:
                if not rest:
                    self._refused[name] = workspace.content_revision
            elif not self._closed:
                self._held[name], self._seconds[name] = codes, seconds
                while sum(each.n_bytes for each in self._held.values()) > self._room:
                    self._held.popitem(last=False)
            if self._words is not None:
                self._words.most = self._left()
