"""What every command shares: its ``--workspace`` and ``--json`` options, and an open docgraph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from docgraph.bootstrap import connect
from docgraph.orchestrator import Docgraph

WorkspaceOption = Annotated[
    str | None, typer.Option("--workspace", "-w", metavar="NAME", help="Workspace; else DOCGRAPH_WORKSPACE.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON of a stable shape instead of text.")]


@contextmanager
def opened(workspace: str | None = None) -> Iterator[Docgraph]:
    """Docgraph over ``workspace``, closed afterwards. Raises what ``connect`` raises."""
    with connect(workspace=workspace) as docgraph:
        yield docgraph
