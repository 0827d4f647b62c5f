"""DocFX: ``xref:uid`` and ``@uid`` name a page by its ``uid``, ``~/`` is the top of the site."""

from __future__ import annotations

import re
from urllib.parse import unquote

from docgraph.ports import Dialect

_REFERENCE = re.compile(r"xref:([^?#\s]{1,400})(?:[?#].{0,300})?")
_MARKED = re.compile(r"\]\(xref:|<xref[: ]|\[!(?:INCLUDE|code-\w+) ?\[|\]\(~/")


class DocFx(Dialect):
    """A ``uid`` in the header is one more name of a page."""

    name = "docfx"
    title = "DocFX"
    signs = ("docfx.json",)
    suffixes = (".md",)

    def marks(self, text: str, source: str) -> bool:
        """Whether a cross-reference, an include or a path from the top stands in the text."""
        return bool(_MARKED.search(text))

    def target(self, written: str, source: str) -> str | None:
        """The ``uid``, or the path from the top."""
        if written.startswith("~/"):
            return written[1:]
        found = _REFERENCE.fullmatch(written)
        return unquote(found[1]) if found and not found[1].endswith(".adoc") else None


build = DocFx
