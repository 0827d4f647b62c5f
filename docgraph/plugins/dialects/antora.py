"""Antora: ``xref:component:module:page.adoc`` leads to a page of a module."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_REFERENCE = re.compile(
    r"(?:xref:)?(?:[^\s:@#]{1,100}@)?(?:([^\s:@#/]{0,100}):)?(?:([^\s:@#/]{0,100}):)?(?:page\$)?([^\s:#]{1,300}\.adoc)(#\S{0,200})?"
)
_PAGE = re.compile(r"((?:.*/)?modules/)([^/]+)/pages/.*")
_MARKED = re.compile(r"xref:[^\s\[\]]{1,300}\.adoc")


class Antora(Dialect):
    """Paths are seen from the folder ``pages`` of a module; without a module it is that of the page itself."""

    name = "antora"
    title = "Antora"
    signs = ("antora.yml", "antora-playbook.yml")
    suffixes = (".adoc", ".asciidoc", ".md")

    def marks(self, text: str, source: str) -> bool:
        """Whether a page of AsciiDoc is referred to."""
        return bool(_MARKED.search(text))

    def target(self, written: str, source: str) -> str | None:
        """The path from the top."""
        place, found = _PAGE.fullmatch(source.replace("\\", "/")), _REFERENCE.fullmatch(written)
        if found is None or (place is None and not written.startswith("xref:")) or found[3].startswith(("./", "../")):
            return None
        module = found[2] or (found[1] if found[2] is None else "ROOT") or (place[2] if place else "ROOT")
        top = place[1] if place else ""
        return (
            f"/{top}{module}/pages/{found[3].lstrip('/')}" if top else f"modules/{module}/pages/{found[3].lstrip('/')}"
        )


def build() -> Antora:
    """The dialect; it has no options."""
    return Antora()
