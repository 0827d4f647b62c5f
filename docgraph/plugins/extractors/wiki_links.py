"""Finds ``[[wiki links]]`` and ``![[embeds]]`` in notes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Literal

from docgraph.domain.graph import Document, Relationship
from docgraph.errors import SettingsError
from docgraph.plugins.extractors._edges import Edges, tidy
from docgraph.plugins.extractors._inline_fields import is_field
from docgraph.plugins.extractors._markdown_links import is_markdown, links_in
from docgraph.plugins.extractors._targets import Targets, folder_of, index_of
from docgraph.ports import Titles

Code = Literal["ignore", "inline", "all"]
_READ = {"ignore": ("",), "inline": ("", "inline"), "all": ("", "inline", "block")}


class WikiLinks:
    """``[[target]]``, ``[[target|label]]``, ``[[target#section]]``, ``![[target]]`` → ``links_to``.

    A target that starts with ``/`` or ``.`` is a path; every other one is the end of a path (the first by id when
    several end so), an id, a title or an alias, whatever the case. Links in a line that is a field (``up:: [[x]]``)
    are left to the extractor of note fields. Links inside code are examples and are left out unless the
    option ``code`` lets them in. A target that nothing fits stays as written, in lower case: a dangling edge.
    """

    name = "wiki_links"
    default_on = True

    def __init__(self, relation_type: str, code: Code) -> None:
        self._type = relation_type
        self._kinds_of_code = _READ[code]

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in text order."""
        edges = Edges(document, self.name)
        if "[[" not in document.text or not is_markdown(document):
            return edges.found()
        targets = index_of(titles)
        reading = titles.reading
        for link in links_in(document.text, citations=reading is not None and reading.citations):
            if link.kind != "wiki" or link.code not in self._kinds_of_code or is_field(link.line):
                continue
            name = tidy(link.target.replace("\\", "").partition("#")[0])
            if not name:
                continue
            found = _target(name, document, targets)
            if found is None and reading is not None:
                read = reading.target(name, document, _nowhere, field="")
                if read.names_none:
                    continue
                found = read.document_id
            edges.add(self._type, found or name.casefold(), place="body", text=link.line)
        return edges.found()


def _nowhere(_: str) -> None:
    """No rule of this extractor finds the name."""


def _target(name: str, document: Document, targets: Targets) -> str | None:
    if name.startswith(("/", ".")):
        return targets.by_path(name, folder_of(document))
    return (
        targets.by_id(name)
        or targets.by_path(name, "")
        or targets.by_tail(name, ambiguous=True)
        or targets.by_tail(posixpath.join(name, "index"))
        or targets.by_tail(posixpath.join(name, "readme"))
        or targets.by_title(name)
    )


def build(*, relation_type: str = "links_to", code: Code = "ignore") -> WikiLinks:
    """An extractor of edges of ``relation_type``.

    ``code``: ``ignore`` leaves out links in code, ``inline`` reads those in code spans too, ``all`` also those in
    code blocks. Raises SettingsError for another value.
    """
    if code not in _READ:
        raise SettingsError(f"wiki_links: code is {code!r}", hint=f"one of: {', '.join(_READ)}")
    return WikiLinks(relation_type, code)
