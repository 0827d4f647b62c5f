"""What every command shares: its ``--workspace`` and ``--json`` options, and an open docgraph."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from docgraph.bootstrap import connect, open_session
from docgraph.domain.overrides import edge_text
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError
from docgraph.orchestration.document_ids import stored_ids, stored_keys
from docgraph.orchestration.session import Session
from docgraph.ports import Snapshot

if TYPE_CHECKING:
    from docgraph.orchestration.docgraph import Docgraph

WorkspaceOption = Annotated[
    str | None, typer.Option("--workspace", "-w", metavar="NAME", help="Workspace (default: DOCGRAPH_WORKSPACE).")
]
RunArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A saved run's id; its first 4 characters are enough.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON instead of text; its schema is stable.")]


@contextmanager
def opened(workspace: str | None = None) -> Iterator[Docgraph]:
    """Docgraph over ``workspace``, closed afterwards. Raises what ``connect`` raises.

    A command ends soon: it holds no codes.
    """
    with connect(workspace=workspace, resident_mb=0) as docgraph:
        yield docgraph


@contextmanager
def asked(request: RetrievalRequest, workspace: str | None = None) -> Iterator[Docgraph]:
    """An open docgraph for a question whose options name nothing that is not there. Raises NotFoundError."""
    with opened(workspace) as docgraph:
        check_names(docgraph.session, request)
        yield docgraph


@contextmanager
def asked_session(request: RetrievalRequest, workspace: str | None = None) -> Iterator[Session]:
    """The same for one stage: a session alone, which imports no other stage. Raises what ``asked`` raises."""
    session = open_session(workspace, resident_mb=0)
    with closing(session.adapters.database):
        check_names(session, request)
        yield session


@contextmanager
def ended_kindly() -> Iterator[None]:
    """Being terminated is like Ctrl+C, so that the embedded database is given back at any time."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def check_names(session: Session, request: RetrievalRequest) -> None:
    """Raises NotFoundError for a type, relationship or document that the options name and the workspace lacks."""
    overrides = request.overrides
    types = (*(request.relation_types or ()), *overrides.without_types)
    if not (types or overrides.without_edges or overrides.dropped_seed_ids):
        return
    with session.reading() as snapshot:
        if types:
            check_relation_types(snapshot, types)
        for key in overrides.without_edges:
            _check_edge(snapshot, key)
        if overrides.dropped_seed_ids:
            _check_documents(snapshot, overrides.dropped_seed_ids)


def _check_edge(snapshot: Snapshot, key: tuple[str, str, str]) -> None:
    (meant,) = stored_keys(snapshot, [key]).values()
    if all(edge.key != meant for edge in snapshot.relationships(document_id=meant[0], relation_type=meant[1])):
        raise NotFoundError(
            f"there is no relationship {edge_text(key)[:120]!r}",
            hint="list them: docgraph relationships --document ID",
        )


def _check_documents(snapshot: Snapshot, ids: Sequence[str]) -> None:
    meant = stored_ids(snapshot, ids)
    there = snapshot.documents_by_id(sorted(meant.values()))
    if strangers := sorted(each for each in ids if meant[each] not in there):
        raise NotFoundError(
            f"no document has the id {strangers[0][:80]!r}", hint="list the ids with: docgraph documents"
        )


def check_relation_types(snapshot: Snapshot, names: Iterable[str]) -> None:
    """Raises NotFoundError for a type that no relationship of the workspace has: most often a typing mistake."""
    known = {*snapshot.relation_types(), *snapshot.workspace.off_relation_types}
    if strangers := sorted(set(names) - known):
        raise NotFoundError(
            f"no relationship has the type {strangers[0][:60]!r}",
            hint=f"types are: {', '.join(sorted(known)) or 'none yet'}",
        )
