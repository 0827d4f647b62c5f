"""What every command shares: its ``--workspace`` and ``--json`` options, and an open docgraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from docgraph.bootstrap import connect
from docgraph.errors import NotFoundError
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


def check_relation_types(docgraph: Docgraph, names: Iterable[str]) -> None:
    """Raises NotFoundError for a type that no relationship of the workspace has: most often a typing mistake."""
    known = {*docgraph.relation_types(), *docgraph.workspace.off_relation_types}
    if strangers := sorted(set(names) - known):
        raise NotFoundError(
            f"no relationship has the type {strangers[0][:60]!r}",
            hint=f"types are: {', '.join(sorted(known)) or 'none yet'}",
        )
