"""The command that asks which documents may take part, and imports no more than that needs."""

from __future__ import annotations

from docgraph.cli.request_options import with_request_options
from docgraph.cli.session import JsonOption, WorkspaceOption, asked_session
from docgraph.cli.text import answers
from docgraph.cli.text.output import write_json
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.plans import plan_on


@with_request_options
def plan(request: RetrievalRequest, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Decide which documents may be read for a question, and say why."""
    with asked_session(request, workspace) as session:
        made = plan_on(session, request)
    if json:
        write_json(made)
    else:
        answers.show_plan(made)
