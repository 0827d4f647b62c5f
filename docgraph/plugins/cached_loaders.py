"""Loaders with a cache: a preview and its import, or two imports of one process, parse an unchanged file once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from docgraph.boundary.confined.wire import Item, answer, line_of
from docgraph.plugins._byte_cache import ByteCache, key_of
from docgraph.ports import Loader

MAX_HELD = 32_000_000
"""Bytes that all cached files take, compressed: four or five times as much text."""
PARSED = ("markdown", "restructuredtext", "asciidoc")
"""Loaders of one document a file whose parsers take longer than reading their result."""


def cached(loaders: Sequence[Loader]) -> tuple[Loader, ...]:
    """The loaders, with one cache for those whose files take long to parse."""
    cache = ByteCache(MAX_HELD)
    return tuple(_CachedLoader(loader, cache) if loader.name in PARSED else loader for loader in loaders)


class _CachedLoader:
    """Gives what the loader gives for the same bytes under the same name; errors are not cached."""

    def __init__(self, loader: Any, cache: ByteCache) -> None:
        self._loader, self._cache = loader, cache
        self.name: str = loader.name
        self.suffixes: tuple[str, ...] = loader.suffixes

    def load(self, data: bytes, *, source: str) -> Iterator[Item]:
        """What is in the file. Raises ValueError with a one-line reason."""
        key = key_of(self.name, source, data)
        if (kept := self._cache.get(key)) is not None:
            yield from _read(kept)
            return
        items: list[Item] = []
        for item in self._loader.load(data, source=source):
            items.append(item)
            yield item
        try:
            lines = b"".join(map(line_of, items))
            is_same = _read(lines) == items
        except ValueError:  # no JSON: only what comes back as it was is kept
            return
        if is_same:
            self._cache.put(key, lines)


def _read(lines: bytes) -> list[Item]:
    found = [answer(line).item for line in lines.splitlines(keepends=True)]
    return [item for item in found if item is not None]
