"""Turns what a parser read into plain JSON that any store can keep: bounded depth, clean strings, no NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from docgraph.boundary.text import clean, one_line
from docgraph.domain.graph import MAX_METADATA_DEPTH

MAX_VALUES = 20_000
MAX_KEY = 200
_MAX_INTEGER = 2**63


def plain_json(value: Any) -> Any:
    """``value`` as dicts with string keys, lists, strings, finite numbers, booleans and None.

    Dates become ISO strings, NaN and infinities strings, sets sorted lists. Raises ValueError for more than
    30 levels or 20,000 values.
    """
    return _Converter().convert(value, 0)


class _Converter:
    def __init__(self) -> None:
        self._n_values = 0

    def convert(self, value: Any, depth: int) -> Any:
        self._n_values += 1
        if self._n_values > MAX_VALUES:
            raise ValueError(f"the metadata has more than {MAX_VALUES:,} values")
        if depth > MAX_METADATA_DEPTH:
            raise ValueError(f"the metadata is nested more than {MAX_METADATA_DEPTH} levels deep")
        if isinstance(value, Mapping):
            return {self._key(key): self.convert(item, depth + 1) for key, item in value.items()}
        if isinstance(value, (set, frozenset)):
            value = sorted(value, key=str)
        if isinstance(value, (list, tuple)):
            return [self.convert(item, depth + 1) for item in value]
        return _scalar(value)

    @staticmethod
    def _key(key: object) -> str:
        return one_line(str(_scalar(key)), MAX_KEY)


def _scalar(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int):
        return value if -_MAX_INTEGER <= value < _MAX_INTEGER else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").replace("\x00", "")
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return clean(str(value))
