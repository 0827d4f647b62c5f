"""The async face of docgraph: every method of ``Docgraph`` and its namespaces, done in threads beside the event loop.

Nothing is written twice: the methods here are made of those there when this module is imported, and ``aio.pyi``, which
type checkers read, is written from the same signatures by ``tools/async_stub.py`` (a test keeps it current).
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from functools import cached_property, wraps
from itertools import islice
from types import TracebackType
from typing import Any, TypeVar, get_type_hints

from docgraph.bootstrap import connect
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Namespace
from docgraph.ports import Progress
from docgraph.settings import Settings

Result = TypeVar("Result")
Item = TypeVar("Item")
ROWS_PER_STEP = 256
AT_ONCE = ("workspace_name",)
"""Properties that ask nobody; every other one is a coroutine here."""


class Threaded:
    """A face over an object whose methods block: here each is awaited, or gone through with ``async for``."""

    def __init__(self, blocking: Any) -> None:
        self._blocking = blocking


def face_of(kind: type, members: dict[str, Any] | None = None) -> type[Threaded]:
    """A class with an awaited twin of every public member of ``kind``; ``members`` come beside or in their place."""
    twins = {name: _twin(name, member) for name, member in public_members(kind).items()}
    about = {"__doc__": f"``{kind.__name__}`` for event loops: {kind.__doc__}", "__module__": __name__}
    return type(f"Async{kind.__name__}", (Threaded,), {**twins, **about, **(members or {})})


def public_members(kind: type) -> dict[str, Any]:
    """Name → member, in the order in which they are written; without what belongs to the inside."""
    return {name: each for name, each in vars(kind).items() if not name.startswith("_") and name != "session"}


def is_iterator(member: Callable[..., Any]) -> bool:
    """Whether a method gives things one after the other, so that its twin is for ``async for``."""
    return str(inspect.signature(member).return_annotation).startswith("Iterator[")


def namespace_of(member: Any) -> type[Namespace] | None:
    """The class behind a namespace such as ``Docgraph.documents``; None for any other member."""
    if not isinstance(member, cached_property):
        return None
    kind: type[Namespace] = get_type_hints(member.func)["return"]
    return kind


def _twin(name: str, member: Any) -> Any:
    if (kind := namespace_of(member)) is not None:
        face = face_of(kind)
        twin = cached_property(lambda self: face(getattr(self._blocking, name)))
        twin.__doc__ = member.__doc__
        return twin
    if isinstance(member, property):
        return _property_twin(name, member)
    if is_iterator(member):
        return _named(name, member, _in_steps_twin(name))
    stoppable = "progress" in inspect.signature(member).parameters
    return _named(name, member, _stoppable_twin(name) if stoppable else _awaited_twin(name))


def _named(name: str, member: Callable[..., Any], twin: Callable[..., Any]) -> Callable[..., Any]:
    made = wraps(member)(twin)
    made.__name__ = name
    return made


def _property_twin(name: str, member: property) -> Any:
    if name in AT_ONCE:
        return property(lambda self: getattr(self._blocking, name), doc=member.__doc__)

    async def twin(self: Threaded) -> Any:
        return await asyncio.to_thread(getattr, self._blocking, name)

    twin.__name__, twin.__doc__ = name, member.__doc__
    return twin


def _awaited_twin(name: str) -> Callable[..., Any]:
    async def twin(self: Threaded, *given: Any, **named: Any) -> Any:
        return await asyncio.to_thread(getattr(self._blocking, name), *given, **named)

    return twin


def _stoppable_twin(name: str) -> Callable[..., Any]:
    async def twin(self: Threaded, *given: Any, progress: Progress | None = None, **named: Any) -> Any:
        work = getattr(self._blocking, name)
        return await _stoppable(lambda told: work(*given, progress=told, **named), progress)

    return twin


def _in_steps_twin(name: str) -> Callable[..., Any]:
    def twin(self: Threaded, *given: Any, **named: Any) -> AsyncIterator[Any]:
        return _in_steps(lambda: getattr(self._blocking, name)(*given, **named))

    return twin


async def _use_workspace(self: Any, name: str) -> Any:
    return type(self)(await asyncio.to_thread(self._blocking.use_workspace, name))


async def _acting_as(self: Any, person: Any) -> Any:
    return type(self)(await asyncio.to_thread(self._blocking.acting_as, person))


async def _enter(self: Any) -> Any:
    return self


async def _exit(self: Any, *_: object) -> None:
    await self.close()


AsyncDocgraph: Any = face_of(
    Docgraph,
    {
        "use_workspace": wraps(Docgraph.use_workspace)(_use_workspace),
        "acting_as": wraps(Docgraph.acting_as)(_acting_as),
        "__aenter__": _enter,
        "__aexit__": _exit,
    },
)


class Connecting:
    """A connection on its way: ``await`` it, or enter it with ``async with``."""

    def __init__(self, open_it: Callable[[], Docgraph]) -> None:
        self._open_it = open_it
        self._opened: Any = None

    def __await__(self) -> Generator[Any, None, Any]:
        return self._open().__await__()

    async def _open(self) -> Any:
        self._opened = AsyncDocgraph(await asyncio.to_thread(self._open_it))
        return self._opened

    async def __aenter__(self) -> Any:
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
