"""Previews an import: reads a path or uploads before anything is stored, and proposes a profile with counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from docgraph.boundary.imports.excluding import Rules, given_rules
from docgraph.boundary.imports.markup.references import projects_in
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.look import Look, Proposal
from docgraph.domain.imports.profile import ImportProfile
from docgraph.ingestion.archive_rules import is_archive
from docgraph.ingestion.archives import scan_archive, scan_uploads
from docgraph.ingestion.groups import resting
from docgraph.ingestion.linking import Linker, titles_of
from docgraph.ingestion.names import shown, suffix_of
from docgraph.ingestion.profiling import conventions
from docgraph.ingestion.profiling.causes import unread_by_cause
from docgraph.ingestion.profiling.contents import Contents, contents_of
from docgraph.ingestion.profiling.counting import Counting
from docgraph.ingestion.profiling.dialects import Pages, dialects_in
from docgraph.ingestion.profiling.headers import TEXTS, Gathered, read_head
from docgraph.ingestion.profiling.paths import PathIndex
from docgraph.ingestion.profiling.proposals import proposed
from docgraph.ingestion.profiling.sidecars import MAX_SIDECARS, described, is_worth_it, likely, read_fields
from docgraph.ingestion.scanning import RECORD_SUFFIXES, OnProgress, Scan, Source, scan_path, unreported
from docgraph.ports import Dialect, Loader, Progress, RelationExtractor

MAX_LOOKED = 20_000
MAX_LOOKED_BYTES = 500_000_000
Opening = Callable[[Collection[str]], Contents]
"""Of files that a loader may read, what is found in those of which a name does not say it."""


def analyse(
    scan: Scan,
    name: str,
    *,
    suffixes: Collection[str],
    related: Collection[str],
    extractors: Sequence[RelationExtractor] = (),
    opening: Opening = lambda names: Contents(),
    report: OnProgress,
) -> Look:
    """The preview of a scan. ``suffixes`` are those that a loader reads, ``related`` fields that name documents.

    By ``extractors`` it counts what each proposal adds; ``opening`` tells of files that hold many documents, or none.

    At most 20,000 texts are read, each up to 400 kB. Nothing in a file raises; what cannot be read is listed.
    """
    started = time.perf_counter()
    names = [source.name for source in scan.sources]
    readable = [n for n in names if suffix_of(n) in suffixes and suffix_of(n) not in RECORD_SUFFIXES]
    known = opening(readable)
    refused = known.refused
    documents = described([each for each in readable if each not in refused])
    records = "docs.jsonl" in names
    gathered = Gathered() if records else _gather(scan.sources, documents, related, report)
    report(0, 0, "what names and addresses have in common")
    places = PathIndex(documents, names)
    profile = ImportProfile()
    proposals: list[Proposal] = []
    gathered.name = name
    if not records and not gathered.stopped:
        profile, proposals = proposed(gathered, documents, places, related)
    counted = None
    if proposals and extractors:
        on = [each.id for each in proposals]
        counted = Counting(gathered, documents, places, profile, on, extractors).counts(report)
        proposals = [
            each.model_copy(update={"adds": counted.by_proposal.get(each.id)}) for each in proposals if counted
        ]
        profile = profile if counted else ImportProfile()
    sidecars = {each.sidecar for pairs in gathered.sidecars.values() for each in pairs}
    return Look(
        name=shown(name),
        n_files=len(names) + len(scan.refused) + scan.beyond.total(),
        n_documents=sum(known.counted.get(each, 1) for each in {*readable} - {*refused, *sidecars}),
        n_looked=len(gathered.heads),
        n_bytes=gathered.n_bytes,
        seconds=round(time.perf_counter() - started, 3),
        n_added=None if counted is None else counted.added,
        profile=profile,
        proposals=tuple(proposals),
        unread=() if records else unread_by_cause(_unread(scan, readable, refused, sidecars, gathered), documents),
        languages=conventions.languages(documents),
    )


def _gather(
    sources: Sequence[Source], documents: Sequence[str], related: Collection[str], report: OnProgress
) -> Gathered:
    gathered = Gathered()
    projects = projects_in((source.name, source.read) for source in sources)
    gathered.elsewhere = tuple(address for project in projects for address in project.addresses)
    by_name = {source.name: source for source in sources}
    texts = [name for name in documents if suffix_of(name) in TEXTS][:MAX_LOOKED]
    patterns = likely([source.name for source in sources], documents)
    total = len(texts) + sum(len(pairs) for _, pairs in patterns)
    for done, name in enumerate(texts):
        if report(done, total, name):
            gathered.stopped = True
            return gathered
        if gathered.n_bytes > MAX_LOOKED_BYTES:
            break
        try:
            data = by_name[name].read()
        except (OSError, ValueError):
            continue  # the import says why
        gathered.n_bytes += len(data)
        gathered.heads[name] = head = read_head(name, data)
        if head.fault:
            fault = f"the header {head.fault[3:]}" if head.fault.startswith("it ") else head.fault
            gathered.faults.append((name, fault))
    done = len(texts)
    for pattern, pairs in patterns:
        read: dict[str, dict[str, Any]] = {}
        faults = []
        for each in pairs[:MAX_SIDECARS]:
            if report(done, total, each.sidecar):
                gathered.stopped = True
                return gathered
            done += 1
            try:
                read[each.document], _ = read_fields(each.sidecar, by_name[each.sidecar].read)
            except (OSError, ValueError) as error:
                faults.append((each.sidecar, f"the sidecar {str(error).removeprefix('it ')}"))
        if is_worth_it(list(read.values()), related):
            gathered.sidecars[pattern] = pairs
            gathered.faults += faults
            gathered.fields.update({name: {**fields, **gathered.fields.get(name, {})} for name, fields in read.items()})
    return gathered


def _unread(
    scan: Scan, readable: Sequence[str], refused: Mapping[str, str], sidecars: Collection[str], gathered: Gathered
) -> Iterable[tuple[str, str]]:
    yield from scan.refusals
    yield from ((name, cause) for name, cause in refused.items() if name not in sidecars)
    there = {*readable, *sidecars}
    for source in scan.sources:
        suffix = suffix_of(source.name)
        if source.name not in there and suffix not in RECORD_SUFFIXES:
            yield source.name, f"no loader reads {suffix or 'files without a suffix'}"
    yield from gathered.faults


_TOLD_EVERY = 16
UPLOAD = "upload"


def preview_source(
    source: str | PathLike[str] | Iterable[tuple[str, bytes]],
    loaders: Sequence[Loader],
    extractors: Sequence[RelationExtractor],
    progress: Progress | None,
    *,
    dialects: Sequence[Dialect] = (),
    exclude: Sequence[str] = (),
    gitignore: bool = True,
) -> Look:
    """Preview a path, or files given as (relative name, bytes). Raises IngestionError for a path that is none."""
    rules = given_rules(exclude)
    if isinstance(source, str | PathLike):
        root = Path(source)
        reporting(progress)(0, 0, "finding files")
        scan = scan_root(root, report=reporting(progress), exclude=rules, gitignore=gitignore)
        return preview_scan(scan, root.resolve().name, loaders, extractors, progress, dialects=dialects)
    scan = scan_uploads(source, report=reporting(progress)).without(rules)
    return preview_scan(scan, UPLOAD, loaders, extractors, progress, dialects=dialects)


def reporting(progress: Progress | None) -> OnProgress:
    """The progress of finding files, before the first is read."""
    if progress is None:
        return unreported

    def report(done: int, total: int, what: str) -> bool:
        progress.update(done, total, what)
        return progress.cancelled()

    return report


def preview_scan(
    scan: Scan,
    name: str,
    loaders: Sequence[Loader],
    extractors: Sequence[RelationExtractor],
    progress: Progress | None,
    *,
    dialects: Sequence[Dialect] = (),
) -> Look:
    """Preview what a scan found, and propose a profile."""

    def report(done: int, total: int, file: str) -> bool:
        if progress is None:
            return False
        if done % _TOLD_EVERY == 0:
            progress.update(done, total, f"analysing {file}")
        return progress.cancelled()

    suffixes = {suffix for loader in loaders for suffix in loader.suffixes}
    related = related_fields(extractors)
    with resting(loaders):
        found = analyse(
            scan,
            name,
            suffixes=suffixes,
            related=related,
            extractors=extractors,
            opening=lambda names: contents_of(scan, loaders, frozenset(names)),
            report=report,
        )
    on = [each for each in extractors if each.default_on]

    def linking(documents: Sequence[Document], pages: Pages) -> Callable[[Document, Sequence[Relationship]], object]:
        projects = projects_in((source.name, source.read) for source in scan.sources)
        linker = Linker(on, titles_of((), documents, projects=projects), pages=pages)
        return lambda document, stated: linker.link(document, stated, extract=True)

    written, n_links = dialects_in(scan, loaders, dialects, linking=linking, report=report)
    return found.model_copy(update={"dialects": written, "n_links": n_links})


def scan_root(
    root: Path, *, report: OnProgress = unreported, exclude: Sequence[Rules] = (), gitignore: bool = True
) -> Scan:
    """The files of a folder or archive, or the one file. Raises IngestionError when it cannot be read."""
    if is_archive(root.name) and not root.is_dir():
        return scan_archive(root, report=report).without(exclude)
    return scan_path(root, exclude=exclude, gitignore=gitignore)


def related_fields(extractors: Iterable[RelationExtractor]) -> frozenset[str]:
    """Fields of metadata that name documents, in lower case with ``_``."""
    return frozenset(field for extractor in extractors for field in getattr(extractor, "fields", ()))
