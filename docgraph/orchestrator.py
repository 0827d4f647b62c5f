"""The whole trip: ingest, plan, execute, assemble, verify, explain; read this module first.

files ─▶ ingestion ─▶ [store] ─▶ planning ─▶ execution ─▶ assembly ─▶ verification
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any, cast

import numpy as np

from docgraph.assembly.context import assemble
from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.explanation import Explanation
from docgraph.domain.graph import Document, Relationship, StoredChunk, StoredDocument, Vector
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.report import IngestReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import ConflictError, EmbeddingMismatchError, NotFoundError
from docgraph.execution.executor import execute_plan
from docgraph.ingestion.nothing import EmptyWorkspace
from docgraph.ingestion.pipeline import Ingestion
from docgraph.planning.explanation import explain
from docgraph.planning.planner import make_plan
from docgraph.ports import (
    Database,
    Embedder,
    Loader,
    Probe,
    Progress,
    RelationExtractor,
    Snapshot,
    Store,
    Summarizer,
    Tokenizer,
)
from docgraph.tracing import Tracer
from docgraph.verification.contract import Witness, check_contract

WITNESSED_CHUNKS = 5
"""For the score check, this many times ``max_chunks`` of MS3's chunks are fetched."""


@dataclass(frozen=True)
class Adapters:
    """Everything outside the core that a Docgraph works with; ``bootstrap`` builds it from the settings."""

    database: Database
    embedder: Embedder
    tokenizer: Tokenizer
    summarizer: Summarizer
    loaders: tuple[Loader, ...]
    extractors: tuple[RelationExtractor, ...]
    clock: Callable[[], float]


