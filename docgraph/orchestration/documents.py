"""The documents of a workspace: listed, read with their chunks, removed, and how they are searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import get_args

from docgraph.boundary.imports.excluding import patterns_of
from docgraph.domain.graph import StoredChunk, StoredDocument
from docgraph.domain.imports.look import Look
from docgraph.domain.workspace import BY_USER, SearchChoice, SearchMode, VectorSearch, Workspace
from docgraph.errors import NotFoundError, UserError
from docgraph.ingestion.preview import preview_source
from docgraph.orchestration.document_ids import stored_id, stored_ids
from docgraph.orchestration.searching import SearchRecall, chosen_by, measured, recall_of
from docgraph.orchestration.session import Namespace
from docgraph.ports import FieldValue, Progress

N_MEASURED = 15
"""Questions by which the cost of exact rankings is measured."""
LIST_THEM = "list them: docgraph documents"


class Documents(Namespace):
    """The documents of a workspace; ``Docgraph.ingest`` imports them."""

    def look(
        self,
        source: str | PathLike[str] | Iterable[tuple[str, bytes]],
        *,
        exclude: Sequence[str] = (),
        gitignore: bool = True,
        progress: Progress | None = None,
    ) -> Look:
        """Preview an import of a path, or of files given as (relative name, bytes); nothing is stored.

        Returns the files found, those that will not be read, and the proposed profile, with counts and examples.
        ``exclude`` and ``gitignore`` as in ``Docgraph.ingest``. Raises IngestionError when a path cannot be read.
        """
        adapters = self.session.adapters
        return preview_source(
            source,
            adapters.loaders,
            adapters.extractors,
            progress,
            dialects=adapters.dialects,
            exclude=patterns_of(exclude),
            gitignore=gitignore,
        )

    def list(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id; ``text`` = part of a title or id."""
        with self.session.reading() as snapshot:
            yield from snapshot.documents(doc_type=doc_type, text=text)

    def fields(self, *, limit: int = 20) -> tuple[FieldValue, ...]:
        """Fields to filter documents by (``RetrievalRequest.where``): metadata, ``doc_type``, ``ingestion_id``.

        The ``limit`` most frequent values of each field, by field path, then by number of documents; values are in the
        form in which they are compared.
        """
        with self.session.reading() as snapshot:
            return snapshot.metadata_values(limit=limit)

    def get(self, document_id: str) -> StoredDocument:
        """One document by its id, ignoring case. Raises NotFoundError, and UserError when the id matches several."""
        with self.session.reading() as snapshot:
            there = stored_id(snapshot, document_id)
            found = snapshot.documents_by_id([there])
        if there not in found:
            raise _unknown(document_id)
        return found[there]

    def by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document, for exactly these ids; ids that are not stored are absent."""
        with self.session.reading() as snapshot:
            return snapshot.documents_by_id(document_ids)

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document, in text order. Raises what ``get`` raises."""
        with self.session.reading() as snapshot:
            there = stored_id(snapshot, document_id)
            if not snapshot.documents_by_id([there]):
                raise _unknown(document_id)
            return snapshot.chunks(there)

    def delete(self, document_ids: Sequence[str]) -> int:
        """Delete documents with chunks and outgoing relationships; incoming ones stay, dangling. Returns the number.

        Ids ignore case; unknown ones are skipped. Raises UserError when an id matches several documents.
        """
        with self.session.reading() as snapshot:
            there = stored_ids(snapshot, document_ids)
        return self.session.store().delete_documents(tuple(dict.fromkeys(there.values())))

    def set_vector_search(self, mode: SearchMode) -> Workspace:
        """Set how rankings of this workspace search vectors; returns the workspace.

        ``exact`` compares every vector. ``quantized`` and ``hnsw`` rescore a shortlist, chosen by binary quantization
        or by an approximate index: cheaper with very many chunks, but a plan (which says so) may lack a document that
        exact search finds; with ``hnsw`` equal data need not give equal plans after the index is rebuilt. ``auto``
        measures exact rankings once, chooses exact or quantized, and records the measurement
        (``Workspace.search_choice``). Chunks of a plan are always searched exactly. Raises UserError for an unknown
        mode or vectors that are too wide for it, and NotFoundError before the first import.
        """
        if mode not in get_args(SearchMode):
            modes = ", ".join(get_args(SearchMode))
            raise UserError(f"no vector search is called {str(mode)[:40]!r}", hint=f"there are: {modes}")
        choice = measured(self.session, n_questions=N_MEASURED) if mode == "auto" else BY_USER
        search: VectorSearch = chosen_by(choice) if mode == "auto" else mode
        with self.session.reading() as snapshot:
            before = snapshot.workspace  # read now: what is switched is not to be told as failed by a later read
        self.session.store().set_vector_search(search, choice=choice)
        return before.model_copy(update={"vector_search": search, "search_choice": choice})

    def measure_vector_search(self, *, n_questions: int = N_MEASURED) -> SearchChoice:
        """Time of an exact ranking in milliseconds, measured on questions of the workspace, and the budget; read-only.

        Wall-clock time of one ranking at a time. Raises UserError without documents, NotFoundError before the first
        import.
        """
        return measured(self.session, n_questions=n_questions)

    def search_recall(self, *, n_questions: int = 50) -> SearchRecall:
        """Recall of the workspace's vector search against exact search, and the time of each; read-only.

        Raises what ``measure_vector_search`` raises.
        """
        return recall_of(self.session, n_questions=n_questions)


def _unknown(document_id: str) -> NotFoundError:
    return NotFoundError(f"no document has the id {document_id[:80]!r}", hint=LIST_THEM)
