"""mdBook: ``{{#include page.md}}`` takes in another file."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_INCLUDE = re.compile(
    r"\{\{[ \t]*#(?:include|rustdoc_include|playground|template)[ \t]+([^\s{}:]{1,400})[^{}\n]{0,300}\}\}"
)
_MARKED = re.compile(r"\{\{[ \t]*#(?:include|rustdoc_include|playground|title)[ \t]")


class MdBook(Dialect):
    """The lines of a file that are meant do not count."""

    name = "mdbook"
    title = "mdBook"
    signs = ("book.toml", "SUMMARY.md")
    suffixes = (".md",)

    def marks(self, text: str, source: str) -> bool:
        """Whether an include or a title of mdBook stands in the text."""
        return "{{" in text and bool(_MARKED.search(text))

    def target(self, written: str, source: str) -> str | None:
        """The file that is taken in, where it is a page."""
        found = _INCLUDE.fullmatch(written)
        return found[1] if found and found[1].lower().endswith(self.suffixes) else None


build = MdBook
