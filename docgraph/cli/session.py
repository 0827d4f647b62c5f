"""What every command shares: its ``--workspace`` and ``--json`` options, and an open docgraph."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from docgraph.bootstrap import connect
from docgraph.cli.asking import check_names
from docgraph.domain.request import RetrievalRequest

if TYPE_CHECKING:
    from docgraph.orchestration.docgraph import Docgraph

WorkspaceOption = Annotated[
    str | None, typer.Option("--workspace", "-w", metavar="NAME", help="Workspace; else DOCGRAPH_WORKSPACE.")
]
RunArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A saved run's id; its first 4 characters are enough.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON of a stable shape instead of text.")]


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
