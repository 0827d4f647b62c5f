"""In which chunk a section begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from docgraph.domain.anchors import PATH


class HasHeadings(Protocol):
    """A chunk, stored or read."""

    @property
    def heading_path(self) -> tuple[str, ...]:
        """Its headings, from the outermost inwards."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...


C = TypeVar("C", bound=HasHeadings)


def beginning_of(section: str, chunks: Sequence[C]) -> C | None:
    """The first of the chunks (in text order) that says what stands under a heading path; None where none does.

    Small sections are cut into one chunk: its headings are those that they share, and the others stand in its text. The
    empty path is the beginning of the document.
    """
    if not section:
        return chunks[0] if chunks else None
    for chunk in chunks:
        path = PATH.join(chunk.heading_path)
        if path == section or path.startswith(f"{section}{PATH}"):
            return chunk
        shared = f"{path}{PATH}" if path else ""
        if section.startswith(shared) and _has_line(chunk.text, section[len(shared) :]):
            return chunk
    return None


def _has_line(text: str, heading: str) -> bool:
    """Whether a line of the text is this heading, or leads from it to one below."""
    return any(line == heading or line.startswith(f"{heading}{PATH}") for line in text.split("\n"))
