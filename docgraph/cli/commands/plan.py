"""``docgraph plan``: which documents would be read for a question, and why."""

from __future__ import annotations

from docgraph.cli.request_options import with_request_options
from docgraph.cli.session import JsonOption, WorkspaceOption, asked_session
from docgraph.cli.text import answers
from docgraph.cli.text.output import write_json
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.plans import plan_on, standings_on


@with_request_options
def plan(request: RetrievalRequest, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show which documents would be read for a question, and why."""
    with asked_session(request, workspace) as session:
        made = plan_on(session, request)
        standings = {} if json else standings_on(session, made)
    if json:
        write_json(made)
    else:
        answers.show_plan(made, {document_id: standing.words for document_id, standing in standings.items()})
