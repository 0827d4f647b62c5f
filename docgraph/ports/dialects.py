"""What the reading of a folder asks for: the ways in which tools write sites, vaults and sets of requirements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Dialect(Protocol):
    """How one tool writes its folder. Plug-in folder: ``plugins/dialects/``.

    A class that names this one as its base inherits what says nothing, and writes down what its tool does otherwise.
    Every rule here holds in every import, profile or not: what a look recognises is what an import reads.

    - ``name`` is that of its file, ``title`` what people call it.
    - ``signs``: names of files by whose sight the folder around them is known (``mkdocs.yml``); what lies below it are
      its pages.
    - ``suffixes``: those that its pages may have.
    """

    name: str
    title: str
    signs: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()

    def marks(self, text: str, source: str) -> bool:
        """Whether a page can only have been written for this tool; ``text`` is without its fenced code."""
        return False

    def names(self, source: str) -> Iterable[str]:
        """What else a page is called for where it lies: with ``/`` in front an address, else an alias.

        They count where no id, path, title or name that the page gives itself fits, and only one page has them.
        """
        return ()

    def target(self, written: str, source: str) -> str | None:
        """The path, address or name that a link of this tool's own form means; None for every other link.

        What begins with ``/`` is seen from the root, everything else from the folder of ``source``.
        """
        return None

    def readable(self, text: str, source: str) -> str:
        """The text with spaces for what is none (imports of scripts, comments), and of the same length."""
        return text

    def unfolded(self, text: str, source: str) -> str:
        """The text with as many lines, in which nothing that this tool indents for its own ends looks like code."""
        return text

    def is_plain_around_tags(self, source: str) -> bool:
        """Whether tags and indentation leave Markdown in and around them as it is, as in MDX."""
        return False
