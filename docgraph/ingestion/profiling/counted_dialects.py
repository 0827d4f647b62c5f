"""Dialects of a folder that is looked at: recognised by its texts, and their links counted as an import finds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from docgraph.boundary.imports.markup.projects import projects_in
from docgraph.domain.graph import Document
from docgraph.domain.imports.dialect import Written
from docgraph.ingestion.linking import Linker, titles_of
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.profiling.dialects import Pages, marked_by, pages_of, written_in
from docgraph.ingestion.scanning import Scan, Source
from docgraph.ports import Dialect, Loader, RelationExtractor

MAX_PAGES = 3_000
"""Pages whose links are counted; a larger folder is told with its pages alone."""
MAX_LOOKED = 20_000
MAX_LOOKED_BYTES = 400_000
_EVERY = 16
Tell = Callable[[int, int, str], bool]


def dialects_in(
    scan: Scan,
    loaders: Sequence[Loader],
    extractors: Sequence[RelationExtractor],
    dialects: Sequence[Dialect],
    *,
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
    return _counted(scan, loaders, extractors, dialects, tell)


def _counted(
    scan: Scan,
    loaders: Sequence[Loader],
    extractors: Sequence[RelationExtractor],
    dialects: Sequence[Dialect],
    tell: Tell,
) -> tuple[Written, ...]:
    """Every text read and linked as an import does; nothing is embedded."""
    by_suffix = {suffix: loader for loader in reversed(loaders) for suffix in loader.suffixes}
    suffixes = {suffix for each in dialects for suffix in each.suffixes}
    documents: list[Document] = []
    for source in scan.sources:
        if suffix_of(source.name) in suffixes and suffix_of(source.name) in by_suffix:
            documents += _loaded(source, by_suffix[suffix_of(source.name)])
    pages = Pages(dialects)
    pages.lies_among(source.name for source in scan.sources)
    projects = projects_in((source.name, source.read) for source in scan.sources)
    titles = titles_of((), documents, projects=projects)
    linker = Linker([each for each in extractors if each.default_on], titles, told=pages.note)
    for done, document in enumerate(documents):
        if done % _EVERY == 0 and tell(done, len(documents), document.source):
            return ()
        try:
            linker.link(document, (), extract=True)
        except ValueError:
            continue  # the import says why
    return pages.written(document.document_id for document in documents)


def _loaded(source: Source, loader: Loader) -> list[Document]:
    try:
        return [item for item in loader.load(source.read(), source=source.name) if isinstance(item, Document)]
    except (OSError, ValueError, RecursionError):
        return []  # the import says why


def _text(source: Source) -> str:
    try:
        return source.read()[:MAX_LOOKED_BYTES].decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
