"""Collects what an import reads: documents from files or records, given relationships, and what was rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from docgraph.boundary.files.regular import reason_of
from docgraph.boundary.imports.markup.references import projects_in
from docgraph.boundary.imports.statuses import with_status
from docgraph.boundary.json_lines import check_readable
from docgraph.domain.graph import Document, Relationship, StoredDocument
from docgraph.domain.imports.numbering import SeriesWords
from docgraph.domain.naming import NUMBERED_AS
from docgraph.domain.report import Adjusted, Rejected
from docgraph.ingestion.cleaning import cleaned
from docgraph.ingestion.groups import Group, by_suffix, grouped, holds_many
from docgraph.ingestion.ledger import Ledger
from docgraph.ingestion.linking import cleaned_edge, titles_of
from docgraph.ingestion.names import shown, suffix_of
from docgraph.ingestion.preparing import check_given_vectors
from docgraph.ingestion.profiling.applying import Applied
from docgraph.ingestion.profiling.dialects import Pages
from docgraph.ingestion.records import read_relations
from docgraph.ingestion.scanning import RECORD_SUFFIXES, Scan, Source
from docgraph.ingestion.spool import Spool, Taken
from docgraph.ports import Loader, SphinxProject, Titles

_ASKED_EVERY = 1_000
DOCUMENTS, RELATIONS, QUESTIONS = "docs.jsonl", "relations.jsonl", "queries.jsonl"


@dataclass
class Staging:
    """Cleaned documents by id, each with its source's name; given edges by their start, each with its name.

    ``documents`` are those that are held, ``names`` all that were taken so far; ``n_to_come`` = how many more will
    come, as far as that is known; ``pages`` = how the folder is written.
    """

    ledger: Ledger
    dimension: int
    ingestion_id: str = ""
    doc_type: str = ""
    documents: Spool = field(default_factory=Spool)
    names: dict[str, str] = field(default_factory=dict)
    n_to_come: int = 0
    edges: dict[str, list[tuple[Relationship, str]]] = field(default_factory=dict)
    applied: Applied | None = None
    extract: bool = True
    complete: bool = True
    pages: Pages = field(default_factory=Pages)
    rejected_sources: set[str] = field(default_factory=set)
    projects: tuple[SphinxProject, ...] = ()
    series: SeriesWords | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found: no document, no relationship, and nothing that was refused."""
        return not (self.names or self.edges or self.ledger.n_in)

    def titles(self, stored: Sequence[StoredDocument]) -> Titles:
        """Everything that the texts may name: what was taken in, and what is ``stored``."""
        incoming = (document for document, _ in self.documents.values())
        if self.applied is None:
            return titles_of(stored, incoming, projects=self.projects)
        titles = titles_of(self.applied.noted(stored), self.applied.noted(incoming), projects=self.projects)
        return replace(titles, reading=self.applied.reading())

    def take_document(self, document: Document, name: str, *, is_place: bool = True) -> None:
        """Keep a document; a bad one, or a second one with the same id, is rejected.

        ``is_place`` = ``name`` says where the document stands; a number in a list does not.
        """
        named = {
            "source": document.source or (name if is_place else ""),
            "doc_type": document.doc_type or self.doc_type,
            "ingestion_id": document.ingestion_id or self.ingestion_id,
        }
        try:
            clean = with_status(cleaned(document.model_copy(update=named)))
            check_given_vectors(clean, self.dimension)
        except ValueError as error:
            self.refuse(name, str(error), document_id=document.document_id)
            return
        if (first := self.names.get(clean.document_id)) is not None:
            self.refuse(name, f"the document id {clean.document_id!r} was already used by {first}")
            return
        self.names[clean.document_id] = name
        if self.series is not None:
            self.series.note(clean.document_id, clean.source, title=clean.title, text=clean.text)
        self.documents[clean.document_id] = (clean, name)

    def call_by_number(self) -> None:
        """Say of documents whose files have numbers only what people call them: ADR-7."""
        for document_id, called in self.series.called() if self.series is not None else ():
            document, name = self.documents[document_id]
            if NUMBERED_AS not in document.metadata:
                metadata = {**document.metadata, NUMBERED_AS: called}
                self.documents[document_id] = document.model_copy(update={"metadata": metadata}), name

    def take_edge(self, edge: Relationship, name: str) -> None:
        """Keep a given relationship; the first of several with one key counts."""
        try:
            clean = cleaned_edge(edge)
        except ValueError as error:
            self.refuse(name, str(error))
            return
        self.edges.setdefault(clean.from_document_id, []).append((clean, name))

    def refuse(self, name: str, reason: str, *, document_id: str | None = None) -> None:
        """Account for a source that is not taken."""
        self.rejected_sources.add(name)
        self.ledger.rejected(shown(name), reason, None if document_id is None else shown(document_id))

    def adjust(self, name: str, reason: str) -> None:
        """Report a part of a source that is read otherwise than it is written."""
        self.ledger.adjusted(shown(name), reason)

    def parts(self, steps: Iterable[None] | None) -> Iterator[dict[str, Taken]]:
        """What was taken in, as much at a time as is in memory.

        What ``steps`` take in, one after the other, is let go of; None = all was taken in before.
        """
        if steps is None:
            self.n_to_come += len(self.documents)
            for part in self.documents.parts():
                self.n_to_come -= len(part)
                yield part
            return
        for _ in steps:
            step = dict(self.documents.items())
            self.documents.clear()
            yield step

    def beside(self) -> Staging:
        """An empty one that takes documents as this one does."""
        return replace(
            self, ledger=Ledger(), documents=Spool(), names={}, edges={}, rejected_sources=set(), series=None
        )

    def edges_of(self, document_id: str) -> list[Relationship]:
        """Given edges that start at a document, the first of each key."""
        found: dict[tuple[str, str, str], Relationship] = {}
        for edge, _ in self.edges.get(document_id, ()):
            found.setdefault(edge.key, edge)
        return list(found.values())


