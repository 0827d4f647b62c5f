"""The import profile: how a folder of documents is read beyond what its files say by themselves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from docgraph.domain.frozen import Frozen

KEPT = 50
"""The newest; the oldest go."""


MAX_ENTRIES = 500
MAX_NUMBERED = 20
NUMBER = "{n}"
"""Stands for the number in an address of a series."""
NAME = "{name}"
"""Stands for the document's file name without its suffix in the name of a sidecar."""
ANY = "*"
"""Stands for one part of an address: a branch, a version."""

Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Words = Annotated[tuple[Word, ...], Field(max_length=MAX_ENTRIES)]


class Series(Frozen):
    """Documents that people call by a number: ``word`` stands before it (KEP-1967; empty where none does).

    ``field`` is the metadata field that states a document's own number; without it, or where it is empty, the number
    in the name of the document's file or folder counts. ``addresses`` are web addresses with ``{n}`` for the number.
    """

    word: Annotated[str, StringConstraints(max_length=40, pattern=r"^[A-Za-z][A-Za-z ]*$|^$")] = ""
    field: Annotated[str, StringConstraints(max_length=100)] = ""
    addresses: Words = ()


class ImportProfile(Frozen):
    """What an import reads in a folder beyond the files as they are; the empty profile changes nothing.

    Paths have ``/`` between their parts and are seen from the top of the folder; nothing in a profile is a pattern,
    but for ``exclude``, ``*`` in ``base`` (one part of an address), ``{name}`` in ``sidecars`` and ``{n}`` in addresses
    of series.

    - ``one_per``: ``folder`` = the file ``page`` (without its suffix) of a folder stands for it and has its name as id.
    - ``sidecars``: names of files that hold the metadata of the document beside them.
    - ``skip``: folders of templates, which hold no documents.
    - ``exclude``: files that are left out, by patterns as in a ``.gitignore``.
    - ``base``: web addresses that are the top of this folder; ``outside``: those of what it is a part of.
    - ``root``: beginnings of paths that are the top of this folder.
    - ``citations``: ``[[1]](address)`` is a citation with its address, no wiki link.
    - ``numbers``: series of numbered documents.
    - ``empty``: words that name no document, whatever their case.
    - ``boilerplate``: paths of targets that every document names; they become no relationships.
    - ``stub_values``: metadata field → values that say the document is only a pointer; ``stub_below``: characters of
      text under which a document is one (0 = none).
    """

    version: Literal[1] = 1
    one_per: Literal["file", "folder"] = "file"
    page: Annotated[str, StringConstraints(max_length=100)] = "README"
    sidecars: Words = ()
    skip: Words = ()
    exclude: Annotated[Words, Field(exclude_if=lambda words: not words)] = ()
    base: Words = ()
    outside: Words = ()
    root: Words = ()
    citations: bool = False
    numbers: Annotated[tuple[Series, ...], Field(max_length=MAX_NUMBERED)] = ()
    empty: Words = ()
    boilerplate: Words = ()
    stub_values: Annotated[dict[Word, Words], Field(max_length=50)] = Field(default_factory=dict)
    stub_below: Annotated[int, Field(ge=0, le=100_000)] = 0

    @property
    def is_empty(self) -> bool:
        """Whether it changes nothing."""
        return self == ImportProfile(page=self.page)


class Written(Frozen):
    """One dialect of a folder: ``n_pages`` of it are written so, and their documents lead to ``n_links`` others.

    ``suffix`` is that of its pages, where all have the same and it is the dialect's own. ``n_links`` is None where
    they were not counted.
    """

    name: str
    title: str
    n_pages: int
    n_links: int | None = None
    suffix: str = ""

    @property
    def pages(self) -> str:
        """``448 .mdx pages``."""
        suffix = f"{self.suffix} " if self.suffix else ""
        return f"{self.n_pages:,} {suffix}page{'s' if self.n_pages != 1 else ''}"

    @property
    def links(self) -> str:
        """``1,475 links``; empty where they were not counted."""
        return "" if self.n_links is None else f"{self.n_links:,} link{'s' if self.n_links != 1 else ''}"

    @property
    def sentence(self) -> str:
        """``Docusaurus: 448 .mdx pages, 1,475 links``."""
        return f"{self.title}: {', '.join(part for part in (self.pages, self.links) if part)}"
