"""Long arrays as PostgreSQL takes them, made without a look at each element by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from struct import pack

import numpy as np
import numpy.typing as npt
from psycopg.adapt import Dumper
from psycopg.postgres import types
from psycopg.pq import Format

from docgraph.plugins.stores.postgres.statements.values import array_head

_KINDS = {np.dtype(np.int32): "int4", np.dtype(np.int64): "int8", np.dtype(np.float64): "float8"}


@dataclass(frozen=True)
class SentArray:
    """An array as it goes over the wire; the statement says of which type it is."""

    sent: bytes

    @classmethod
    def of_texts(cls, texts: Sequence[bytes]) -> SentArray:
        """Each as ``with_length`` has made it."""
        return cls(array_head(len(texts), types["text"].oid) + b"".join(texts))

    @classmethod
    def of_numbers(cls, numbers: npt.NDArray[np.generic]) -> SentArray:
        """Whole ones of 32 or 64 bits, or others of 64."""
        size = numbers.dtype.itemsize
        rows = np.empty(len(numbers), dtype=[("size", ">i4"), ("number", numbers.dtype.newbyteorder(">"))])
        rows["size"], rows["number"] = size, numbers
        return cls(array_head(len(numbers), types[_KINDS[numbers.dtype]].oid) + rows.tobytes())


class SentArrayDumper(Dumper):
    """As it is."""

    format = Format.BINARY

    def dump(self, obj: SentArray) -> bytes:
        """See ``psycopg.adapt.Dumper.dump``."""
        return obj.sent


def with_length(text: str) -> bytes:
    """A text behind its length."""
    sent = text.encode()
    return pack("!i", len(sent)) + sent
