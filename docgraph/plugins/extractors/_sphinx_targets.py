"""Which documents a reference of a text written for Sphinx means: by path, by label, by term, by the id of a need."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from weakref import WeakKeyDictionary

from docgraph.boundary.imports.markup.references import folded
from docgraph.domain.graph import Document
from docgraph.plugins.extractors._targets import PAGES, Targets, folder_of, index_of, join
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
