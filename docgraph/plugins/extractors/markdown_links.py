"""Finds relative links to other documents in Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.naming import names_another
from docgraph.plugins.extractors._edges import Edges, tidy
from docgraph.plugins.extractors._inline_fields import is_field
from docgraph.plugins.extractors._markdown_links import FoundLink, is_markdown, links_in
from docgraph.plugins.extractors._status_phrases import phrase_before_record, phrases_in
from docgraph.plugins.extractors._targets import CONVERTED, PAGES, Targets, dangling_path, folder_of, index_of
from docgraph.ports import Titles

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|\?")
_DOCUMENT = tuple({*PAGES, *CONVERTED} - {".xhtml"})


class MarkdownLinks:
    """``[label](folder/page.md#part)`` → ``links_to``, seen from the folder of the document's source.

    Links to other places (``https:``, ``mailto:`` …), inside the page and to pictures are no relationships. A link
    to a file of a document format that does not exist is a dangling edge; a link without a suffix counts only when
    a document is there. Of several links to one document the first line is kept, and those whose label names another
    document of its series (``[EIP-20](./eip-2.md)``). A status line's link (*Superseded by …*) is left to the
    extractor of status lines.
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
        for href, line, label in _hrefs(document, citations=citations):
            target = link_target(href, document, targets)
            if target:
                edges.add(self._type, target, place="body", text=line)
                if names_another(label, target):
                    edges.add_line(self._type, tidy(target), line)
        return edges.found()


def _hrefs(document: Document, *, citations: bool) -> Iterator[tuple[str, str, str]]:
    """(address, the words around it, the label where it is told apart from them) of each link."""
    if is_markdown(document):
        for link in links_in(document.text, citations=citations):
            if link.kind == "link" and not _is_status(link):
                yield link.target, link.line, link.label
    links = document.metadata.get("links")
    for entry in links if isinstance(links, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("href"), str):
            yield entry["href"], str(entry.get("text", "")), ""


def _is_status(link: FoundLink) -> bool:
    status = tidy(link.heading).casefold() == "status"
    return is_field(link.line) or (status and bool(phrases_in(link.line) or phrase_before_record(link.line)))


def link_target(href: str, document: Document, targets: Targets) -> str | None:
    """The document that a relative link or an address leads to, or would lead to if it existed; None for any other."""
    if targets.reading is not None and not href.startswith(("#", "?")):
        folder = folder_of(document)
        read = targets.reading.target(tidy(href), document, lambda name: targets.by_path(name, folder), field="")
        if read.document_id is not None or read.names_none:
            return read.document_id
        href = read.name
    path = tidy(href).partition("#")[0].partition("?")[0]
    if not path or _ELSEWHERE.match(href):
        return None
    folder = folder_of(document)
    found = targets.by_path(path, folder)
    if found is None and path.casefold().endswith(_DOCUMENT):
        # Without sources a file's name is all there is to go by; with them it would be a guess.
        by_name = None if targets.has_sources else targets.by_tail(path.rsplit("/", 1)[-1])
        return by_name or dangling_path(path, folder)
    return found


def build(*, relation_type: str = "links_to") -> MarkdownLinks:
    """An extractor of edges of ``relation_type``."""
    return MarkdownLinks(relation_type)
