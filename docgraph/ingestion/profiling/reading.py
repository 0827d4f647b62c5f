"""Reads names of documents as a profile says, and counts what became of each."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from docgraph.domain.graph import Document
from docgraph.domain.imports import numbering
from docgraph.domain.imports.fields import MARKDOWN
from docgraph.domain.imports.profile import ImportProfile, Series
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.profiling.addresses import after_base, is_web, numbered_address
from docgraph.ingestion.profiling.conventions import is_placeholder
from docgraph.ingestion.profiling.paths import PAGES, PathIndex, above, bare, normal, without_suffix
from docgraph.ports import NamedTarget

STORED, SELF, EMPTY, WEB = "stored", "itself", "empty", "web page"
OUTSIDE, FILE, BOILERPLATE, MISSING = "outside the folder", "no document", "boilerplate", "not found"
NO_PAGE = "no such page"
BASE, ROOT, NUMBER = "base", "root", "number"
MAX_MISSING = 200
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:(?!\d)")
_NAMED = re.compile(r"([A-Za-z]{2,12})[-_ ]{0,3}#?0*(\d{1,6})")
_TEXTS = ("", *MARKDOWN, ".rst", ".rest", ".txt", ".html", ".htm", ".adoc", ".org", ".pdf")


class ProfileReading:
    """Names of documents, read by one profile for one import; ``counts`` is (declared or links, what became) → n.

    ``sources`` is document id → path; ``numbered`` are the documents with what their numbers are read from, ``files``
    whatever else lies in the folder; ``sidecars`` is the path of a sidecar → the path of its document. ``places`` =
    where they all lie, if that is known.
    """

    def __init__(
        self,
        profile: ImportProfile,
        sources: Mapping[str, str],
        numbered: Sequence[numbering.Numbered],
        files: Iterable[str],
        sidecars: Mapping[str, str] | None = None,
        *,
        places: PathIndex | None = None,
    ) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.ways: Counter[str] = Counter()
        self.missing: list[tuple[str, str]] = []
        self._profile = profile
        self._ids = {source: document_id for document_id, source in sources.items()}
        self._places = PathIndex(self._ids, files) if places is None else places
        self._page = profile.page if profile.one_per == "folder" else ""
        beside = (sidecars or {}).items()
        self._beside = {sidecar.casefold(): name for sidecar, name in beside if name in self._ids}
        self._empty = frozenset(word.casefold() for word in profile.empty)
        self._boilerplate = frozenset(path.casefold() for path in profile.boilerplate)
        self._series = [(each, _by_number(each, numbered)) for each in profile.numbers]
        self._stems = _stem_words(numbered)
        self._addresses = {
            address: by_number for series, by_number in self._series for address in map(_canonical, series.addresses)
        }

    @property
    def words(self) -> Sequence[str]:
        """The words of the profile's series."""
        return tuple(series.word for series, _ in self._series if series.word)

    @property
    def citations(self) -> bool:
        """Whether ``[[1]](address)`` is a link."""
        return self._profile.citations

    def numbered(self, word: str, number: int) -> str | None:
        """The only document of a series with this number."""
        for series, by_number in self._series:
            if series.word.casefold() == word.casefold():
                return by_number.get(number)
        return None

    def target(self, name: str, document: Document, find: Callable[[str], str | None], *, field: str) -> NamedTarget:
        """What a name means; counted once a call."""
        kind = "declared" if field else "links"
        text = name.strip()
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1].strip()
        if field and is_placeholder(text, self._empty):
            return self._told(kind, EMPTY, NamedTarget(text, names_none=True))
        if is_web(text):
            return self._web(kind, text, document)
        if _SCHEME.match(text) or text.startswith("//"):
            return NamedTarget(text, names_none=True)
        return self._path(kind, text, document, find)

    def _web(self, kind: str, text: str, document: Document) -> NamedTarget:
        for base in self._profile.base:
            rest = after_base(text, base)
            if rest is None:
                continue
            path = normal("", rest)
            if path is None:
                break
            if found := self._at(path):
                return self._there(kind, self._ids[found], document, BASE, f"/{path}")
            if found_id := self._by_slug(path):
                return self._there(kind, found_id, document, NUMBER, f"/{path}")
            if self._places.holds(path):
                return self._told(kind, FILE, NamedTarget(text, names_none=True))
            return self._not_found(kind, f"/{path}", document)
        known = numbered_address(text)
        if known and (found_id := self._addresses.get(known[0], {}).get(known[1])):
            return self._there(kind, found_id, document, NUMBER, text)
        is_outside = any(after_base(text, base) is not None for base in self._profile.outside)
        return self._told(kind, OUTSIDE if is_outside else WEB, NamedTarget(text, names_none=True))

    def _path(self, kind: str, text: str, document: Document, find: Callable[[str], str | None]) -> NamedTarget:
        path = bare(text) if kind == "links" else text.partition("#")[0].strip()
        if not path:
            return NamedTarget(text, names_none=True)
        folder = posixpath.dirname(document.source)
        inside = normal(folder, path)
        if path.startswith("..") and inside is None:
            outer = above(folder, path) or path
            if name := self._from_above(outer):
                return self._there(kind, self._ids[name], document, ROOT, f"/{name}")
            cause = BOILERPLATE if outer.casefold() in self._boilerplate else OUTSIDE
            return self._told(kind, cause, NamedTarget(text, names_none=True))
        if found := find(path):
            return self._there(kind, found, document, "", f"/{inside or ''}")
        for root in self._profile.root:
            rest = None if root.startswith("..") else _after_root(path, root)
            clean = normal("", rest) if rest is not None else None
            if clean is not None and (name := self._at(clean)):
                return self._there(kind, self._ids[name], document, ROOT, f"/{clean}")
        if inside and (name := self._at(inside)):
            return self._there(kind, self._ids[name], document, "", f"/{inside}")
        is_text = suffix_of(path) in _TEXTS or kind == "declared"
        if is_text and (found_id := self._by_slug(path) or (kind == "declared" and self._by_name(path))):
            return self._there(kind, found_id, document, NUMBER, f"/{inside or ''}")
        if inside and self._places.holds(inside):
            return self._told(kind, FILE, NamedTarget(text, names_none=True))
        if not is_text:
            return self._told(kind, FILE, NamedTarget(text, names_none=True))
        return self._not_found(kind, text, document)

    def _at(self, path: str) -> str | None:
        """The document at a normalised path: its file, its folder by the profile's page, or its sidecar."""
        if found := self._places.document(path):
            return found
        page = self._places.document(f"{path}/{self._page}") if self._page else None
        return page or self._beside.get(path.casefold())

    def _from_above(self, outer: str) -> str | None:
        """The document that a path leads to which leaves the folder and comes back by the folder's own name."""
        for root in self._profile.root:
            if root.startswith("../") and outer.startswith(root) and (found := self._at(outer[len(root) :])):
                return found
        return None

    def _by_slug(self, path: str) -> str | None:
        """The document whose number a path's last part has: a renamed slug."""
        parts = [part for part in without_suffix(path).split("/") if part]
        if len(parts) > 1 and parts[-1].casefold() in PAGES:
            parts.pop()
        found = numbering.number_in(parts[-1]) if parts else None
        if found is None or (len(parts) < 2 and parts[-1].isdigit()):
            return None
        for series, by_number in self._series:
            if found[0] in self._stems and found[0] in ("", series.word.casefold()):
                return by_number.get(found[1])
        return None

    def _by_name(self, name: str) -> str | None:
        """The document that ``KEP-1967``, ``KEP 0015`` or ``1967`` names."""
        found = _NAMED.fullmatch(name)
        if found:
            return self.numbered(found[1], int(found[2]))
        if name.isascii() and name.isdigit() and len(name) < 7 and self._series:
            return self._series[0][1].get(int(name))
        return None

    def _there(self, kind: str, document_id: str, document: Document, way: str, path: str) -> NamedTarget:
        place = self._places.document(path.strip("/"))
        if self._boilerplate and {path.casefold(), f"/{place}".casefold()} & self._boilerplate:
            return self._told(kind, BOILERPLATE, NamedTarget(path, names_none=True))
        if way and document_id != document.document_id:
            self.ways[way] += 1
        told = SELF if document_id == document.document_id else STORED
        return self._told(kind, told, NamedTarget(path, document_id))

    def _not_found(self, kind: str, name: str, document: Document) -> NamedTarget:
        if len(self.missing) < MAX_MISSING:
            self.missing.append((document.source or document.document_id, name))
        if kind == "links" and not suffix_of(bare(name)):  # as without a profile: on a site it may be any page
            return self._told(kind, NO_PAGE, NamedTarget(name, names_none=True))
        return self._told(kind, MISSING, NamedTarget(name))

    def _told(self, kind: str, cause: str, target: NamedTarget) -> NamedTarget:
        self.counts[kind, cause] += 1
        return target


def _by_number(series: Series, numbered: Sequence[numbering.Numbered]) -> dict[int, str]:
    """Number → the only document of it."""
    found: dict[int, set[str]] = {}
    for document_id, number in numbering.numbers_of(series, numbered).items():
        found.setdefault(number, set()).add(document_id)
    return {number: ids.pop() for number, ids in found.items() if len(ids) == 1}


def _stem_words(numbered: Iterable[numbering.Numbered]) -> frozenset[str]:
    """Words that numbers have in the names of documents (empty for a name that starts with its number)."""
    return frozenset(found[0] for each in numbered if (found := numbering.number_in(each.stem)))


def _canonical(address: str) -> str:
    """An address of a series as it is compared: scheme, host and number as ``numbered_address`` writes them."""
    found = numbered_address(address.replace("{n}", "1"))
    return found[0] if found else address


def _after_root(path: str, root: str) -> str | None:
    """What of a path stands behind a root prefix, whether or not it starts with ``/``."""
    whole, start = f"/{path.lstrip('/')}", f"/{root.strip('/')}/"
    return whole[len(start) :] if whole.casefold().startswith(start.casefold()) else None
