"""Finds relative links to other documents in Markdown and HTML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial

from docgraph.domain.anchors import anchor_of
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.naming import names_another
from docgraph.plugins._dialects import meant
from docgraph.plugins.extractors._edges import Edges, tidy
from docgraph.plugins.extractors._inline_fields import is_field
from docgraph.plugins.extractors._markdown_links import FoundLink, is_markdown, is_template, links_in
from docgraph.plugins.extractors._targets import (
    CONVERTED,
    PAGES,
    Targets,
    folder_of,
    index_of,
    leaves_the_top,
)
from docgraph.plugins.extractors.status_lines import phrase_before_record, phrases_in
from docgraph.ports import Titles

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|\?")
_FOLDER_PAGES = ("index", "readme", "_index")
_DOCUMENT = tuple({*PAGES, *CONVERTED} - {".xhtml"})


class MarkdownLinks:
    """``[label](folder/page.md#part)`` → ``links_to``, seen from the folder of the document's source.

    Links to other places (``https:``, ``mailto:`` …), inside the page and to pictures are no relationships. A link
    to a file of a document format that does not exist is a dangling edge, unless it leads out of the folder; a link
    without a suffix counts only when a document is there. Links in the form of a site's tool mean what its dialect
    says; those that no dialect can follow are told (``Titles.left``).

    Of several links to one document the first line is kept, and those whose label names another document of its series
    (``[EIP-20](./eip-2.md)``). A status line's link (*Superseded by …*) is left to the extractor of status lines.
    """

    name = "markdown_links"
    default_on = True

    def __init__(self, relation_type: str) -> None:
        self._type = relation_type

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in text order."""
        edges = Edges(document, self.name)
        targets = index_of(titles)
        citations = titles.reading is not None and titles.reading.citations
        for written in _links(document, citations=citations):
            target = _target(written, document, targets, titles)
            if target:
                edges.add(self._type, target, place="body", text=written.line, anchor=_anchor(written, document))
                if names_another(written.label, target):
                    edges.add_line(self._type, tidy(target), written.line)
        return edges.found()


def _links(document: Document, *, citations: bool) -> Iterator[FoundLink]:
    """Each link of the text, then those that its loader told of."""
    if is_markdown(document):
        for link in links_in(document.text, document.source, citations=citations):
            if link.kind != "wiki" and not _is_status(link):
                yield link
    links = document.metadata.get("links")
    for entry in links if isinstance(links, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("href"), str):
            yield FoundLink("link", entry["href"], "", str(entry.get("text", "")), "")


def _is_status(link: FoundLink) -> bool:
    status = tidy(link.heading).casefold() == "status"
    return is_field(link.line) or (status and bool(phrases_in(link.line) or phrase_before_record(link.line)))


def _anchor(link: FoundLink, document: Document) -> str:
    """The section that a link names: of what a template makes, that of the address which its dialect reads in it."""
    own = meant(tidy(link.target), document.source) if is_template(tidy(link.target)) else None
    return anchor_of(link.target if own is None else own[1])


def _target(link: FoundLink, document: Document, targets: Targets, titles: Titles) -> str | None:
    href, own = tidy(link.target), meant(tidy(link.target), document.source)
    is_made = is_template(href) or href.startswith("xref:")
    if own is not None:
        href = own[1]
    if is_made and (own is None or _find(_bare(href), document=document, targets=targets, loose=True) is None):
        if own is not None or link.kind == "link":
            titles.left(document.source, link.target)
        return None
    return link_target(href, document, targets, loose=own is not None)


def link_target(href: str, document: Document, targets: Targets, *, loose: bool = False) -> str | None:
    """The document that a relative link or an address leads to, or would lead to if it existed; None for any other.

    ``loose`` = the name of a page is enough, as the tools of sites take it.
    """
    href = tidy(href)
    if document.source.casefold().endswith(".mdc"):
        href = href.removeprefix("mdc:")  # how rules of an editor name a file of theirs
    find = partial(_find, document=document, targets=targets, loose=loose)
    if targets.reading is not None and not href.startswith(("#", "?")):
        read = targets.reading.target(href, document, find, field="")
        if read.document_id is not None or read.names_none:
            return read.document_id
        href = read.name
    path = _bare(href)
    if not path or _ELSEWHERE.match(href):
        return None
    folder = folder_of(document)
    found = find(path)
    if found is None and path.casefold().endswith(_DOCUMENT):
        # Without sources a file's name is all there is to go by; with them it would be a guess.
        by_name = None if targets.has_sources else targets.by_tail(path.rsplit("/", 1)[-1])
        return by_name or (None if leaves_the_top(path, folder) else targets.missing(path, folder))
    return found


def _find(path: str, *, document: Document, targets: Targets, loose: bool) -> str | None:
    """The document at a path; ``loose`` = the name of a page is enough, as the tools of sites take it."""
    folder = folder_of(document)
    if found := targets.by_path(path, folder):
        return found
    if loose and (named := targets.by_tail(path) or targets.by_title(path)):
        return named
    if path.startswith("/") or path.casefold().endswith(_DOCUMENT) or not path.strip("./"):
        return None
    # On most sites a page is a folder of its own: what is beside it is one step further away.
    name = document.source.rsplit("/", 1)[-1].rsplit(".", 1)[0].casefold()
    return None if name in _FOLDER_PAGES else targets.by_path(path, posixpath.join(folder, name))


def _bare(href: str) -> str:
    return href.partition("#")[0].partition("?")[0]


def build(*, relation_type: str = "links_to") -> MarkdownLinks:
    """An extractor of edges of ``relation_type``."""
    return MarkdownLinks(relation_type)
