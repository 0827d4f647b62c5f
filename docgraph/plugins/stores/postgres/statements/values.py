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
    """``Texts`` as a binary array: its head, then each with its length."""

    format = Format.BINARY
    oid = _ARRAY

    def dump(self, obj: Texts) -> bytes:
        """See ``psycopg.adapt.Dumper.dump``."""
        parts = [array_head(len(obj), _TEXT)]
        for text in map(str.encode, obj):
            parts += (len(text).to_bytes(4), text)
        return b"".join(parts)


def with_length(text: str) -> bytes:
    """A text behind its length."""
    sent = text.encode()
    return pack("!i", len(sent)) + sent


def array_head(n: int, oid: int) -> bytes:
    """What stands before the elements of an array: dimensions, no NULLs, type; then how many, and the first index."""
    return pack("!iiIii", 1, 0, oid, n, 1) if n else pack("!iiI", 0, 0, oid)


def numbers_of(sent: bytes) -> Any:
    """A vector as the server sends it: how many (2 bytes), 2 bytes of nothing, then big-endian 32-bit numbers."""
    import numpy as np

    return np.frombuffer(sent, dtype=">f4", offset=4).astype("<f4")