class Docgraph:
    """One workspace of a database, with everything one can ask of it; safe to share between reading threads."""

    def __init__(self, adapters: Adapters, workspace: str = "default", *, owns_database: bool = True) -> None:
        self._adapters = adapters
        self._name = workspace
        self._owns_database = owns_database
        self._opened: Store | None = None

    def __enter__(self) -> Docgraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back connections; the embedded server stops with its last user."""
        if self._owns_database:
            self._adapters.database.close()

    # ------------------------------------------------------------ ingestion

    def ingest(
        self, path: str | PathLike[str], *, prune: bool = False, dry_run: bool = False, doc_type: str | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:  # fmt: skip
        """Import a folder or a file; unchanged documents are skipped, changed ones replaced whole.

        Bad files become rejections in the report. Raises IngestionError when ``path`` itself cannot be read.
        """
        ingestion = self._ingestion(dry_run=dry_run)
        return ingestion.ingest_path(path, prune=prune, dry_run=dry_run, doc_type=doc_type, progress=progress)

    def ingest_files(
        self, files: Iterable[tuple[str, bytes]], *, dry_run: bool = False, progress: Progress | None = None
    ) -> IngestReport:  # fmt: skip
        """Import uploaded files given as (relative name, bytes); zip archives are opened within limits."""
        return self._ingestion(dry_run=dry_run).ingest_files(files, dry_run=dry_run, progress=progress)

    def ingest_records(
        self, documents: Iterable[Document], relationships: Iterable[Relationship] = (), *,
        progress: Progress | None = None,
    ) -> IngestReport:  # fmt: skip
        """Import domain records; chunks, summaries and vectors that they do not carry are made."""
        return self._ingestion(dry_run=False).ingest_records(documents, relationships, progress=progress)

    # ------------------------------------------------------------ planning and execution

    def plan(self, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> RetrievalPlan:
        """Which documents may take part, and why; ``query_vector`` has shape (dimension,) and saves embedding."""
        vector = self._vector(request.query, query_vector)
        with self._reading() as snapshot:
            return make_plan(request, Probe(vector, request.query), snapshot)

    def execute(self, plan: RetrievalPlan, query_vector: Sequence[float] | None = None) -> RetrievedContext:
        """The evidence of a plan: chunks of its documents only. Raises PlanError for a foreign or changed plan."""
        vector = self._vector(plan.query, query_vector)
        with self._reading() as snapshot:
            return execute_plan(plan, vector, snapshot)

    def assemble(self, context: RetrievedContext, *, token_budget: int = 2_000) -> AssembledContext:
        """The text that a model would receive, within ``token_budget`` tokens."""
        return assemble(context, self._adapters.tokenizer, token_budget=token_budget)

    def run(self, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> Run:
        """Plan, execute, assemble and verify on one snapshot, with the trace of every step."""
        trace = Tracer(self._adapters.clock)
        with trace.step("embed query", {"query": request.query}) as step:
            vector = self._vector(request.query, query_vector)
            step.outputs = {"dimension": len(vector), "embedder_id": self.embedder.embedder_id}
        probe = Probe(vector, request.query)
        with self._reading() as snapshot:
            with trace.step("plan", request.model_dump(mode="json", exclude={"query"}), snapshot) as step:
                plan = make_plan(request, probe, snapshot)
                step.outputs = {"plan_id": plan.plan_id, "documents": list(plan.document_ids)}
            with trace.step("execute", {"plan_id": plan.plan_id}, snapshot) as step:
                context = execute_plan(plan, vector, snapshot)
                step.outputs = {"chunks": context.n_chunks, "eligible": context.n_eligible_chunks}
            with trace.step("assemble", {"token_budget": request.token_budget}) as step:
                assembled = self.assemble(context, token_budget=request.token_budget)
                step.outputs = {"tokens": assembled.total_tokens, "left_out": assembled.n_left_out}
            with trace.step("verify", {"plan_id": plan.plan_id}, snapshot) as step:
                witness = self._witness(request, probe, snapshot, plan=plan)
                contract = check_contract(plan, context, witness, snapshot)
                step.outputs = {"passed": sum(c.passed for c in contract), "of": len(contract)}
        return Run(
            request=request, plan=plan, context=context, assembled=assembled, contract=contract, trace=trace.steps
        )  # fmt: skip

    def explain(self, request: RetrievalRequest, document_id: str) -> Explanation:
        """Why a document is in the plan of this request, or everything that keeps it out."""
        vector = self._vector(request.query, None)
        with self._reading() as snapshot:
            return explain(request, document_id, Probe(vector, request.query), snapshot)

    # ------------------------------------------------------------ documents and relationships

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id; ``text`` = part of a title or id."""
        with self._reading() as snapshot:
            yield from snapshot.documents(doc_type=doc_type, text=text)

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document in text order. Raises NotFoundError."""
        with self._reading() as snapshot:
            if not snapshot.documents_by_id([document_id]):
                raise NotFoundError(f"no document has the id {document_id!r}", hint="list them: docgraph documents")
            return snapshot.chunks(document_id)

    def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and outgoing relationships; incoming ones stay, dangling. Returns how many."""
        return self._store().delete_documents(document_ids)

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:  # fmt: skip
        """Relationships by key; ``document_id`` = at either end, ``dangling`` = whether the target is missing."""
        with self._reading() as snapshot:
            yield from snapshot.relationships(
                document_id=document_id, relation_type=relation_type, dangling=dangling
            )  # fmt: skip

    def relation_types(self) -> dict[str, int]:
        """relation_type → number of relationships."""
        with self._reading() as snapshot:
            return snapshot.relation_types()

    def add_relationship(self, relationship: Relationship) -> None:
        """Add one by hand. Raises ConflictError when it exists, NotFoundError when its start does not."""
        self._store().put_relationship(_by_hand(relationship), replace=False)

    def update_relationship(self, key: tuple[str, str, str], relationship: Relationship) -> None:
        """Replace the relationship at ``key``; a changed key moves it. Raises NotFoundError, ConflictError."""
        store, key = self._store(), tuple(key)  # type: ignore[assignment]
        with self._reading() as snapshot:
            there = {edge.key for edge in snapshot.relationships(document_id=key[0])}
        if key not in there:
            raise NotFoundError(f"no relationship {' —'.join(key[:2])}→ {key[2]}", hint="list: docgraph relationships")
        if relationship.key != key and relationship.key in there:
            raise ConflictError(f"relationship {relationship.key} exists already", hint="remove one of the two")
        store.put_relationship(_by_hand(relationship), replace=True)
        if relationship.key != key:
            store.delete_relationship(key)

    def remove_relationship(self, key: tuple[str, str, str]) -> Relationship:
        """Remove the relationship at (from, type, to) and return it. Raises NotFoundError."""
        return self._store().delete_relationship(key)

    def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Types that plans leave out unless a request names them."""
        self._store().set_off_relation_types(types)

    # ------------------------------------------------------------ workspaces

    @property
    def workspace(self) -> Workspace:
        """This workspace as it is now. Raises NotFoundError before the first import."""
        with self._reading() as snapshot:
            return snapshot.workspace

    @property
    def workspace_name(self) -> str:
        """The name of this workspace, whether it exists yet or not."""
        return self._name

    @property
    def embedder(self) -> EmbedderInfo:
        """The configured embedder."""
        return self._adapters.embedder.info

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces of the database, by name."""
        return self._adapters.database.workspaces()

    def create_workspace(self, name: str, *, title: str = "") -> None:
        """A new, empty workspace with the configured embedder. Raises ConflictError."""
        self._adapters.database.create_workspace(name, self.embedder, title=title)

    def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it. Raises NotFoundError."""
        self._adapters.database.drop_workspace(name)
        if name == self._name:
            self._opened = None

    def use_workspace(self, name: str) -> Docgraph:
        """Another workspace of the same database; close this one, not that one."""
        return Docgraph(self._adapters, name, owns_database=False)

    def health(self) -> dict[str, Any]:
        """Database, embedder and counts, as ``docgraph doctor`` shows them."""
        workspaces = self.workspaces()
        return {
            "database": self._adapters.database.health(),
            "embedder": self.embedder.model_dump(),
            "workspaces": [w.model_dump() for w in workspaces],
        }

    # ------------------------------------------------------------ inside

    def _ingestion(self, *, dry_run: bool) -> Ingestion:
        a = self._adapters
        try:
            store = self._store(create=not dry_run)
        except NotFoundError:
            store = cast(Store, EmptyWorkspace(self._name, self.embedder))
        return Ingestion(
            store=store, embedder=a.embedder, tokenizer=a.tokenizer, summarizer=a.summarizer,
            loaders=a.loaders, extractors=a.extractors, workspace=self._name,
        )  # fmt: skip

    def _store(self, *, create: bool = False) -> Store:
        if self._opened is None:
            self._opened = self._open(create=create)
        return self._opened

    def _open(self, *, create: bool) -> Store:
        database = self._adapters.database
        try:
            store = database.open_workspace(self._name)
        except NotFoundError:
            if not create:
                raise
            return database.create_workspace(self._name, self.embedder)
        with store.reading() as snapshot:
            stored = snapshot.workspace.embedder
        if stored != self.embedder:
            raise EmbeddingMismatchError(
                f"workspace {self._name!r} holds vectors of {stored.embedder_id}, "
                f"but the configured embedder is {self.embedder.embedder_id}",
                hint=f"configure {stored.name}, or import the documents into a new workspace",
            )
        return store

    @contextmanager
    def _reading(self) -> Iterator[Snapshot]:
        with self._store().reading() as snapshot:
            yield snapshot

    def _vector(self, query: str, given: Sequence[float] | None) -> Vector:
        if given is None:
            vector = self._adapters.embedder.embed([query])[0]
            return np.asarray(vector, dtype=np.float32)
        vector = np.asarray(given, dtype=np.float32)
        expected = (self.embedder.dimension,)
        if vector.shape != expected or not np.isfinite(vector).all() or not vector.any():
            raise EmbeddingMismatchError(
                f"the query vector has shape {vector.shape} with {int((~np.isfinite(vector)).sum())} values that are "
                f"not finite; expected shape {expected}, finite and not all zero",
                hint=f"embed the query with {self.embedder.embedder_id}",
            )
        return vector

    def _witness(
        self, request: RetrievalRequest, probe: Probe, snapshot: Snapshot, *, plan: RetrievalPlan
    ) -> Witness:  # fmt: skip
        replayed = make_plan(request, probe, snapshot)
        return Witness(
            replayed=replayed,
            replayed_context=execute_plan(replayed, probe.vector, snapshot),
            ms3=snapshot.nearest_chunks(probe.vector, limit=request.max_chunks * WITNESSED_CHUNKS),
            revision_before=plan.corpus_revision,
            revision_after=snapshot.workspace.revision,
        )


def _by_hand(relationship: Relationship) -> Relationship:
    metadata = {"extractor": "manual", **relationship.relationship_metadata}
    return relationship.model_copy(update={"relationship_metadata": metadata})
