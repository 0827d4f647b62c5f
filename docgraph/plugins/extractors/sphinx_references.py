"""Finds what texts written for Sphinx refer to: roles, tables of contents, inclusions, links, links of needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docgraph.boundary.imports.markup.myst import myst
from docgraph.boundary.imports.markup.references import Markup, Reference, folded
from docgraph.boundary.imports.markup.restructured import restructured, strict
from docgraph.domain.anchors import anchor_of
from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges, quote_around
from docgraph.plugins.extractors._sphinx_targets import (
    BUILT_IN,
    MAX_GLOB,
    is_outside,
    label,
    matching,
    page,
    project_of,
)
from docgraph.plugins.extractors._targets import PAGES, index_of
from docgraph.plugins.extractors.markdown_links import link_target
from docgraph.ports import Titles

CONTAINS, INCLUDES = "contains", "includes"
_RESTRUCTURED = (".rst", ".rest")
PARTLY = "the pages of the project that were not imported"
"""Where a label may be that stands nowhere in a folder without ``conf.py``."""
STRICTDOC = (".sdoc",)
MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_WORDS = re.compile(r"[\w-]+")
_LABELS = ("label", "section")


class SphinxReferences:
    """``:doc:``, ``:ref:``, ``:numref:``, ``:any:``, ``:term:``, ``:need:``, ``:download:`` and links → ``links_to``,
    ``toctree`` → ``contains``, ``include`` → ``includes``, ``:links:`` of a need → ``links_to``; StrictDoc's
    ``[LINK: UID]`` → ``links_to``.

    Labels are looked up over all documents, whatever file they stand in. What is missing is a dangling edge, with the
    id that the page would have or the label as written (``may_be_in`` names the projects that intersphinx looks it up
    in); what belongs to another project (``:external:``,
    ``python:label``), to a domain of code, or lies outside the folder is no relationship.
    """

    name = "sphinx_references"
    default_on = True

    def __init__(self, relation_type: str) -> None:
        self._type = relation_type

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in text order."""
        edges = Edges(document, self.name)
        n_globs = 0
        for reference in _markup(document).references:
            n_globs += reference.kind == "glob"
            if n_globs > MAX_GLOB:
                break
            quote = ""
            for kind, target in self._targets(reference, document, titles):
                quote = quote or quote_around(document.text, reference.start, reference.end)
                others = _others(reference, target, document, titles)
                anchor = _section(reference, target, titles)
                edges.add(
                    kind, target, place="body", text=quote, anchor=anchor, may_be_in=others, partly=others == PARTLY
                )
        return edges.found()

    def _targets(self, found: Reference, document: Document, titles: Titles) -> Iterator[tuple[str, str]]:
        """(relation type, document id) of a reference."""
        if found.kind == "glob":
            yield from ((CONTAINS, each) for each in matching(found.target, document, titles))
            return
        if found.kind.startswith("need:"):
            target = label(found.target, document, titles, kinds=("need",))
            kind = found.kind.removeprefix("need:")
        else:
            kind = {"toctree": CONTAINS, "include": INCLUDES}.get(found.kind, self._type)
            target = _target(found, document, titles)
        if target is not None:
            yield kind, target


def _markup(document: Document) -> Markup:
    if document.source.casefold().endswith(_RESTRUCTURED):
        return restructured(document.text)
    if document.source.casefold().endswith(STRICTDOC):
        return strict(document.text)
    return myst(document.text) if document.source.casefold().endswith(MARKDOWN) else Markup()


def _target(found: Reference, document: Document, titles: Titles) -> str | None:
    """The document that a reference means, or the name that it would have; None for what is none of this folder."""
    name = found.target
    kind = found.kind.removeprefix("std:").removeprefix("myst:")
    if kind == "strict":
        there = index_of(titles).by_id(name)
        return there or label(name, document, titles, kinds=("label",)) or name
    if kind == "link":
        return link_target(name, document, index_of(titles))
    if kind in ("doc", "toctree"):
        return page(name, document, titles)
    if kind in ("include", "literalinclude", "download"):
        is_text = kind == "include" and name.casefold().endswith(PAGES)
        return page(name, document, titles, must_exist=not is_text)
    if kind in ("ref", "numref"):
        return _labelled(name, document, titles, kinds=_LABELS)
    if kind in ("need", "need_links"):
        there = label(name.partition(".")[0], document, titles, kinds=("need",))
        return there or label(name, document, titles, kinds=("need",))
    if kind == "term":
        return label(name, document, titles, kinds=("term",))
    if kind == "anchor":
        return None if _is_own_heading(name, document) else label(name, document, titles, kinds=("label",))
    if kind == "any":
        return page(name, document, titles, must_exist=True) or label(
            name, document, titles, kinds=(*_LABELS, "term", "need")
        )
    return None


def _section(found: Reference, target: str, titles: Titles) -> str:
    """The section of the target that a link or a label leads to; empty where none is known."""
    if found.kind == "link":
        return anchor_of(found.target)
    name = found.target
    there = (*titles.anchors.get(folded(name), ()), *titles.anchors.get(folded(name.partition(":")[2]), ()))
    return next((each.section for each in there if each.document_id == target and each.section), "")


def _others(found: Reference, target: str, document: Document, titles: Titles) -> str:
    """Where a label that nobody here has may be: in projects that ``conf.py`` names, or, where none lies here, in the
    rest of the project.
    """
    project = project_of(document, titles)
    if found.kind == "include":
        return PARTLY if project is None and target not in index_of(titles) else ""
    if found.kind not in ("ref", "numref") or target != found.target:
        return ""
    return PARTLY if project is None else ", ".join(project.others)


def _is_own_heading(name: str, document: Document) -> bool:
    """Whether ``#name`` leads to a heading of the document itself."""
    headings = (section.heading_path[-1] for section in document.sections if section.heading_path)
    return any("-".join(_WORDS.findall(heading.casefold())) == name.casefold() for heading in headings)


def _labelled(name: str, document: Document, titles: Titles, *, kinds: tuple[str, ...]) -> str | None:
    there = label(name, document, titles, kinds=kinds)
    if there is not None or name.casefold() in BUILT_IN or is_outside(name):
        return there
    return name


def build(*, relation_type: str = "links_to") -> SphinxReferences:
    """An extractor of edges of ``relation_type``, ``contains`` and ``includes``."""
    return SphinxReferences(relation_type)
