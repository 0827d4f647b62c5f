"""Antora: ``xref:component:module:page.adoc`` leads to a page of a module."""

from __future__ import annotations

import posixpath
import re

from docgraph.ports import Dialect

_REFERENCE = re.compile(
    r"(?:xref:)?(?:[^\s:@#]{1,100}@)?(?:([^\s:@#/]{0,100}):)?(?:([^\s:@#/]{0,100}):)?(?:([a-z]{1,20})\$)?"
    r"([^\s:#$]{1,300}?(\.[a-z]{1,10})?)(#\S{0,200})?"
)
_PLACE = re.compile(r"((?:.*/)?modules/)([^/]+)/.*")
_FAMILIES = {"page": "pages", "partial": "partials", "example": "examples", "attachment": "attachments"}
_PAGES = (".adoc", ".asciidoc")
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
        """The path from the top: ``component:module:family$path``, of which only the path must stand there."""
        place, found = _PLACE.fullmatch(source.replace("\\", "/")), _REFERENCE.fullmatch(written)
        is_reference = written.startswith("xref:")
        if found is None or (place is None and not is_reference):
            return None
        if found[4].startswith(("./", "../")):
            return (
                f"/{posixpath.normpath(posixpath.join(posixpath.dirname(source), found[4]))}" if is_reference else None
            )
        # In another project the same word stands before what is no file: DocFX's ``xref:System.String``.
        is_page = (found[3] or "page") == "page"
        if is_page and found[5] not in _PAGES and (found[5] or place is None or not is_reference):
            return None
        module = found[2] or (found[1] if found[2] is None else "ROOT") or (place[2] if place else "ROOT")
        family = _FAMILIES.get(found[3] or "page", f"{found[3]}s")
        path = found[4].lstrip("/") if found[5] else f"{found[4].strip('/')}.adoc"
        return f"{f'/{place[1]}' if place else ''}{'' if place else 'modules/'}{module}/{family}/{path}"


build = Antora
