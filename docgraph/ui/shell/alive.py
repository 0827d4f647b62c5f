"""Answers whether the dashboard works, for the health check of a container: yes only when its database answers too."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from docgraph.errors import DocgraphError

PATH = "/docgraph-health"


def alive(request: Request) -> PlainTextResponse:
    """200 ``ok``, or 503 when the database cannot be asked; which one and why stands in the log, not in the answer."""
    from docgraph.ui.frame import resources

    del request
    try:
        resources.workspaces()
    except DocgraphError:
        return PlainTextResponse("the database does not answer\n", status_code=503)
    return PlainTextResponse("ok\n")


def route() -> Route:
    """The route under which it is asked. Starlette runs it in a thread, so a slow database stops nobody else."""
    return Route(PATH, alive, methods=["GET"])
