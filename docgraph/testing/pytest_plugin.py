"""The pytest plug-in: a workspace made from a folder, and assertions about what is read for a question.

pytest loads it in every run, so it imports nothing but pytest until a fixture is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from docgraph.domain.explanation import Explanation
    from docgraph.domain.plan import RetrievalPlan
    from docgraph.orchestration.docgraph import Docgraph

SHOWN = 20
"""Documents of a plan that a failure lists."""


class WorkspaceOfFolder:
    """A workspace that tests ask; ``docgraph`` is the open ``Docgraph``, for everything else."""

    def __init__(self, docgraph: Docgraph) -> None:
        self.docgraph = docgraph

    def assert_plans(self, question: str, *document_ids: str, **request: Any) -> RetrievalPlan:
        """Every document is in the plan of the question; the plan.

        ``request`` = further fields of the request (``preset``, ``max_documents`` …). Raises AssertionError, which
        shows the plan, each missing document's rank, and everything that keeps it out; NotFoundError for an id that
        no document has.
        """
        __tracebackhide__ = True
        asked = _request(question, request)
        plan = self.docgraph.plan(asked)
        why = [self.docgraph.explain(asked, each) for each in document_ids]
        if missing := [each for each in why if not each.in_plan]:
            raise AssertionError(_failure(f"not planned for {question!r}", plan, missing))
        return plan

    def assert_reads(self, question: str, *document_ids: str, **request: Any) -> RetrievalPlan:
        """Every document is in the plan, and a passage of it is read within the limits; the plan.

        Raises what ``assert_plans`` raises.
        """
        __tracebackhide__ = True
        plan = self.assert_plans(question, *document_ids, **request)
        context = self.docgraph.execute(plan)
        read = {each.document.document_id for each in context.documents if each.chunks}
        why = [self.docgraph.explain(_request(question, request), each) for each in document_ids]
        if unread := [each for each in why if each.document_id not in read]:
            said = f"planned for {question!r}, but no passage of it is among the {context.n_chunks} that are read"
            raise AssertionError(_failure(said, plan, unread))
        return plan


@pytest.fixture(scope="session")
def docgraph_workspace() -> Iterator[Callable[..., WorkspaceOfFolder]]:
    """Makes a workspace from a folder: ``docgraph_workspace("docs")``; all of them are gone after the session.

    The same folder with the same arguments is imported once. It lies in the memory of the process; with
    ``embedded=True`` in a workspace of its own in the database that the settings name (the embedded one by default),
    which is dropped. ``import_options`` are those of ``Docgraph.ingest``: ``profile``, ``exclude`` …
    """
    opened: dict[str, WorkspaceOfFolder] = {}
    with _Opened() as stack:

        def make(folder: str | PathLike[str], *, embedded: bool = False, **import_options: Any) -> WorkspaceOfFolder:
            path = Path(folder).resolve()
            key = repr((str(path), embedded, sorted(import_options.items(), key=str)))
            if key not in opened:
                opened[key] = WorkspaceOfFolder(stack.opened(embedded=embedded))
                opened[key].docgraph.ingest(path, **import_options)
            return opened[key]

        yield make


class _Opened:
    """What the session opened; it closes all of it."""

    def __init__(self) -> None:
        from contextlib import ExitStack

        self._stack = ExitStack()

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def opened(self, *, embedded: bool) -> Docgraph:
        """A docgraph over a workspace that nobody else has."""
        from uuid import uuid4

        from docgraph.bootstrap import connect, connect_apart

        name = f"pytest-{uuid4().hex[:12]}"
        docgraph = self._stack.enter_context(connect(workspace=name) if embedded else connect_apart(name))
        if embedded:
            self._stack.callback(_drop, docgraph, name)
        return docgraph


def _drop(docgraph: Docgraph, name: str) -> None:
    if any(each.name == name for each in docgraph.workspaces()):  # it is made by its first import
        docgraph.drop_workspace(name)


def _request(question: str, fields: dict[str, Any]) -> Any:
    from docgraph.domain.request import parse_request

    return parse_request({"query": question, **fields})


def _failure(said: str, plan: RetrievalPlan, why: list[Explanation]) -> str:
    """What was asked for, the reasons against it, and the plan as it is."""
    lines = [f"{', '.join(each.document_id for each in why)}: {said}"]
    for each in why:
        rank = f"rank {each.rank} of {each.n_documents}" if each.rank is not None else "no rank"
        lines += [f"  {each.document_id} ({rank}): {each.sentence}"]
        for obstacle in each.obstacles:
            remedy = f"  [{', '.join(f'{k}={v!r}' for k, v in obstacle.remedy.items())}]" if obstacle.remedy else ""
            lines.append(f"    - {obstacle.text}{remedy}")
    planned = [("seed", each) for each in plan.seed_documents] + [("related", each) for each in plan.expanded_documents]
    lines.append(f"  the plan reads {len(planned)}:")
    for kind, document in planned[:SHOWN]:
        lines.append(f"    {document.place}. {kind} {document.document_id} ({document.title})")
    if len(planned) > SHOWN:
        lines.append(f"    … and {len(planned) - SHOWN} more")
    return "\n".join(lines)
