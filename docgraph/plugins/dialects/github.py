"""HTML in Markdown, as README files on GitHub and GitLab have it: ``<a href="page.md">`` is a link."""

from __future__ import annotations

import re

from docgraph.domain.imports.fields import MARKDOWN
from docgraph.ports import Dialect

_MARKED = re.compile(r"<a\s[^<>]{0,300}?href\s{0,5}=", re.IGNORECASE)


class GitHub(Dialect):
    """Tags are read as links by whoever reads Markdown; this names the pages that have some."""

    name = "github"
    title = "HTML in Markdown"
    suffixes = MARKDOWN

    def marks(self, text: str, source: str) -> bool:
        """Whether a link in HTML stands in the text."""
        return "<" in text and bool(_MARKED.search(text))


build = GitHub
