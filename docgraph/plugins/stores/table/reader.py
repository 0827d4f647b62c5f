"""A foreign table as a store that only reads: its rows are read once for each state, and kept as documents."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from docgraph.domain.graph import PreparedDocument, Vectors
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import DocgraphError
from docgraph.plugins.stores._rows.writing import accepted
from docgraph.plugins.stores.memory.queries import distances
from docgraph.plugins.stores.memory.reading import Content
from docgraph.plugins.stores.memory.writing import replaced
from docgraph.plugins.stores.table.documents import UNFIT, Found
from docgraph.plugins.stores.table.snapshot import TableSnapshot, WordIndex

N_ANEW = 3
"""Chunks that are embedded anew to see whether the embedder is the one that the table was made with."""


class Source(Protocol):
    """Where the rows come from."""

    name: str

    def look(self, known: str) -> tuple[str, Found | None]:
        """The state of the rows, and what they hold; None where that is the state which is known. Raises StoreError."""
        ...

    def health(self) -> dict[str, Any]:
        """Where it lies and how it is read."""
        ...

    def close(self) -> None:
        """Give back what was opened."""
        ...


class TableReader:
    """One workspace over one table (``ports.Reader``). Every view looks at the state of the table first."""

    def __init__(
        self,
        source: Source,
        *,
        workspace: str,
        embedder: EmbedderInfo,
        embed: Callable[[list[str]], Vectors] | None = None,
    ) -> None:
        self._source, self._embed = source, embed
        self._empty = Content(name=workspace, title=source.name, embedder=embedder)
        self._content, self._index = self._empty, WordIndex(self._empty)
        self._state, self._found = "", Found(())
        self._lock = threading.Lock()

    @property
    def source(self) -> str:
        """What is read, in words (``ports.TellsOfItself``)."""
        return self._source.name

    def workspaces(self) -> tuple[Workspace, ...]:
        """The one that there is."""
        return (self._now()[0].workspace(),)

    @contextmanager
    def reading(self, workspace: str) -> Iterator[TableSnapshot]:
        """A view of the table as it is now."""
        yield TableSnapshot(*self._now())

    def health(self) -> dict[str, Any]:
        """How the table is read, what was left out, and how far the embedder fits (``ports.TellsOfItself``)."""
        content, _ = self._now()
        found, said = self._found, self._source.health()
        said |= {"document_field": found.document_field, "n_rows": found.n_rows}
        said |= {f"left_out_{why.replace(' ', '_')}": n for why, n in found.left_out.items()}
        if similar := self._embedded_anew(content):
            said["chunks_embedded_anew"] = f"{', '.join(f'{each:.2f}' for each in similar)} similar to their vectors"
        return said

    def close(self) -> None:
        """Give the connection back."""
        self._source.close()

    def _now(self) -> tuple[Content, WordIndex]:
        with self._lock:
            state, found = self._source.look(self._state)
            if found is not None:
                batch, found = _accepted(found, self._empty.embedder)
                left = sum(found.left_out.values())
                told = f"; {left:,} of {found.n_rows:,} rows left out" if left else ""
                self._content = replaced(replace(self._empty, title=self._source.name + told), batch, at="")
                self._index, self._state, self._found = WordIndex(self._content), state, found
            return self._content, self._index

    def _embedded_anew(self, content: Content) -> list[float]:
        """How similar the vectors of some chunks are to those that the embedder gives their texts."""
        first = [(p.chunks[0].text, p.chunk_vectors[0]) for p in content.documents.values() if p.chunks][:N_ANEW]
        if self._embed is None or not first:
            return []
        anew = self._embed([text for text, _ in first])
        return [
            1 - float(distances(there[None, :], np.asarray(new))[0])
            for (_, there), new in zip(first, anew, strict=True)
        ]


def _accepted(found: Found, embedder: EmbedderInfo) -> tuple[tuple[PreparedDocument, ...], Found]:
    """The documents as a store takes them; those that none would take are left out, with their rows."""
    try:
        return accepted(found.documents, embedder), found
    except DocgraphError:
        pass
    batch: list[PreparedDocument] = []
    left_out = Counter(found.left_out)
    for each in found.documents:
        try:
            batch += accepted([each], embedder)
        except DocgraphError:
            left_out[UNFIT] += len(each.chunks)
    return tuple(batch), replace(found, left_out=dict(sorted(left_out.items())))
