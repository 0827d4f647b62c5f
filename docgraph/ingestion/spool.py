"""The documents of one import by id: the first of them in memory, the others in a file that has no name."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator, MutableMapping
from typing import IO

from docgraph.domain.graph import Document

MAX_IN_MEMORY = 8_000_000
"""Characters of text that an import holds in memory, whatever it takes in."""
PART = 64
"""Documents that are taken back from the file at once."""
Taken = tuple[Document, str]
"""A document, and the name of the source that it came from."""


class Spool(MutableMapping[str, Taken]):
    """Document id → (document, name), in the order in which they came.

    Beyond ``most`` characters of text documents lie in a temporary file, which the system takes away with this object.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = MAX_IN_MEMORY if most is None else most
        self._n_held = 0
        self._here: dict[str, Taken | tuple[int, int, str]] = {}
        self._file: IO[bytes] | None = None

    @property
    def spilled(self) -> bool:
        """Whether some of them lie in a file, so that they are better worked off part by part."""
        return self._file is not None

    def parts(self) -> Iterator[dict[str, Taken]]:
        """All of them, so many at a time that a part is small; one part where all are in memory."""
        if not self.spilled:
            yield dict(self.items())
            return
        ids = list(self._here)
        for start in range(0, len(ids), PART):
            yield {document_id: self[document_id] for document_id in ids[start : start + PART]}

    def __getitem__(self, document_id: str) -> Taken:
        found = self._here[document_id]
        if len(found) == 2:
            return found
        start, size, name = found
        assert self._file is not None
        self._file.seek(start)
        return Document.model_validate_json(self._file.read(size)), name

    def __setitem__(self, document_id: str, taken: Taken) -> None:
        document, name = taken
        size = _size(document)
        if self._n_held + size <= self._most:
            self._n_held += size
            self._here[document_id] = taken
            return
        if self._file is None:
            self._file = nameless_file(self)
        data = document.model_dump_json().encode()
        self._here[document_id] = (self._file.seek(0, 2), len(data), name)
        self._file.write(data)

    def __delitem__(self, document_id: str) -> None:
        del self._here[document_id]

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._here

    def __iter__(self) -> Iterator[str]:
        return iter(self._here)

    def __len__(self) -> int:
        return len(self._here)

    def clear(self) -> None:
        """None any more; the file goes too."""
        self._here.clear()
        self._n_held = 0
        if self._file is not None:
            self._file.close()
            self._file = None


def nameless_file(owner: object) -> IO[bytes]:
    """A temporary file that nobody else can open; closed, and so gone, when its owner is."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as its owner
    weakref.finalize(owner, file.close)
    return file


def _size(document: Document) -> int:
    texts = len(document.text) + sum(len(section.text) for section in document.sections)
    return texts + sum(len(chunk.text) for chunk in document.chunks or ())
