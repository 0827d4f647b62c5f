"""Finds the document that a name, a path, a number or a title in another document means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TypeVar
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from docgraph.domain.graph import Document
from docgraph.domain.imports.fields import MARKDOWN
from docgraph.domain.naming import folded
from docgraph.plugins._dialects import dialects
from docgraph.plugins.extractors._edges import tidy
from docgraph.ports import Titles

_Key = TypeVar("_Key")
PAGES = (*MARKDOWN, ".rst", ".rest", ".txt", ".html", ".htm", ".xhtml", ".pdf")
CONVERTED = (".adoc", ".asciidoc", ".docx", ".epub", ".ipynb", ".mediawiki", ".odt", ".pptx", ".rtf", ".wiki")
_SUFFIXES = (*PAGES, *CONVERTED, ".org")
"""What a name may end with and still mean the document without it. ``.org`` is also how web addresses end: a link to
``x.org`` that no document fits is none."""
_SERIES = re.compile(r"(?:([a-z]{2,12})[-_ ]?)?0*(\d{1,9})(?!\d)")
_CALLED = re.compile(r"([A-Za-z]{2,12})-(\d{1,6})")
_FILES = frozenset((".pdf", ".docx", ".epub", ".odt", ".pptx", ".rtf"))
"""Formats that no site shows as pages of its own: a link to one of them names it."""
_FOLDER_PAGES = ("index", "readme", "_index")
_CONTENT = re.compile(r"content/(?:[a-z]{2}(?:-[a-z]{2,4})?/)?")
_INDEXES: WeakKeyDictionary[Titles, Targets] = WeakKeyDictionary()


class Targets:
    """An index over all documents of a workspace; every answer is a document_id that exists, or None.

    A name that fits several documents is answered by the first of them in sorted order of path, never at random,
    and only where the callers' rules say so (wiki links); elsewhere it is not answered at all.
    """

    def __init__(self, titles: Titles) -> None:
        self._ids = {ref.document_id for ref in titles.documents}
        self._folded: dict[str, list[str]] = {}
        self._paths: dict[str, list[str]] = {}
        self._tails: dict[str, list[str]] = {}
        self._titles: dict[str, list[str]] = {}
        self._aliases: dict[str, list[str]] = {}
        self._addresses: dict[str, list[str]] = {}
        self._series: dict[tuple[str, int], list[str]] = {}
        self._kinds: set[str] = set()
        self.words: dict[str, None] = {}
        self._sources = titles.sources
        self.has_sources = bool(titles.sources)
        self.reading = titles.reading
        for ref in sorted(titles.documents, key=lambda ref: ref.document_id):
            source = titles.sources.get(ref.document_id, "")
            self._add(ref.document_id, ref.title, source)
            own = titles.names.get(ref.document_id, ())
            for name in (*own, *(name for each in dialects() for name in each.names(source))):
                self._add_name(ref.document_id, name)

    def _add(self, document_id: str, title: str, source: str) -> None:
        _put(self._folded, folded(document_id), document_id)
        _put(self._titles, folded(tidy(title)), document_id)
        path = _bare(source) if source else ""
        for name in dict.fromkeys(filter(None, (folded(document_id), path))):
            _put(self._paths, name, document_id)
            parts = name.split("/")
            for start in range(max(0, len(parts) - 4), len(parts)):
                _put(self._tails, "/".join(parts[start:]), document_id)
        for name in dict.fromkeys((_stem(folded(document_id)), _stem(path))):
            if (found := _SERIES.match(name)) and not name[found.end() :][:1].isalpha():
                kind = found[1] or ""
                self._kinds.add(kind)
                _put(self._series, (kind, int(found[2])), document_id)

    def _add_name(self, document_id: str, name: str) -> None:
        if name.startswith("/"):
            for address in _addresses(_bare(join("", name))):
                _put(self._addresses, address, document_id)
        else:
            _put(self._aliases, folded(tidy(name)), document_id)
            if called := _CALLED.fullmatch(name):
                self.words.setdefault(called[1])
                self._kinds.add(called[1].casefold())
                _put(self._series, (called[1].casefold(), int(called[2])), document_id)

    def __contains__(self, document_id: object) -> bool:
        """Whether there is a document with exactly this id."""
        return document_id in self._ids

    def by_id(self, name: str) -> str | None:
        """Exactly this id, or the only one that is equal but for case."""
        return name if name in self._ids else _only(self._folded.get(folded(name)))

    def by_path(self, path: str, folder: str) -> str | None:
        """The document at ``path`` seen from ``folder`` (or from the root), with or without its suffix.

        A folder means its ``index`` or ``readme``.
        """
        for whole in dict.fromkeys((join(folder, path), join("", path))):
            bare = _bare(whole)
            pages = (*(f"{bare}/{page}" if bare else page for page in _FOLDER_PAGES), *_made_of_a_readme(whole))
            for candidate in (bare, *pages):
                if found := self._of_kind(self._paths.get(candidate, ()), whole):
                    return found
        return None if leaves_the_top(path, folder) else self._by_address(path, folder)

    def _of_kind(self, found: Sequence[str], path: str) -> str | None:
        """The only one of several under one name that ``path`` may mean by its suffix.

        A page may be written with another suffix than its file has (``a.html`` of ``a.md``); a file that is no page
        has its own: ``paper.pdf`` is not ``paper.odt``.
        """
        suffix = _suffix(path)
        if not suffix:
            return _only(found)
        known = {each: _suffix(self._sources.get(each, "")) for each in found}
        same = [each for each, its in known.items() if its == suffix]
        return _only(same or [each for each, its in known.items() if not its or _FILES.isdisjoint((suffix, its))])

    def _by_address(self, path: str, folder: str) -> str | None:
        """The only document whose site gives it this address, also below ``docs/``, where sites put their pages."""
        for whole in dict.fromkeys((join("", path), join(folder, path))):
            bare = _bare(whole)
            if found := _only(self._addresses.get(bare)) or _only(self._addresses.get(bare.removeprefix("docs/"))):
                return found
        return None

    def by_tail(self, path: str) -> str | None:
        """The only document whose path ends like ``path`` (whole parts, whatever the case and the suffix)."""
        return self._of_kind(self._tails.get(_tail(path), ()), path)

    def nearest(self, path: str, folder: str) -> tuple[str, ...]:
        """Of the documents whose path ends like ``path`` the one that ``folder`` means by it, then those as near to it.

        In the folder itself, else the fewest steps away, else the shortest path; then by id. Empty where none fits.
        """
        found = self._tails.get(_tail(path), ())
        ranked = sorted((*_distance(folder, self._place_of(each)), each) for each in set(found))
        return tuple(each for steps, n_parts, _, each in ranked if (steps, n_parts) == ranked[0][:2])

    def _place_of(self, document_id: str) -> str:
        return _bare(self._sources.get(document_id, "")) or folded(document_id)

    def missing(self, path: str, folder: str) -> str:
        """The id that the document at ``path`` would have if it existed; its whole path where another has that id."""
        bare = dangling_path(path, folder)
        return join(folder, path) if bare in self._ids else bare

    def by_title(self, title: str) -> str | None:
        """The only document of this title, else the only one with this alias, whatever the case."""
        name = folded(tidy(title))
        return _only(self._titles.get(name)) or _only(self._aliases.get(name))

    def by_number(self, kind: str, number: int, *, near: str = "") -> str | None:
        """The document of a numbered series (``pep`` 8 → ``pep-0008``); of several the one in the folder ``near``."""
        found = self._series.get((kind.casefold(), number))
        if found and len(found) > 1:
            found = [candidate for candidate in found if posixpath.dirname(candidate) == near]
        return _only(found)

    def has_series(self, kind: str) -> bool:
        """Whether any document belongs to the numbered series ``kind``."""
        return kind.casefold() in self._kinds

    def resolve(self, name: str, document: Document) -> str | None:
        """The document meant by an id, a path, a file name, a number or a title, tried in this order."""
        name = name.strip()
        if not any(character.isalnum() for character in name):
            return None  # "." would be a path: the folder's index
        folder = folder_of(document)
        return (
            self.by_id(name)
            or self.by_path(name, folder)
            or self.by_tail(name)
            or self.by_title(name)
            or self._numbered(name, document)
        )

    def _numbered(self, name: str, document: Document) -> str | None:
        found = _SERIES.fullmatch(name.casefold().replace("#", ""))
        if found is None:
            return None
        near = posixpath.dirname(document.document_id)
        number = int(found[2])
        for kind in dict.fromkeys((found[1] or series_of(document.document_id), series_of(document.document_id))):
            if answer := self.by_number(kind, number, near=near):
                return answer
        return None


def _made_of_a_readme(path: str) -> Iterator[str]:
    """The ``readme`` that an address ``folder/index.html`` may be made of, as mdBook and the forges' sites make it."""
    folder, _, name = folded(path).rpartition("/")
    if name in ("index.html", "index.htm"):
        yield f"{folder}/readme".lstrip("/")


