"""Finds what texts written for Sphinx refer to: roles, tables of contents, inclusions, links, links of needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from weakref import WeakKeyDictionary

from docgraph.boundary.imports.markup.myst import myst
from docgraph.boundary.imports.markup.references import Markup, Reference, folded
from docgraph.boundary.imports.markup.restructured import restructured, strict
from docgraph.domain.anchors import anchor_of
from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges, quote_around
from docgraph.plugins.extractors._targets import PAGES, Targets, folder_of, index_of, join
from docgraph.plugins.extractors.markdown_links import link_target
from docgraph.ports import Anchor, SphinxProject, Titles

BUILT_IN = frozenset(("genindex", "modindex", "py-modindex", "search"))
"""Labels of pages that Sphinx makes itself."""
_GENERATED = frozenset(("genindex", "modindex", "search"))
MAX_GLOB = 200
_PATHS: WeakKeyDictionary[Titles, Mapping[str, str]] = WeakKeyDictionary()


def page(name: str, document: Document, titles: Titles, *, must_exist: bool = False) -> str | None:
    """The document of ``:doc:`name``` or of an entry of a table of contents; a missing one by the id it would have.

    A path that begins with ``/`` starts at the folder of the sources: that of the ``conf.py``, where there is one.
    None for a path that leaves the folder that was imported, for pages that Sphinx makes, and for ``project:path`` of
    another project (intersphinx).
    """
    targets, folder = index_of(titles), folder_of(document)
    bare = name.partition("#")[0].strip()
    if not bare or bare.rstrip("/") in _GENERATED:
        return None
    if bare.startswith("/"):
        project = project_of(document, titles)
        tops = ["", *reversed(list(_above(folder)))] if project is None else [project.folder]
        found = next((found for top in tops if (found := _at(join(top, bare.lstrip("/")), targets))), None)
        bare, folder = bare if project is None else f"/{project.folder}/{bare.lstrip('/')}", ""
    elif _leaves(folder, bare):
        return None
    else:
        found = _at(join(folder, bare), targets)
    if found or must_exist or ":" in bare:
        return found
    return targets.missing(bare, folder)


def label(name: str, document: Document, titles: Titles, *, kinds: Sequence[str]) -> str | None:
    """The document that holds a label: its own, else the nearest of those that do; None where nobody has it.

    ``folder/page:Title of a section`` names a section of one document.
    """
    key = folded(name)
    for kind in kinds:
        if anchor := _nearest([each for each in titles.anchors.get(key, ()) if each.kind == kind], document):
            return anchor.document_id
    path, colon, title = name.partition(":")
    if colon and "section" in kinds and (where := page(f"/{path.strip('/')}", document, titles, must_exist=True)):
        there = titles.anchors.get(folded(title), ())
        return where if any(each.document_id == where and each.kind == "section" for each in there) else None
    return None


def matching(pattern: str, document: Document, titles: Titles) -> Iterator[str]:
    """The documents that an entry with ``*`` means, in order of their paths, the document itself left out."""
    folder = folder_of(document)
    if not pattern.startswith("/") and _leaves(folder, pattern):
        return
    whole = join("" if pattern.startswith("/") else folder, pattern).split("/")
    for path, document_id in _paths(titles).items():
        if document_id != document.document_id and _fits(path.split("/"), whole[:20]):
            yield document_id


def project_of(document: Document, titles: Titles) -> SphinxProject | None:
    """The nearest project that a document is a page of."""
    folder = folder_of(document)
    around = [each for each in titles.projects if f"{folder}/".startswith(f"{each.folder}/" if each.folder else "")]
    return max(around, key=lambda each: len(each.folder), default=None)


def is_outside(name: str) -> bool:
    """Whether a label has the form of one of another project: ``python:exceptions``."""
    project, colon, rest = name.partition(":")
    return bool(colon and rest.strip()) and project.replace("-", "").replace("_", "").replace(".", "").isalnum()


def _at(path: str, targets: Targets) -> str | None:
    """The document at a path from the top, with or without its suffix; a folder is none."""
    found = targets.by_path(path, "")
    # ``guide`` is a page of that name: its folder's index is ``guide/index``.
    return None if found and path and _is_index_of(found, path) else found


def _is_index_of(document_id: str, path: str) -> bool:
    folder, _, base = document_id.casefold().rpartition("/")
    return base in ("index", "readme") and folder == path.casefold().strip("/")


def _nearest(anchors: Sequence[Anchor], document: Document) -> Anchor | None:
    if len(anchors) < 2:
        return anchors[0] if anchors else None
    here = document.document_id.split("/")

    def distance(anchor: Anchor) -> tuple[bool, int, str]:
        there = anchor.document_id.split("/")
        same = len(posixpath.commonprefix([here[:-1], there[:-1]]))
        return anchor.document_id != document.document_id, len(here) + len(there) - 2 * same, anchor.document_id

    return min(anchors, key=distance)


def _above(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)


def _leaves(folder: str, path: str) -> bool:
    return posixpath.normpath(posixpath.join(folder or ".", path)).startswith("..")


def _paths(titles: Titles) -> Mapping[str, str]:
    """Path without suffix → document, in order of the paths."""
    if titles not in _PATHS:
        _PATHS[titles] = dict(sorted(_without_suffixes(titles.sources.items())))
    return _PATHS[titles]


def _without_suffixes(sources: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for document_id, source in sources:
        path = source.replace("\\", "/")
        yield (path.rpartition(".")[0] if path.casefold().endswith(PAGES) else path), document_id


def _fits(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path fits, part by part; ``**`` stands for any number of parts."""
    if "**" not in pattern:
        return len(path) == len(pattern) and all(map(fnmatchcase, path, pattern))
    before, after = pattern[: pattern.index("**")], pattern[pattern.index("**") + 1 :]
    rest = path[len(before) :]
    if len(path) < len(before) or not all(map(fnmatchcase, path, before)):
        return False
    after = [each for each in after if each != "**"]
    return len(rest) >= len(after) and all(map(fnmatchcase, rest[len(rest) - len(after) :], after))


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
