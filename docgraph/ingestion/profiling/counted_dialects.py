"""Dialects of a folder that is looked at: recognised by its texts, and their links counted as an import finds them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.profile import Written
from docgraph.ingestion.groups import by_suffix
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.profiling.dialects import Pages, marked_by, pages_of, written_in
from docgraph.ingestion.scanning import Scan, Source
from docgraph.ports import Dialect, Loader

MAX_PAGES = 3_000
"""Pages whose links are counted; a larger folder is told with its pages alone."""
MAX_LOOKED = 20_000
MAX_LOOKED_BYTES = 400_000
_EVERY = 16
Tell = Callable[[int, int, str], bool]
Linking = Callable[[Sequence[Document], Pages], Callable[[Document, Sequence[Relationship]], object]]
"""Of all documents, and of what hears of their relationships, what links one of them, with the relationships that its
file states. It raises ValueError."""


def dialects_in(
    scan: Scan,
    loaders: Sequence[Loader],
    dialects: Sequence[Dialect],
    *,
    linking: Linking,
    tell: Tell,
) -> tuple[Written, ...]:
    """The dialects that a folder is written in, most pages first; none once ``tell`` has stopped the look."""
    suffixes = {suffix for each in dialects for suffix in each.suffixes}
    texts = [source for source in scan.sources if suffix_of(source.name) in suffixes]
    marked: dict[str, frozenset[str]] = {}
    for done, source in enumerate(islice(texts, MAX_LOOKED)):
        if done % _EVERY == 0 and tell(done, len(texts), source.name):
            return ()
        marked[source.name] = marked_by(_text(source), source.name, dialects)
    names = [source.name for source in scan.sources]
    found = {each.name: pages for each in dialects if (pages := pages_of(each, names, marked))}
    if not found:
        return ()
    if len(texts) > MAX_PAGES:
        told = [written_in(each, found[each.name], None) for each in dialects if each.name in found]
        return tuple(sorted(told, key=lambda each: (-each.n_pages, each.name)))
    return _counted(scan, loaders, dialects, linking, tell)


def _counted(
    scan: Scan,
    loaders: Sequence[Loader],
    dialects: Sequence[Dialect],
    linking: Linking,
    tell: Tell,
) -> tuple[Written, ...]:
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
        if done % _EVERY == 0 and tell(done, len(documents), document.source):
            return ()
        try:
            link(document, stated[document.document_id])
        except ValueError:
            continue  # the import says why
    return pages.written(document.document_id for document in documents)


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
