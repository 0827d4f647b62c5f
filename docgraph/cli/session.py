"""What every command shares: its ``--workspace`` and ``--json`` options, and an open docgraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from docgraph.bootstrap import connect
from docgraph.domain.overrides import edge_text
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.document_ids import stored_ids, stored_keys

WorkspaceOption = Annotated[
    str | None, typer.Option("--workspace", "-w", metavar="NAME", help="Workspace; else DOCGRAPH_WORKSPACE.")
]
RunArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A saved run's id; its first 4 characters are enough.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON of a stable shape instead of text.")]


@contextmanager
def opened(workspace: str | None = None) -> Iterator[Docgraph]:
    """Docgraph over ``workspace``, closed afterwards. Raises what ``connect`` raises."""
    with connect(workspace=workspace) as docgraph:
        yield docgraph


@contextmanager
def asked(request: RetrievalRequest, workspace: str | None = None) -> Iterator[Docgraph]:
    """An open docgraph for a question whose options name nothing that is not there. Raises NotFoundError."""
    with opened(workspace) as docgraph:
        overrides = request.overrides
        if types := (*(request.relation_types or ()), *overrides.without_types):
            check_relation_types(docgraph, types)
        for key in overrides.without_edges:
            _check_edge(docgraph, key)
        if overrides.dropped_seed_ids:
            _check_documents(docgraph, overrides.dropped_seed_ids)
        yield docgraph


def _check_edge(docgraph: Docgraph, key: tuple[str, str, str]) -> None:
    with docgraph.session.reading() as snapshot:
        (meant,) = stored_keys(snapshot, [key]).values()
        there = any(edge.key == meant for edge in snapshot.relationships(document_id=meant[0], relation_type=meant[1]))
    if not there:
        raise NotFoundError(
            f"there is no relationship {edge_text(key)[:120]!r}",
            hint="list them: docgraph relationships --document ID",
        )


def _check_documents(docgraph: Docgraph, ids: Sequence[str]) -> None:
    with docgraph.session.reading() as snapshot:
        meant = stored_ids(snapshot, ids)
        there = snapshot.documents_by_id(sorted(meant.values()))
    if strangers := sorted(each for each in ids if meant[each] not in there):
        raise NotFoundError(
            f"no document has the id {strangers[0][:80]!r}", hint="list the ids with: docgraph documents"
        )


def check_relation_types(docgraph: Docgraph, names: Iterable[str], *, hint: str = "") -> None:
    """Raises NotFoundError for a type that no relationship of the workspace has: most often a typing mistake."""
    known = {*docgraph.relationships.types(), *docgraph.workspace.off_relation_types}
    if strangers := sorted(set(names) - known):
        raise NotFoundError(
            f"no relationship has the type {strangers[0][:60]!r}",
            hint=f"types are: {', '.join(sorted(known)) or 'none yet'}{hint and '; '}{hint}",
        )
