"""Recognises in which dialects a folder is written, and counts their pages and links."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.profile import Written
from docgraph.domain.imports.record import Reading
from docgraph.ingestion.groups import by_suffix
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.profiling.headers import without_code
from docgraph.ingestion.scanning import OnProgress, Scan, Source
from docgraph.ports import Dialect, Loader

MAX_PAGES = 3_000
"""Pages whose links are counted; of a larger folder only the pages are counted."""
MAX_LOOKED = 20_000
MAX_LOOKED_BYTES = 400_000
_EVERY = 16


def dialects_in(
    scan: Scan,
    loaders: Sequence[Loader],
    dialects: Sequence[Dialect],
    *,
    linking: Linking,
    report: OnProgress,
) -> tuple[tuple[Written, ...], int | None]:
    """The dialects that a folder is written in, most pages first, and the links between its documents.

    None of them once ``report`` has stopped the preview; the links are None where they were not counted.
    """
    suffixes = {suffix for each in dialects for suffix in each.suffixes}
    texts = [source for source in scan.sources if suffix_of(source.name) in suffixes]
    marked: dict[str, frozenset[str]] = {}
    for done, source in enumerate(islice(texts, MAX_LOOKED)):
        if done % _EVERY == 0 and report(done, len(texts), source.name):
            return (), None
        marked[source.name] = marked_by(_text(source), source.name, dialects)
    names = [source.name for source in scan.sources]
    found = {each.name: pages for each in dialects if (pages := pages_of(each, names, marked))}
    if not found:
        return (), None
    if len(texts) > MAX_PAGES:
        counted = [written_in(each, found[each.name], None) for each in dialects if each.name in found]
        return tuple(sorted(counted, key=lambda each: (-each.n_pages, each.name))), None
    return _counted(scan, loaders, dialects, linking, report)


def _counted(
    scan: Scan,
    loaders: Sequence[Loader],
    dialects: Sequence[Dialect],
    linking: Linking,
    report: OnProgress,
) -> tuple[tuple[Written, ...], int | None]:
    """Every text read and linked as an import does; nothing is embedded."""
    loader_of = by_suffix(loaders)
    suffixes = {suffix for each in dialects for suffix in each.suffixes}
    documents: list[Document] = []
    stated: dict[str, list[Relationship]] = defaultdict(list)
    for source in scan.sources:
        if suffix_of(source.name) in suffixes and suffix_of(source.name) in loader_of:
            for item in _loaded(source, loader_of[suffix_of(source.name)]):
                if isinstance(item, Document):
                    documents.append(item)
                else:
                    stated[item.from_document_id].append(item)
    pages = Pages(dialects)
    pages.lies_among(source.name for source in scan.sources)
    link = linking(documents, pages)
    for done, document in enumerate(documents):
        if done % _EVERY == 0 and report(done, len(documents), document.source):
            return (), None
        try:
            link(document, stated[document.document_id])
        except ValueError:
            continue  # the import says why
    there = [document.document_id for document in documents]
    return pages.written(there), pages.n_links(there)


def _loaded(source: Source, loader: Loader) -> list[Document | Relationship]:
    try:
        items = loader.load(source.read(), source=source.name)
        return [item for item in items if isinstance(item, Document | Relationship)]
    except (OSError, ValueError, RecursionError):
        return []  # the import says why


def _text(source: Source) -> str:
    try:
        return source.read()[:MAX_LOOKED_BYTES].decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


_SHARE = 0.03
"""Of the pages that a dialect may have, so many are written so, where no sign of it lies in the folder."""
_CODE_SPAN = re.compile(r"`[^`\n]{1,300}`")
LEFT = "unresolved template"
"""What became of a link that a site's templates make, where no dialect says of what."""
MAX_MISSING = 200
MAX_MARKED = 400_000
"""Characters of a page in which marks of dialects are looked for."""


