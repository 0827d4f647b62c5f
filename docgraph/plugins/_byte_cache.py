"""Bytes by key, compressed and bounded: what was parsed once need not be parsed again soon."""

from __future__ import annotations

import hashlib
import zlib
from collections import OrderedDict
from threading import Lock


class ByteCache:
    """Of all that is put into it the newest stay, as many as take ``most`` bytes compressed. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most, self._n_bytes = most, 0
        self._held: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> bytes | None:
        """What was put there last; it counts as new again."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
        return None if found is None else zlib.decompress(found)

    def put(self, key: bytes, data: bytes) -> None:
        """Hold the data; what takes more than all room is not held."""
        small = zlib.compress(data, 1)
        if len(small) > self._most:
            return
        with self._lock:
            self._n_bytes += len(small) - len(self._held.pop(key, b""))
            self._held[key] = small
            while self._n_bytes > self._most:
                _, oldest = self._held.popitem(last=False)
                self._n_bytes -= len(oldest)

    def __len__(self) -> int:
        return len(self._held)


def key_of(*parts: str | bytes) -> bytes:
    """A key for all of the parts, by their content and order."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()
