"""The look of an import: a path or uploaded files, before anything is stored; no store takes part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path

from docgraph.boundary.imports.excluding import Rules, given_rules
from docgraph.boundary.imports.markup.references import projects_in
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.look import Look
from docgraph.ingestion.archive_rules import Tell, goes_on, is_archive
from docgraph.ingestion.archives import scan_archive, scan_uploads
from docgraph.ingestion.groups import resting
from docgraph.ingestion.linking import Linker, titles_of
from docgraph.ingestion.profiling.counted_dialects import dialects_in
from docgraph.ingestion.profiling.dialects import Pages
from docgraph.ingestion.profiling.look import look
from docgraph.ingestion.profiling.opened import opened
from docgraph.ingestion.scanning import Scan, scan_path
from docgraph.ports import Dialect, Loader, Progress, RelationExtractor

_TOLD_EVERY = 16
UPLOAD = "upload"


def look_at_source(
    source: str | PathLike[str] | Iterable[tuple[str, bytes]],
    loaders: Sequence[Loader],
    extractors: Sequence[RelationExtractor],
    progress: Progress | None,
    *,
    dialects: Sequence[Dialect] = (),
    exclude: Sequence[str] = (),
    gitignore: bool = True,
) -> Look:
    """Look at a path, or at files given as (relative name, bytes). Raises IngestionError for a path that is none."""
    rules = given_rules(exclude)
    if isinstance(source, str | PathLike):
        root = Path(source)
        telling(progress)(0, 0, "finding files")
        scan = scan_root(root, tell=telling(progress), exclude=rules, gitignore=gitignore)
        return look_at(scan, root.resolve().name, loaders, extractors, progress, dialects=dialects)
    scan = scan_uploads(source, tell=telling(progress)).without(rules)
    return look_at(scan, UPLOAD, loaders, extractors, progress, dialects=dialects)


def telling(progress: Progress | None) -> Tell:
    """What is told while files are found, before the first is read."""
    if progress is None:
        return goes_on

    def tell(done: int, total: int, what: str) -> bool:
        progress.update(done, total, what)
        return progress.cancelled()

    return tell


def look_at(
    scan: Scan,
    name: str,
    loaders: Sequence[Loader],
    extractors: Sequence[RelationExtractor],
    told: Progress | None,
    *,
    dialects: Sequence[Dialect] = (),
) -> Look:
    """Look at what a scan found, and propose a profile."""

    def tell(done: int, total: int, file: str) -> bool:
        if told is None:
            return False
        if done % _TOLD_EVERY == 0:
            told.update(done, total, f"looking at {file}")
        return told.cancelled()

    suffixes = {suffix for loader in loaders for suffix in loader.suffixes}
    related = related_fields(extractors)
    with resting(loaders):
        found = look(
            scan,
            name,
            suffixes=suffixes,
            related=related,
            extractors=extractors,
            opening=lambda names: opened(scan, loaders, frozenset(names)),
            tell=tell,
        )
    on = [each for each in extractors if each.default_on]

    def linking(documents: Sequence[Document], pages: Pages) -> Callable[[Document, Sequence[Relationship]], object]:
        projects = projects_in((source.name, source.read) for source in scan.sources)
        linker = Linker(on, titles_of((), documents, projects=projects), pages=pages)
        return lambda document, stated: linker.link(document, stated, extract=True)

    written = dialects_in(scan, loaders, dialects, linking=linking, tell=tell)
    return found.model_copy(update={"dialects": written})


def scan_root(root: Path, *, tell: Tell = goes_on, exclude: Sequence[Rules] = (), gitignore: bool = True) -> Scan:
    """The files of a folder or archive, or the one file. Raises IngestionError when it cannot be read."""
    if is_archive(root.name) and not root.is_dir():
        return scan_archive(root, tell=tell).without(exclude)
    return scan_path(root, exclude=exclude, gitignore=gitignore)


def related_fields(extractors: Iterable[RelationExtractor]) -> frozenset[str]:
    """Fields of metadata that name documents, in lower case with ``_``."""
    return frozenset(field for extractor in extractors for field in getattr(extractor, "fields", ()))
