"""One run of an import: link, skip what is unchanged, write the rest in batches, embedded where it must be, prune."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from docgraph.domain.graph import Document, PreparedDocument, Relationship, StoredChunk, StoredDocument
from docgraph.domain.report import IngestReport
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbeddingMismatchError, IngestionError
from docgraph.ingestion.cutting.chunking import ChunkingOptions, chunk_document
from docgraph.ingestion.differences import (
    Stored,
    has_places,
    import_hashes,
    is_stated,
    moves_among,
    new_among,
    with_stored,
)
from docgraph.ingestion.linking import Linker
from docgraph.ingestion.overlapping import overlapped
from docgraph.ingestion.preparing import Draft, prepare, restated
from docgraph.ingestion.preview import related_fields
from docgraph.ingestion.profiling.causes import with_notice
from docgraph.ingestion.spool import Taken
from docgraph.ingestion.staging import Staging
from docgraph.ingestion.type_defaults import TypeDefaults
from docgraph.ports import Embedder, Progress, RelationExtractor, Store, Summarizer, Tokenizer, WriteResult

BATCH_DOCUMENTS = 64
BATCH_CHUNKS = 2_000
_TOLD_EVERY = 16
IMPORT = "import"
"""Who stands in the history where an import changed a relationship that a person had decided about."""


@dataclass(frozen=True)
class Parts:
    """What an import works with."""

    store: Store
    embedder: Embedder
    tokenizer: Tokenizer
    summarizer: Summarizer
    extractors: tuple[RelationExtractor, ...]
    chunking: ChunkingOptions
    workspace: str
    now: Callable[[], str] = lambda: ""
    """This moment, ISO 8601 in UTC."""

    @property
    def related(self) -> frozenset[str]:
        """Fields of metadata that name documents, in lower case with ``_``."""
        return related_fields(self.extractors)


@dataclass
class ImportRun:
    """One import of one staging into one store; use it once. Whatever stops it, finished batches are kept.

    ``steps`` fill the staging one after the other, and each is worked off before the next; None = it is filled already.
    """

    parts: Parts
    staging: Staging
    progress: Progress
    dry_run: bool
    prune: bool
    started: float
    steps: Iterable[None] | None = None
    whole: bool = False
    """Whether the staging is all there is of its ``ingestion_id``: what is stored of it and not here is gone."""
    _moves: dict[str, str] = field(default_factory=dict)
    _to_prune: tuple[str, ...] = ()
    _stored_ids: set[str] = field(default_factory=set)
    _stored_here: list[StoredDocument] = field(default_factory=list)
    _finished_ids: set[str] = field(default_factory=set)
    _waiting: set[str] = field(default_factory=set)
    _types: TypeDefaults | None = None
    _hashed_as: EmbedderInfo | None = None
    """The first one of the workspace: by it one knows what is stored."""

    def run(self) -> IngestReport:
        """Do it all. Raises EmbeddingMismatchError, EmbedderError, StoreError, and IngestionError for a bad prune."""
        linker = self._linker()
        line = overlapped(
            self._batches(self._work(linker)), self._ready, self._written, goes_on=lambda: not self._stop()
        )
        with closing(line) as finished:
            for batch, result in finished:
                self._finish(batch, result)
        if not self.staging.ledger.stopped:
            self._put_loose_edges()
            self._delete(self._to_prune)
        if self._types is not None:
            self._types.settle()
        return self._report()

    def _work(self, linker: Linker) -> Iterator[tuple[Draft, str]]:
        """What has to be embedded and written, step by step."""
        for part in self.staging.parts(self.steps):
            self._waiting |= part.keys()
            changed = self._changed(part, linker)
            part.clear()
            if self.staging.ledger.stopped:
                return
            if self._types is not None:
                self._types.switch_off_mentions(linker, (edge for draft, _ in changed for edge in draft.relationships))
            yield from self._embedded_anew(changed)
            if self.staging.ledger.stopped:
                return

    # ------------------------------------------------------------ before anything is written

    def _linker(self) -> Linker:
        with self.parts.store.reading() as snapshot:
            workspace = snapshot.workspace
            if workspace.embedder.embedder_id != (mine := self.parts.embedder.info.embedder_id):
                raise EmbeddingMismatchError(
                    f"workspace {workspace.name!r} holds vectors of {workspace.embedder.embedder_id}, not of {mine}",
                    hint="use the workspace's embedder, or import into a new workspace",
                )
            self._hashed_as = workspace.first_embedder
            stored = []
            for document in snapshot.documents():
                self._stored_ids.add(document.document_id)
                if self.steps is None:  # what comes step by step is neither linked by its texts nor pruned
                    stored.append(document)
            self._types = None if self.dry_run else TypeDefaults(self.parts.store, snapshot)
        self._stored_here = [d for d in stored if d.ingestion_id == self.staging.ingestion_id]
        self._moves = self._moved() if self.whole else {}
        self._to_prune = self._vanished() if self.prune else ()
        gone = {*self._moves, *self._to_prune}  # nothing may lead to what is not there afterwards
        titles = self.staging.titles([each for each in stored if each.document_id not in gone])
        return Linker(self.parts.extractors, titles, pages=self.staging.pages)

    def _vanished(self) -> tuple[str, ...]:
        """Stored documents of this import's root whose source is gone; none when the root was not wholly readable."""
        staging = self.staging
        gone = [each.document_id for each in self._gone() if each.document_id not in self._moves]
        if gone and len(gone) == len(self._stored_here):
            raise IngestionError(
                f"prune would remove all {len(gone):,} documents of import {staging.ingestion_id!r}: none of them "
                "is in this folder",
                hint="is it the right folder? To remove them all, delete the documents instead",
            )
        return tuple(sorted(gone))

    def _gone(self) -> list[StoredDocument]:
        """Stored documents of this import's root that are not in it; none when the root was not wholly readable."""
        staging = self.staging
        return [
            each
            for each in self._stored_here
            if staging.complete
            and each.document_id not in staging.documents
            and each.source not in staging.rejected_sources
        ]

    def _moved(self) -> dict[str, str]:
        """Documents whose file was renamed or moved: old id → new id."""
        gone, taken = self._gone(), self.staging.documents
        if not gone:
            return {}
        there = self.parts.store.import_hashes([each.document_id for each in gone])
        new = new_among(taken[each][0] for each in taken if each not in self._stored_ids)
        return moves_among(gone, new, there, sources=(each.source for each in self._stored_here))

    def _changed(self, part: Mapping[str, Taken], linker: Linker) -> list[tuple[Draft, str]]:
        """Documents that are new or differ from what is stored, linked and hashed; the others are skipped here."""
        there = self.parts.store.import_hashes(list(part))
        changed: list[tuple[Draft, str]] = []
        for number, (document_id, (document, name)) in enumerate(part.items()):
            if number % _TOLD_EVERY == 0:
                self._tell(f"linking {document.title}")
                if self._stop():
                    break
            try:
                draft = self._draft(document, linker)
            except ValueError as error:
                self._refuse(name, document_id, error)
                continue
            if is_stated(draft, there.get(document_id)):
                self._account(document_id)
                self.staging.ledger.skipped(name, document_id)
            else:
                changed.append((draft, name))
        return changed

    def _draft(self, document: Document, linker: Linker) -> Draft:
        edges = linker.link(document, self.staging.edges_of(document.document_id), extract=self.staging.extract)
        embedder, options = self._hashed_as or self.parts.embedder.info, self.parts.chunking
        hashes = import_hashes(document, edges, embedder=embedder, options=options)
        return Draft(document, edges, hashes, hashes.text)

    # ------------------------------------------------------------ batch by batch

    def _embedded_anew(self, changed: Sequence[tuple[Draft, str]]) -> Iterator[tuple[Draft, str]]:
        """Those that have to be embedded; of the others what is said is put in its place on the way."""
        for start in range(0, len(changed), BATCH_DOCUMENTS):
            part = changed[start : start + BATCH_DOCUMENTS]
            found = with_stored([draft for draft, _ in part], self.parts.store)
            done = self._restate(found)
            for stored, (_, name) in zip(found, part, strict=True):
                document_id = stored.draft.document.document_id
                if document_id not in done:
                    yield stored.draft, name
                    continue
                self._account(document_id)
                self.staging.ledger.updated(name, document_id)
                self.staging.ledger.linked(stored.draft.relationships)
            if done:
                self._tell(f"updated {part[-1][0].document.title}")
                if self._stop():
                    return

    def _restate(self, found: Sequence[Stored]) -> set[str]:
        """The ids of those whose vectors stay, after what is said of them was replaced."""
        stays = [(each.draft, each.there) for each in found if each.there is not None]
        if self.dry_run or not stays:
            return {draft.document.document_id for draft, _ in stays}
        there = [restated(draft, hashed, self._placed(draft.document)) for draft, hashed in stays]
        return set(self.parts.store.restate(there, at=self.parts.now()))

    def _cut(self, document: Document) -> tuple[StoredChunk, ...]:
        return chunk_document(document, self.parts.tokenizer, self.parts.chunking)

    def _placed(self, document: Document) -> tuple[StoredChunk, ...]:
        """The chunks of a text that stays, for where they stand in their source; none when nothing is known of it."""
        if not has_places(document):
            return ()
        try:
            return self._cut(document)
        except ValueError:
            return ()

    def _batches(self, changed: Iterable[tuple[Draft, str]]) -> Iterator[list[tuple[Draft, str]]]:
        batch: list[tuple[Draft, str]] = []
        n_chunks = 0
        for draft, name in changed:
            try:
                chunks = self._cut(draft.document)
            except ValueError as error:
                self._refuse(name, draft.document.document_id, error)
                continue
            if batch and (len(batch) >= BATCH_DOCUMENTS or n_chunks + len(chunks) > BATCH_CHUNKS):
                yield batch
                batch, n_chunks = [], 0
            batch.append((replace(draft, chunks=chunks), name))
            n_chunks += len(chunks)
        if batch:
            yield batch

    def _ready(self, batch: Sequence[tuple[Draft, str]]) -> list[PreparedDocument] | set[str]:
        """The batch as it is written; on a dry run the ids. In a thread of its own."""
        drafts = [draft for draft, _ in batch]
        if self.dry_run:
            return {draft.document.document_id for draft in drafts}
        return prepare(drafts, embedder=self.parts.embedder, summarizer=self.parts.summarizer)

    def _written(self, ready: list[PreparedDocument] | set[str]) -> WriteResult:
        """In a thread of its own, beside that of another batch."""
        if isinstance(ready, set):
            return WriteResult(replaced=tuple(ready & self._stored_ids))
        return self.parts.store.write(ready, at=self.parts.now(), embedder=self.parts.embedder.info)

    def _finish(self, batch: Sequence[tuple[Draft, str]], result: WriteResult) -> None:
        """Account for a batch that is written."""
        replaced, unchanged = frozenset(result.replaced), frozenset(result.unchanged)
        ledger = self.staging.ledger
        for draft, name in batch:
            document_id = draft.document.document_id
            self._account(document_id)
            if document_id in unchanged:
                ledger.skipped(name, document_id)
                continue
            ledger.stored(name, document_id, "replaced" if document_id in replaced else "added")
            ledger.n_chunks += len(draft.chunks)
            ledger.linked(draft.relationships)
        self._carry_over({draft.document.document_id for draft, _ in batch})
        self._tell(f"stored {batch[-1][0].document.title}")

    def _carry_over(self, stored: Collection[str]) -> None:
        """What people decided goes with the documents of a batch that were moved; the old ones go."""
        moves = {old: new for old, new in self._moves.items() if new in stored}
        if moves and not self.dry_run:
            self.parts.store.carry_over(moves, at=self.parts.now(), by=IMPORT)
        self.staging.ledger.moved |= moves

    # ------------------------------------------------------------ at the end

    def _put_loose_edges(self) -> None:
        """Given edges that start at documents which are stored and not part of this import."""
        for start in sorted(self.staging.edges.keys() - self.staging.names.keys()):
            if start not in self._stored_ids:
                for _, name in self.staging.edges[start]:
                    self.staging.refuse(name, f"the relationship starts at {start!r}, which is not a known document")
                continue
            self.staging.ledger.linked(self._put(self.staging.edges_of(start)))

    def _put(self, edges: Sequence[Relationship]) -> Sequence[Relationship]:
        """Those that are new or changed (on a dry run those that are not there as they are given)."""
        if not self.dry_run:
            return self.parts.store.put_ingested(edges, at=self.parts.now())
        starts = sorted({edge.from_document_id for edge in edges})
        with self.parts.store.reading() as snapshot:
            there = {edge.key: edge for start in starts for edge in snapshot.relationships(document_id=start)}
        return [edge for edge in edges if there.get(edge.key) != edge]

    def _delete(self, vanished: tuple[str, ...]) -> None:
        if vanished and not self.dry_run:
            self.parts.store.delete_documents(vanished)
        self.staging.ledger.pruned = vanished

    def _report(self) -> IngestReport:
        ledger = self.staging.ledger
        with self.parts.store.reading() as snapshot:
            revision = snapshot.workspace.revision
        self._tell("stopped" if ledger.stopped else "done")
        report = ledger.report(
            self.parts.workspace,
            known=(self._stored_ids | self._finished_ids) - set(ledger.pruned) - ledger.moved.keys(),
            dry_run=self.dry_run,
            seconds=time.perf_counter() - self.started,
            revision=revision,
            reading=None if self.staging.applied is None else self.staging.applied.read(),
            sources=self.staging.names.values(),
            pages=self.staging.pages,
            decided=() if self._types is None else self._types.changes,
        )
        return with_notice(report, (document for document, _ in self.staging.documents.values()), self.parts.related)

    def _account(self, document_id: str) -> None:
        self._finished_ids.add(document_id)
        self._waiting.discard(document_id)

    def _refuse(self, name: str, document_id: str, error: ValueError) -> None:
        self._waiting.discard(document_id)
        self.staging.refuse(name, str(error), document_id=document_id)

    def _tell(self, message: str) -> None:
        done = self.staging.ledger.n_in
        self.progress.update(done, done + len(self._waiting) + self.staging.n_to_come, message)

    def _stop(self) -> bool:
        if self.progress.cancelled():
            self.staging.ledger.stopped = True
        return self.staging.ledger.stopped
