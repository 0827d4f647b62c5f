"""MkDocs with Material: what stands indented under ``!!!``, ``???``, ``===`` and ``:::`` is text, no code."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_MARKER = re.compile(r"[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]?[ \t]+[\"']|:::[ \t]*[\w.])")
_SNIPPET = re.compile(r"^[ \t]*(?:-{1,}8<-{1,})[ \t]+[\"']", re.MULTILINE)
_MARKED = re.compile(r"^[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]?[ \t]+[\"'])", re.MULTILINE)


class MkDocs(Dialect):
    """Admonitions, details, tabs, blocks of plug-ins; snippets are links to what they take in."""

    name = "mkdocs"
    title = "MkDocs"
    signs = ("mkdocs.yml", "mkdocs.yaml")
    suffixes = (".md", ".markdown")

    def marks(self, text: str, source: str) -> bool:
        """Whether an admonition, a tab or a snippet stands in the text."""
        return ("!!!" in text or "???" in text or "===" in text or "8<-" in text) and bool(
            _MARKED.search(text) or _SNIPPET.search(text)
        )


def build() -> MkDocs:
    """The dialect; it has no options."""
    return MkDocs()