def index_of(titles: Titles) -> Targets:
    """The index over ``titles``, made once per object."""
    index = _INDEXES.get(titles)
    if index is None:
        index = _INDEXES[titles] = Targets(titles)
    return index


def series_of(document_id: str) -> str:
    """The series that a numbered document belongs to: ``pep-0387`` → ``pep``, ``0004-dns`` → ""."""
    found = _SERIES.match(_stem(document_id.casefold()))
    return (found[1] or "") if found else ""


def numbered_id(document_id: str, kind: str, number: int) -> str:
    """The id that ``number`` would have if it stood beside ``document_id`` in the same series: for dangling edges."""
    folder, name = posixpath.split(document_id)
    own = re.fullmatch(r"(\D*)(\d+)", name)
    if own and series_of(document_id) == kind.casefold():
        name = f"{own[1]}{number:0{len(own[2])}d}"
        return f"{folder}/{name}" if folder else name
    return f"{kind.casefold()}-{number:04d}" if kind else str(number)


def folder_of(document: Document) -> str:
    """The folder that relative links of ``document`` start from."""
    return posixpath.dirname(document.source.replace("\\", "/") or document.document_id)


def join(folder: str, path: str) -> str:
    """``path`` seen from ``folder``, normalised, without leading ``/``; steps above the root stay at the root."""
    path = unquote(path).replace("\\", "/").strip()
    whole = posixpath.normpath("/" + (path if path.startswith("/") else f"{folder}/{path}"))
    return whole.lstrip("/")


