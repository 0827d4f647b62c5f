"""The async face: the names of ``Docgraph``, and an event loop that never waits for the work."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from docgraph.aio import ROWS_PER_STEP, AsyncDocgraph, aconnect, namespace_of
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import SettingsError
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT

DOCUMENTS = [Document(document_id=f"d{n:04}", title=f"Title {n}", text=f"Word{n} text.") for n in range(5)]


NAMESPACES = {name: kind for name, member in vars(Docgraph).items() if (kind := namespace_of(member)) is not None}


def _public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")} - {"session"}


def _faces() -> list[tuple[type, type]]:
    """Every class that is awaited, beside the one that blocks."""
    stand_in = SimpleNamespace(**dict.fromkeys(NAMESPACES))
    there = AsyncDocgraph(stand_in)  # type: ignore[arg-type]
    return [(AsyncDocgraph, Docgraph), *((type(getattr(there, name)), kind) for name, kind in NAMESPACES.items())]


@pytest.mark.parametrize(("face", "kind"), _faces(), ids=lambda kind: kind.__name__)
def test_both_faces_have_the_same_names(face: type, kind: type) -> None:
    assert _public(face) == _public(kind)
    assert len(_public(kind)) >= 3


@pytest.mark.parametrize(("face", "kind"), _faces(), ids=lambda kind: kind.__name__)
def test_both_faces_take_the_same_arguments(face: type, kind: type) -> None:
    for name in _public(kind):
        if inspect.isfunction(inspect.getattr_static(kind, name)):
            here, there = (inspect.signature(inspect.getattr_static(each, name)).parameters for each in (face, kind))
            assert list(here.values()) == list(there.values()), name


@pytest.mark.slow
def test_the_types_of_the_async_face_are_those_of_the_blocking_one() -> None:
    """``aio.pyi`` is written from the signatures; run tools/async_stub.py after changing one."""
    check = subprocess.run(
        [sys.executable, "tools/async_stub.py", "--check"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert check.returncode == 0


def test_a_whole_trip_awaited() -> None:
    async def trip() -> tuple[Any, ...]:
        async with aconnect(store="memory") as dg:
            report = await dg.ingest_records(DOCUMENTS, [_edge("d0000", "d0001")])
            plan = await dg.plan(RetrievalRequest(query="word0"))
            context = await dg.execute(plan)
            assembled = await dg.assemble(context, token_budget=100)
            ids = [document.document_id async for document in dg.documents.list()]
            edges = [edge.key async for edge in dg.relationships.list()]
            return report, plan, context, assembled, ids, edges, (await dg.workspace()).n_documents

    report, plan, context, assembled, ids, edges, n_documents = asyncio.run(trip())
    assert report.n_stored == n_documents == len(ids) == 5
    assert context.document_ids == plan.document_ids
    assert assembled.total_tokens <= 100
    assert edges == [("d0000", "explains", "d0001")]


def test_runs_are_saved_compared_and_reviewed_awaited() -> None:
    async def trip() -> tuple[Any, ...]:
        async with aconnect(store="memory") as dg:
            await dg.ingest_records(DOCUMENTS, [_edge("d0000", "d0001")])
            saved = await dg.runs.save(RetrievalRequest(query="word0"), name="first")
            await dg.runs.review(saved.run_id, "approved", by="me")
            listed = await dg.runs.list()
            verdict = (await dg.compare(saved)).sentence
            await dg.documents.delete(["d0001"])
            changes, again = await dg.runs.changes_since(saved), await dg.runs.rerun(saved)
            await dg.runs.delete(saved.run_id)
            return saved, listed, verdict, changes, again, await dg.runs.list(deleted=True)

    saved, listed, verdict, changes, again, deleted = asyncio.run(trip())
    assert [(s.run_id, s.approved_by) for s in listed] == [(saved.run_id, "me")]
    assert verdict
    assert [(e.document_id, e.change) for e in changes.documents] == [("d0001", "removed")]
    assert again.a.run.plan == saved.run.plan
    assert [s.run_id for s in deleted] == [saved.run_id]


def _edge(start: str, target: str) -> Relationship:
    return Relationship(from_document_id=start, relation_type="explains", to_document_id=target)


def test_connecting_can_also_be_awaited_and_closed_by_hand() -> None:
    async def trip() -> str:
        dg = await aconnect(store="memory", workspace="notes")
        await dg.close()
        return dg.workspace_name

    assert asyncio.run(trip()) == "notes"


def test_errors_come_through_as_they_are() -> None:
    async def trip() -> None:
        async with aconnect(store="memory", port=-1):
            pass

    with pytest.raises(SettingsError, match="port = -1"):
        asyncio.run(trip())


class _Slow:
    """Stands for a Docgraph whose work takes a moment, and tells in which thread it was done."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []
        self.closed = False
        self.began, self.may_end, self.stopped = threading.Event(), threading.Event(), threading.Event()

    def workspaces(self) -> tuple[Any, ...]:
        self.threads.append(threading.current_thread())
        assert self.may_end.wait(60), "the loop stood still"
        return ()

    @property
    def documents(self) -> _Slow:
        return self

    def list(self, **_: Any) -> Iterator[int]:
        try:
            yield from range(ROWS_PER_STEP * 3)
        finally:
            self.closed = True

    def ingest(self, path: str, *, progress: Any, **_: Any) -> None:
        self.began.set()
        deadline = time.monotonic() + 60
        while not progress.cancelled() and time.monotonic() < deadline:
            time.sleep(0.005)
        if progress.cancelled():
            self.stopped.set()

    def check(self, *, progress: Any) -> None:
        self.ingest("", progress=progress)


def test_the_loop_goes_on_while_the_work_is_done_elsewhere() -> None:
    slow = _Slow()

    async def trip() -> None:
        work = asyncio.ensure_future(AsyncDocgraph(slow).workspaces())  # type: ignore[arg-type]
        while not slow.threads:
            await asyncio.sleep(0.005)
        slow.may_end.set()
        await work

    asyncio.run(trip())
    assert threading.main_thread() not in slow.threads


def test_an_iteration_that_ends_early_gives_its_snapshot_back() -> None:
    slow = _Slow()

    async def trip() -> list[Any]:
        rows = AsyncDocgraph(slow).documents.list()  # type: ignore[arg-type]
        first = [await anext(rows) for _ in range(3)]
        await rows.aclose()  # type: ignore[attr-defined]
        return first

    assert asyncio.run(trip()) == [0, 1, 2]
    assert slow.closed


@pytest.mark.parametrize("start", [lambda dg: dg.ingest("anything"), lambda dg: dg.check()], ids=["ingest", "check"])
def test_cancelled_work_is_told_to_stop(start: Callable[[AsyncDocgraph], Coroutine[Any, Any, Any]]) -> None:
    slow = _Slow()

    async def trip() -> None:
        work = asyncio.ensure_future(start(AsyncDocgraph(slow)))  # type: ignore[arg-type]
        while not slow.began.is_set():
            await asyncio.sleep(0.005)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(trip())
    assert slow.stopped.wait(60)
