"""The async face of docgraph: the names of ``Docgraph``, with the work done in threads beside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from os import PathLike
from types import TracebackType
from typing import Any, TypeVar

from docgraph.aio_calibrating import AsyncCalibrating
from docgraph.aio_conversing import AsyncConversing
from docgraph.aio_curating import AsyncCurating
from docgraph.aio_insight import AsyncInsight
from docgraph.aio_judging import AsyncJudging
from docgraph.aio_remembering import AsyncRemembering
from docgraph.bootstrap import connect
from docgraph.domain.comparison import Comparison
from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.edit import Edit
from docgraph.domain.explanation import Explanation
from docgraph.domain.finding import CheckReport, Rule
from docgraph.domain.graph import Document, Relationship, StoredChunk, StoredDocument
from docgraph.domain.impact import ImpactReport
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.report import IngestReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.relationships.exchange import ExchangeKind
from docgraph.ports import Progress
from docgraph.settings import Settings

Result = TypeVar("Result")
Item = TypeVar("Item")
ROWS_PER_STEP = 256


class AsyncDocgraph(AsyncConversing, AsyncCalibrating, AsyncRemembering, AsyncCurating, AsyncJudging, AsyncInsight):
    """``Docgraph`` for servers: every method that reads or writes is awaited, and none of them blocks the loop.

    Cancelling an awaited import stops it after its current batch; what is finished is kept.
    """

    async def workspace(self) -> Workspace:
        """The workspace as it is now (a property of ``Docgraph``, a coroutine here: it asks the database)."""
        return await asyncio.to_thread(lambda: self._docgraph.workspace)

    @property
    def workspace_name(self) -> str:
        """The name of this workspace, whether it exists yet or not."""
        return self._docgraph.workspace_name

    async def embedder(self) -> EmbedderInfo:
        """Name, model and dimension of the embedder (may load the model the first time)."""
        return await asyncio.to_thread(lambda: self._docgraph.embedder)

    async def ingest(
        self,
        path: str | PathLike[str],
        *,
        prune: bool = False,
        dry_run: bool = False,
        doc_type: str | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import a folder or a file; see ``Docgraph.ingest``."""
        return await _stoppable(
            lambda told: self._docgraph.ingest(path, prune=prune, dry_run=dry_run, doc_type=doc_type, progress=told),
            progress,
        )

    async def ingest_records(
        self,
        documents: Iterable[Document],
        relationships: Iterable[Relationship] = (),
        *,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import domain records; see ``Docgraph.ingest_records``."""
        return await _stoppable(
            lambda told: self._docgraph.ingest_records(documents, relationships, progress=told), progress
        )

    async def ingest_files(
        self, files: Iterable[tuple[str, bytes]], *, dry_run: bool = False, progress: Progress | None = None
    ) -> IngestReport:
        """Import uploads as (relative name, bytes); see ``Docgraph.ingest_files``."""
        return await _stoppable(
            lambda told: self._docgraph.ingest_files(files, dry_run=dry_run, progress=told), progress
        )

    async def plan(self, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> RetrievalPlan:
        """Decide which documents may take part; see ``Docgraph.plan``."""
        return await asyncio.to_thread(self._docgraph.plan, request, query_vector)

    async def execute(self, plan: RetrievalPlan, query_vector: Sequence[float] | None = None) -> RetrievedContext:
        """Fetch chunks from the planned documents only; see ``Docgraph.execute``."""
        return await asyncio.to_thread(self._docgraph.execute, plan, query_vector)

    async def assemble(self, context: RetrievedContext, *, token_budget: int = 2000) -> AssembledContext:
        """The text that a model would receive; see ``Docgraph.assemble``."""
        return await asyncio.to_thread(self._docgraph.assemble, context, token_budget=token_budget)

    async def run(self, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> Run:
        """Plan, execute and assemble over one snapshot; see ``Docgraph.run``."""
        return await asyncio.to_thread(self._docgraph.run, request, query_vector)

    async def explain(self, request: RetrievalRequest, document_id: str) -> Explanation:
        """Why a document is in the plan, or why not; see ``Docgraph.explain``."""
        return await asyncio.to_thread(self._docgraph.explain, request, document_id)

    async def check(self, rules: Mapping[str, Rule] | None = None, *, progress: Progress | None = None) -> CheckReport:
        """What is wrong with the relationships; see ``Docgraph.check``."""
        return await _stoppable(lambda told: self._docgraph.check(rules, progress=told), progress)

    async def impact(
        self, edits: Sequence[Edit], *, limit: int = 1_000, progress: Progress | None = None
    ) -> ImpactReport:
        """What edits would change in the answers to the saved questions; see ``Docgraph.impact``."""
        return await _stoppable(lambda told: self._docgraph.impact(edits, limit=limit, progress=told), progress)

    async def effects(
        self, alternatives: Sequence[Sequence[Edit]], *, limit: int = 200, progress: Progress | None = None
    ) -> tuple[ImpactReport, ...]:
        """The impact of each of several sets of edits; see ``Docgraph.effects``."""
        return await _stoppable(lambda told: self._docgraph.effects(alternatives, limit=limit, progress=told), progress)

    async def compare_edits(self, request: RetrievalRequest, edits: Sequence[Edit]) -> Comparison:
        """What is read today beside what would be read with the edits; see ``Docgraph.compare_edits``."""
        return await asyncio.to_thread(self._docgraph.compare_edits, request, edits)

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> AsyncIterator[StoredDocument]:
        """All documents by id, for ``async for``; see ``Docgraph.documents``."""
        return _in_steps(lambda: self._docgraph.documents(doc_type=doc_type, text=text))

    async def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; see ``Docgraph.documents_by_id``."""
        return await asyncio.to_thread(self._docgraph.documents_by_id, document_ids)

    async def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document by chunk_index; see ``Docgraph.chunks``."""
        return await asyncio.to_thread(self._docgraph.chunks, document_id)

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> AsyncIterator[Relationship]:
        """All relationships by key, for ``async for``; see ``Docgraph.relationships``."""
        return _in_steps(
            lambda: self._docgraph.relationships(
                document_id=document_id, relation_type=relation_type, dangling=dangling
            )
        )

    def export_relationships(
        self,
        kind: ExchangeKind = "csv",
        *,
        document_id: str | None = None,
        relation_type: str | None = None,
        history: bool = False,
    ) -> AsyncIterator[bytes]:
        """The relationships as a file, for ``async for``; see ``Docgraph.export_relationships``."""
        return _in_steps(
            lambda: self._docgraph.export_relationships(
                kind, document_id=document_id, relation_type=relation_type, history=history
            )
        )

    async def relation_types(self) -> dict[str, int]:
        """relation_type → number of edges; see ``Docgraph.relation_types``."""
        return await asyncio.to_thread(self._docgraph.relation_types)

    async def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Types that plans leave out; see ``Docgraph.set_off_relation_types``."""
        await asyncio.to_thread(self._docgraph.set_off_relation_types, types)

    async def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents whole; see ``Docgraph.delete_documents``."""
        return await asyncio.to_thread(self._docgraph.delete_documents, document_ids)

    async def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces by name; see ``Docgraph.workspaces``."""
        return await asyncio.to_thread(self._docgraph.workspaces)

    async def create_workspace(self, name: str, *, title: str = "") -> None:
        """A new, empty workspace; see ``Docgraph.create_workspace``."""
        await asyncio.to_thread(self._docgraph.create_workspace, name, title=title)

    async def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it; see ``Docgraph.drop_workspace``."""
        await asyncio.to_thread(self._docgraph.drop_workspace, name)

    async def use_workspace(self, name: str) -> AsyncDocgraph:
        """Another view on the same database; see ``Docgraph.use_workspace``."""
        return AsyncDocgraph(await asyncio.to_thread(self._docgraph.use_workspace, name))

    async def health(self) -> dict[str, Any]:
        """What ``docgraph doctor`` shows; see ``Docgraph.health``."""
        return await asyncio.to_thread(self._docgraph.health)

    async def close(self) -> None:
        """Give the connections back; see ``Docgraph.close``."""
        await asyncio.to_thread(self._docgraph.close)

    async def __aenter__(self) -> AsyncDocgraph:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Connecting:
    """A connection on its way: ``await`` it, or enter it with ``async with``."""

    def __init__(self, open_it: Callable[[], Docgraph]) -> None:
        self._open_it = open_it
        self._opened: AsyncDocgraph | None = None

    def __await__(self) -> Generator[Any, None, AsyncDocgraph]:
        return self._open().__await__()

    async def _open(self) -> AsyncDocgraph:
        self._opened = AsyncDocgraph(await asyncio.to_thread(self._open_it))
        return self._opened

    async def __aenter__(self) -> AsyncDocgraph:
        return await self._open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.close()


def aconnect(
    database_url: str | None = None,
    *,
    workspace: str | None = None,
    settings: Settings | None = None,
    **overrides: Any,
) -> Connecting:
    """``connect`` for event loops: ``async with docgraph.aconnect() as dg`` or ``dg = await docgraph.aconnect()``."""
    return Connecting(lambda: connect(database_url, workspace=workspace, settings=settings, **overrides))


class _StopWhenCancelled:
    """Progress that also says "cancelled" once the awaiting task was cancelled."""

    def __init__(self, told: Progress | None) -> None:
        self._told = told
        self.stop = threading.Event()

    def update(self, done: int, total: int, message: str) -> None:
        if self._told is not None:
            self._told.update(done, total, message)

    def cancelled(self) -> bool:
        return self.stop.is_set() or (self._told is not None and self._told.cancelled())


async def _stoppable(work: Callable[[Progress], Result], progress: Progress | None) -> Result:
    told = _StopWhenCancelled(progress)
    try:
        return await asyncio.to_thread(work, told)
    except asyncio.CancelledError:
        told.stop.set()
        raise


async def _in_steps(start: Callable[[], Iterator[Item]]) -> AsyncIterator[Item]:
    """The items of a blocking iterator, fetched ``ROWS_PER_STEP`` at a time in a thread."""
    rows = await asyncio.to_thread(start)
    try:
        while step := await asyncio.to_thread(lambda: list(islice(rows, ROWS_PER_STEP))):
            for row in step:
                yield row
    finally:
        if isinstance(rows, Generator):  # give its snapshot back when the caller stops early
            await asyncio.to_thread(rows.close)
