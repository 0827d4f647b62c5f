"""Lists of texts as PostgreSQL takes them, in one go: psycopg's own way looks at every element by itself.

And vectors as it sends them.
"""

from __future__ import annotations

from struct import pack
from typing import Any

from psycopg.adapt import Dumper
from psycopg.postgres import types
from psycopg.pq import Format

_ARRAY = types["text"].array_oid
_TEXT = types["text"].oid


class Texts(tuple[str, ...]):
    """Texts without NUL and lone surrogates that are sent as ``text[]``."""

    __slots__ = ()


class TextsDumper(Dumper):
    """``Texts`` as a binary array: dimensions (1), no NULLs, type, length, first index; then each with its length."""

    format = Format.BINARY
    oid = _ARRAY

    def dump(self, obj: Texts) -> bytes:
        """See ``psycopg.adapt.Dumper.dump``."""
        if not obj:
            return pack("!iiI", 0, 0, _TEXT)
        parts = [pack("!iiIii", 1, 0, _TEXT, len(obj), 1)]
        for text in map(str.encode, obj):
            parts += (len(text).to_bytes(4), text)
        return b"".join(parts)


def numbers_of(sent: bytes) -> Any:
    """A vector as the server sends it: how many (2 bytes), 2 bytes of nothing, then big-endian 32-bit numbers."""
    import numpy as np

    return np.frombuffer(sent, dtype=">f4", offset=4).astype("<f4")