def leaves_the_top(path: str, folder: str) -> bool:
    """Whether a path leads out of what was imported, by more steps up than there are folders."""
    clean = unquote(path).replace("\\", "/").strip()
    return not clean.startswith("/") and posixpath.normpath(posixpath.join(folder, clean)).startswith("..")


def dangling_path(path: str, folder: str) -> str:
    """The id that the document at ``path`` would have if it existed."""
    whole = join(folder, path)
    return str(PurePosixPath(whole).with_suffix("")) if _has_suffix(whole) else whole


def _bare(path: str) -> str:
    name = folded(path.replace("\\", "/").strip("/"))
    return name.rsplit(".", 1)[0] if _has_suffix(name) else name


def _suffix(path: str) -> str:
    """The suffix of a format that is read, in lower case; empty where the path has none."""
    return f".{path.casefold().rsplit('.', 1)[1]}" if _has_suffix(path) else ""


def _has_suffix(path: str) -> bool:
    return path.casefold().endswith(_SUFFIXES) and not path.endswith("/")


def _tail(path: str) -> str:
    return _bare(join("", path)).lstrip("/")


def _distance(folder: str, place: str) -> tuple[int, int, int]:
    """(steps between two folders, parts of the path, its length), by which names are told apart."""
    here = [part for part in folded(folder).split("/") if part]
    there = place.split("/")[:-1]
    shared = next((n for n, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), None)
    n_shared = min(len(here), len(there)) if shared is None else shared
    return len(here) + len(there) - 2 * n_shared, len(there) + 1, len(place)


def _addresses(address: str) -> Iterator[str]:
    """An address, and what it is on a site whose pages lie in ``content``, in a folder for each language or not."""
    yield address
    found = _CONTENT.match(address)
    if found:
        yield from dict.fromkeys((address[len("content/") :], address[found.end() :]))


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _put(table: dict[_Key, list[str]], key: _Key, document_id: str) -> None:
    entries = table.setdefault(key, [])
    if document_id not in entries[-1:]:
        entries.append(document_id)


def _only(found: Iterable[str] | None) -> str | None:
    distinct = set(found or ())
    return distinct.pop() if len(distinct) == 1 else None
