"""The command that asks which documents may take part, and imports no more than that needs."""

from __future__ import annotations

from docgraph.cli.bare import show_plan
from docgraph.cli.request_options import with_request_options
from docgraph.cli.session import JsonOption, WorkspaceOption
from docgraph.domain.request import RetrievalRequest


@with_request_options
def plan(request: RetrievalRequest, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Decide which documents may be read, and say why."""
    show_plan(request, workspace, as_json=json)