def marked_by(text: str, source: str, dialects: Iterable[Dialect]) -> frozenset[str]:
    """The names of the dialects whose marks a page has."""
    suffix = suffix_of(source)
    wanted = [each for each in dialects if suffix in each.suffixes]
    if not wanted:
        return frozenset()
    plain = _CODE_SPAN.sub("", without_code(text[:MAX_MARKED], openings=True))
    return frozenset(each.name for each in wanted if each.marks(plain, source))


def pages_of(dialect: Dialect, names: Iterable[str], marked: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The pages that are written in a dialect: those around its signs, else those that have marks of it.

    ``names`` are all files of the folder, ``marked`` its pages with the dialects that each has marks of.
    """
    possible = [page for page in marked if suffix_of(page) in dialect.suffixes]
    around = {posixpath.dirname(name) for name in names if posixpath.basename(name) in dialect.signs}
    if around:
        return frozenset(page for page in possible if any(not top or page.startswith(f"{top}/") for top in around))
    written = [page for page in possible if dialect.name in marked[page]]
    return frozenset(written if len(written) >= _SHARE * len(possible) else ())


class Pages:
    """The pages of one import as they pass by, with what they lead to."""

    def __init__(self, dialects: Sequence[Dialect] = ()) -> None:
        self._dialects = tuple(dialects)
        self._signs: tuple[str, ...] = ()
        self._left: Counter[tuple[str, str]] = Counter()
        self._marked: dict[str, frozenset[str]] = {}
        self._targets: dict[tuple[str, str], set[str]] = {}

    def lies_among(self, names: Iterable[str]) -> None:
        """Remember which of all files of the folder are signs of a dialect."""
        signs = {sign for each in self._dialects for sign in each.signs}
        self._signs = tuple(name for name in names if posixpath.basename(name) in signs)

    def leave(self, source: str, written: str) -> None:
        """Remember a link that nothing but the tool of its site can follow."""
        self._left[source, written] += 1

    def added_to(self, reading: Reading | None) -> Reading | None:
        """What became of names, with the links that were left; None where there is nothing to report."""
        if not self._left:
            return reading
        known = reading or Reading()
        left = tuple(f"{source}: {written}"[:300] for source, written in self._left)
        links = {**known.links, LEFT: known.links.get(LEFT, 0) + self._left.total()}
        return known.model_copy(
            update={"links": dict(sorted(links.items())), "missing": (*known.missing, *left)[:MAX_MISSING]}
        )

    def note(self, document: Document, edges: Iterable[Relationship]) -> None:
        """Remember a page, and what it leads to."""
        if not self._dialects or not document.source:
            return
        self._marked[document.source] = marked_by(document.text, document.source, self._dialects)
        targets = self._targets.setdefault((document.source, document.document_id), set())
        targets.update(edge.to_document_id for edge in edges if edge.to_document_id != document.document_id)

    def written(self, known: Iterable[str]) -> tuple[Written, ...]:
        """The dialects of what passed by, most pages first; a link counts where it leads to a ``known`` document."""
        there = frozenset(known)
        found = []
        for dialect in self._dialects:
            if pages := pages_of(dialect, self._signs, self._marked):
                n_links = sum(len(led & there) for (page, _), led in self._targets.items() if page in pages)
                found.append(written_in(dialect, pages, n_links))
        return tuple(sorted(found, key=lambda each: (-each.n_pages, each.name)))

    def n_links(self, known: Iterable[str]) -> int:
        """Pairs of ``known`` documents of which one leads to the other, whatever they are written in, each once."""
        there = frozenset(known)
        return sum(len(led & there) for led in self._targets.values())


Linking = Callable[[Sequence[Document], Pages], Callable[[Document, Sequence[Relationship]], object]]
"""Of all documents, and of what hears of their relationships, what links one of them, with the relationships that its
file states. It raises ValueError."""


def written_in(dialect: Dialect, pages: Iterable[str], n_links: int | None) -> Written:
    """A dialect with its counts."""
    suffixes = Counter(suffix_of(page) for page in pages)
    only = next(iter(suffixes)) if len(suffixes) == 1 else ""
    suffix = "" if only in (".md", ".txt") else only
    return Written(name=dialect.name, title=dialect.title, n_pages=suffixes.total(), n_links=n_links, suffix=suffix)
