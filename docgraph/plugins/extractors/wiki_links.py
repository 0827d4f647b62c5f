"""Finds ``[[wiki links]]`` and ``![[embeds]]`` in notes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Literal

from docgraph.domain.anchors import anchor_of
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.fields import MEDIA
from docgraph.domain.naming import folded
from docgraph.errors import SettingsError
from docgraph.plugins.extractors._edges import Edges, tidy
from docgraph.plugins.extractors._inline_fields import is_field
from docgraph.plugins.extractors._markdown_links import is_markdown, is_template, links_in
from docgraph.plugins.extractors._targets import Targets, folder_of, index_of
from docgraph.ports import Titles

Code = Literal["ignore", "inline", "all"]
_READ = {"ignore": ("",), "inline": ("", "inline"), "all": ("", "inline", "block")}


class WikiLinks:
    """``[[target]]``, ``[[target|label]]``, ``[[target#section]]``, ``![[target]]`` → ``links_to``.

    A target that starts with ``/`` or ``.`` is a path; every other one is the end of a path, an id, a title or an
    alias, whatever the case. Of several paths that end so the nearest is meant (the same folder, the fewest steps, the
    shortest path); the others that are as near are kept as ``candidates``. ``[[label|target]]`` is read where only the
    second is the path of a document. Links in a line that is a field (``up:: [[x]]``)
    are left to the extractor of note fields. Links inside code are examples and are left out unless the
    option ``code`` lets them in; a name that a template makes (``[[{{date}}]]``) is told. A target that nothing fits
    stays as written, in lower case: a dangling edge.
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
        citations = reading is not None and reading.citations
        for link in links_in(document.text, document.source, citations=citations):
            if link.kind != "wiki" or link.code not in self._kinds_of_code or is_field(link.line):
                continue
            names = [tidy(each.replace("\\", "").partition("#")[0]) for each in (link.target, link.label)]
            if not names[0]:
                continue
            found = _target(names[0], document, targets)
            if not found and names[1] and names[0] != names[1]:  # some tools write [[label|target]]
                found = targets.nearest(names[1], folder_of(document))
            if not found and is_template(names[0]):
                titles.left(document.source, link.target)
                continue
            if not found and reading is not None:
                read = reading.target(names[0], document, _nowhere, field="")
                if read.names_none:
                    continue
                found = (read.document_id,) if read.document_id else ()
            if not found and names[0].casefold().endswith(MEDIA):
                continue  # a picture or a recording that is shown here, and no document
            others = {"candidates": list(found)} if len(found) > 1 else {}
            anchor, target = anchor_of(link.target.replace("\\", "")), found[0] if found else folded(names[0])
            edges.add(self._type, target, place="body", text=link.line, anchor=anchor, **others)
        return edges.found()


def _nowhere(_: str) -> None:
    """No rule of this extractor finds the name."""


def _target(name: str, document: Document, targets: Targets) -> tuple[str, ...]:
    """The document that is meant, and after it those that the name could mean as well."""
    folder = folder_of(document)
    if name.startswith(("/", ".")):
        return _one(targets.by_path(name, folder))
    if "/" in name and (found := targets.by_id(name) or targets.by_path(name, "")):
        return (found,)
    return (
        targets.nearest(name, folder)
        or _one(targets.by_id(name))
        or _one(targets.by_path(name, ""))
        or targets.nearest(posixpath.join(name, "index"), folder)
        or targets.nearest(posixpath.join(name, "readme"), folder)
        or _one(targets.by_title(name))
        or _one(targets.by_tail(name.replace(".", "/")) if "." in name else None)
    )


def _one(found: str | None) -> tuple[str, ...]:
    return () if found is None else (found,)


def build(*, relation_type: str = "links_to", code: Code = "ignore") -> WikiLinks:
    """An extractor of edges of ``relation_type``.

    ``code``: ``ignore`` leaves out links in code, ``inline`` reads those in code spans too, ``all`` also those in
    code blocks. Raises SettingsError for another value.
    """
    if code not in _READ:
        raise SettingsError(f"wiki_links: code is {code!r}", hint=f"one of: {', '.join(_READ)}")
    return WikiLinks(relation_type, code)
