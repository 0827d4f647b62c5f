"""The table of routes: handlers and the OpenAPI document are both made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeVar

from docgraph.domain.baselines import BASELINES
from docgraph.domain.comparison import Comparison
from docgraph.domain.context import RetrievedContext
from docgraph.domain.explanation import Explanation
from docgraph.domain.frozen import Frozen
from docgraph.domain.impact import ImpactReport
from docgraph.domain.packet import PacketRequest, RetrievalResponse
from docgraph.domain.person import Person
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.errors import EnvironmentProblem, NotFoundError
from docgraph.http_server import messages
from docgraph.http_server.access import Permission
from docgraph.orchestration.docgraph import Docgraph

Item = TypeVar("Item")


@dataclass(frozen=True)
class Call:
    """One request, checked: the workspace, the body, the query and the document that the path names."""

    docgraph: Docgraph
    body: Any = None
    query: Any = None
    document_id: str = ""


@dataclass(frozen=True)
class Route:
    """One line of the table; ``work`` takes the call and returns an ``answer``. Its docstring is the description."""

    method: Literal["GET", "POST"]
    path: str
    work: Callable[[Call], Frozen]
    answer: type[Frozen]
    body: type[Frozen] | None = None
    query: type[Frozen] | None = None
    needs: Permission = "read"

    @property
    def name(self) -> str:
        """Its name in clients that are generated."""
        return self.work.__name__


def plan(call: Call) -> RetrievalPlan:
    """Plan which documents a question reads, and why. Nothing is read yet."""
    return call.docgraph.plan(call.body)


def execute(call: Call) -> RetrievedContext:
    """Read the passages of a plan, exactly as `plan` returned it: chunks of its documents only."""
    return call.docgraph.execute(call.body)


def run(call: Call) -> Run:
    """Plan, execute, assemble and verify on one snapshot."""
    return call.docgraph.run(call.body)


def explain(call: Call) -> Explanation:
    """Why a document is in the plan of a request, or everything that keeps it out."""
    return call.docgraph.explain(call.body.request, call.body.document_id)


def compare(call: Call) -> Comparison:
    """What changes from a baseline to a request or a saved run."""
    asked: messages.CompareRequest = call.body
    baseline = asked.baseline if asked.baseline in BASELINES else _saved(call.docgraph, asked.baseline)
    return call.docgraph.compare(asked.request or _saved(call.docgraph, asked.run_id or ""), baseline)


def retrieve(call: Call) -> RetrievalResponse:
    """Passages with a confidence and the next action, by the retrieval contract; a failing source is no error."""
    with suppress(EnvironmentProblem):  # a workspace that is not there is one
        _ = call.docgraph.workspace
    return call.docgraph.retrieve(call.body)


def list_documents(call: Call) -> messages.DocumentList:
    """Documents by id."""
    asked: messages.DocumentsQuery = call.query
    found, more = _page(call.docgraph.documents.list(doc_type=asked.doc_type, text=asked.text), asked)
    return messages.DocumentList(documents=found, offset=asked.offset, more=more)


def get_document(call: Call) -> messages.DocumentText:
    """One document with its chunks. The id is percent-encoded: `a/b` is `a%2Fb`."""
    document = call.docgraph.documents.get(call.document_id)
    chunks, more = _page(call.docgraph.documents.chunks(document.document_id), call.query)
    return messages.DocumentText(document=document, chunks=chunks, offset=call.query.offset, more=more)


def list_relationships(call: Call) -> messages.RelationshipList:
    """Relationships by key: from, type, to."""
    asked: messages.RelationshipsQuery = call.query
    dangling = None if asked.dangling is None else asked.dangling == "true"
    every = call.docgraph.relationships.list(
        document_id=asked.document_id, relation_type=asked.relation_type, dangling=dangling
    )
    found, more = _page(every, asked)
    return messages.RelationshipList(relationships=found, offset=asked.offset, more=more)


def preview_edits(call: Call) -> ImpactReport:
    """What edits would change in the answers to the saved questions. Nothing is written."""
    return call.docgraph.relationships.impact(call.body.edits)


def edit_relationships(call: Call) -> messages.Changed:
    """Apply edits, all or none; each is an entry of the history under the editor's name, and can be undone."""
    asked: messages.Change = call.body
    editor = call.docgraph.acting_as(Person(name=asked.by, role="curator"))
    entries = editor.relationships.edit(
        asked.edits, by=asked.by, reason=asked.reason, dry_run=asked.dry_run, new_types=asked.new_types
    )
    return messages.Changed(entries=entries)


def list_workspaces(call: Call) -> messages.Workspaces:
    """The workspaces of the database that this server answers for."""
    return messages.Workspaces(workspaces=call.docgraph.workspaces())


def health(_: Call) -> messages.Health:
    """Whether the server runs. Reads nothing."""
    return messages.Health()


ROUTES = (
    Route("POST", "/v1/{workspace}/plan", plan, RetrievalPlan, RetrievalRequest),
    Route("POST", "/v1/{workspace}/execute", execute, RetrievedContext, RetrievalPlan),
    Route("POST", "/v1/{workspace}/run", run, Run, RetrievalRequest),
    Route("POST", "/v1/{workspace}/explain", explain, Explanation, messages.ExplainRequest),
    Route("POST", "/v1/{workspace}/compare", compare, Comparison, messages.CompareRequest),
    Route("POST", "/v1/{workspace}/retrieve", retrieve, RetrievalResponse, PacketRequest),
    Route("GET", "/v1/{workspace}/documents", list_documents, messages.DocumentList, query=messages.DocumentsQuery),
    Route("GET", "/v1/{workspace}/documents/{document_id}", get_document, messages.DocumentText, query=messages.Page),
    Route(
        "GET",
        "/v1/{workspace}/relationships",
        list_relationships,
        messages.RelationshipList,
        query=messages.RelationshipsQuery,
    ),
    Route("POST", "/v1/{workspace}/relationships/impact", preview_edits, ImpactReport, messages.Preview),
    Route(
        "POST",
        "/v1/{workspace}/relationships",
        edit_relationships,
        messages.Changed,
        messages.Change,
        needs="write",
    ),
    Route("GET", "/v1/workspaces", list_workspaces, messages.Workspaces),
    Route("GET", "/health", health, messages.Health, needs="anyone"),
)


def _saved(docgraph: Docgraph, run_id: str) -> SavedRun:
    """A saved run of this workspace: one of another workspace is not there."""
    saved = docgraph.runs.get(run_id)
    if saved.workspace != docgraph.workspace_name:
        raise NotFoundError(f"there is no saved run {run_id!r}", hint="give the id of a run of this workspace")
    return saved


def _page(rows: Iterable[Item], page: messages.Page) -> tuple[tuple[Item, ...], bool]:
    """The rows of a page, and whether there are more."""
    found = tuple(islice(rows, page.offset, page.offset + page.limit + 1))
    return found[: page.limit], len(found) > page.limit