def take_files(
    scan: Scan, staging: Staging, loaders: Sequence[Loader], *, each: Callable[[int, int, str], bool]
) -> bool:
    """Load every source of a scan; True = finished.

    ``each(done, total, name)`` is called before a file, and after every 1,000 of its records; True stops.
    """
    staging.complete = scan.complete
    staging.pages.lies_among(source.name for source in scan.sources)
    staging.projects = tuple(projects_in((source.name, source.read) for source in scan.sources))
    for name, reason in scan.refusals:
        staging.refuse(name, reason)
    loader_of = by_suffix(loaders)
    given = scan.sources if staging.applied is None else staging.applied.sources(scan.sources, loader_of)
    sources, relations = _arranged(given)
    groups, sources = grouped(sources, loaders)
    staging.series = None if _is_pair(sources) else SeriesWords(staging.ingestion_id)
    for done, source in enumerate(sources):
        stopped = partial(each, done, len(sources), source.name)
        if stopped() or not _take_file(source, staging, loader_of, stopped, groups.get(source.name)):
            return False
    staging.call_by_number()
    if relations is not None:
        _take_relations(relations, staging)
        # Documents that come as records beside their relationships are linked by these alone.
        staging.extract = not _is_pair(sources)
    return True


def take_again(source: Source, staging: Staging, loaders: Sequence[Loader]) -> None:
    """Load one source more, as ``take_files`` loads each of its own."""
    loader_of = by_suffix(loaders)
    _take_file(source, staging, loader_of, lambda: False)


def take_records(
    documents: Iterable[Document], relationships: Iterable[Relationship], staging: Staging, *, at_once: int
) -> Iterator[None]:
    """Domain objects as they are, ``at_once`` documents between one step and the next: nothing is extracted from them.

    Relationships are read first and kept, because each is written with the document that it starts at.
    """
    staging.extract = False
    staging.n_to_come = len(documents) if isinstance(documents, Sized) else 0
    for number, edge in enumerate(relationships, start=1):
        staging.take_edge(edge, f"relationship {number}")
    given = enumerate(documents, start=1)
    while part := tuple(islice(given, at_once)):
        for number, document in part:
            staging.take_document(document, document.source or f"record {number}", is_place=False)
        staging.n_to_come = max(0, staging.n_to_come - len(part))
        del part, document
        yield


def _arranged(sources: Sequence[Source]) -> tuple[list[Source], Source | None]:
    """(document files, relations.jsonl): a docs.jsonl at the root stands for its folder; questions stay out."""
    at_root = {source.name: source for source in sources}
    relations = at_root.get(RELATIONS)
    if DOCUMENTS in at_root:
        return [at_root[DOCUMENTS]], relations
    companions = (RELATIONS, QUESTIONS)
    return [source for source in sources if source.name not in companions or len(sources) == 1], relations


def _is_pair(sources: Sequence[Source]) -> bool:
    return [source.name for source in sources] == [DOCUMENTS]


def _take_file(
    source: Source,
    staging: Staging,
    loader_of: dict[str, Loader],
    stopped: Callable[[], bool],
    group: Group | None = None,
) -> bool:
    """Whether it came to its end; ``group`` = what it is read with."""
    suffix = suffix_of(source.name)
    loader = loader_of.get(suffix)
    if loader is None:
        staging.refuse(source.name, f"no loader reads {suffix or 'files without a suffix'}")
        return True
    n_items, is_record_file, before = 0, suffix in RECORD_SUFFIXES, staging.ledger.n_rejected
    try:
        items = loader.load(source.read(), source=source.name) if group is None else group.load()
        for n_items, item in enumerate(items, start=1):
            check_readable(n_items - 1, staging.ledger.n_rejected - before)
            if n_items % _ASKED_EVERY == 0 and stopped():
                return False
            if isinstance(item, Rejected):
                staging.refuse(f"{source.name}, {item.place}", item.reason)
                # Where a file holds one document a part of it is missing, never a document.
                staging.complete = staging.complete and not (is_record_file or holds_many(loader))
            elif isinstance(item, Adjusted):
                staging.adjust(f"{source.name}, {item.place}", item.reason)
            elif isinstance(item, Relationship):
                staging.take_edge(item, source.name)
            else:
                label = f"{source.name}, record {n_items}" if is_record_file else source.name
                applied = None if is_record_file else staging.applied
                made = item if applied is None else applied.document(item, staging.refuse, staging.adjust)
                staging.take_document(made, f"{label}, {made.document_id}" if holds_many(loader) else label)
    except OSError as error:
        staging.refuse(source.name, f"the file cannot be read: {reason_of(error)}")
    except (ValueError, RecursionError) as error:
        staging.refuse(source.name, str(error))
        staging.complete = staging.complete and not is_record_file
        return True
    if n_items == 0 and source.name not in staging.rejected_sources:
        staging.refuse(source.name, "it contains no document")
    return True


def _take_relations(source: Source, staging: Staging) -> None:
    before = staging.ledger.n_rejected
    try:
        for n_items, item in enumerate(read_relations(source.read(), source=source.name)):
            check_readable(n_items, staging.ledger.n_rejected - before)
            if isinstance(item, Rejected):
                staging.refuse(f"{source.name}, {item.place}", item.reason)
            else:
                place, edge = item
                staging.take_edge(edge, f"{source.name}, {place}")
    except OSError as error:
        staging.refuse(source.name, f"the file cannot be read: {reason_of(error)}")
    except ValueError as error:
        staging.refuse(source.name, str(error))
