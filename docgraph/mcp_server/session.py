"""Runs the calls of the server in threads, a few at a time, and turns errors into one line."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from pydantic import ValidationError

from docgraph.boundary.logs import one_request
from docgraph.boundary.text import one_line
from docgraph.errors import DocgraphError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.sources import told_outside

Result = TypeVar("Result")
MAX_AT_ONCE = 4
"""Concurrent calls; the others wait. A search may use several providers, each with a connection."""

MAX_MESSAGE = 600
_SAYS_SO = "Value error, "
log = logging.getLogger("docgraph.mcp")


class McpSession:
    """An open docgraph behind a server. Calls run in threads, so that the event loop never blocks."""

    def __init__(self, docgraph: Docgraph, *, at_once: int = MAX_AT_ONCE) -> None:
        self._docgraph = docgraph
        self._limiter = anyio.CapacityLimiter(at_once)

    async def call(self, work: Callable[[Docgraph], Result]) -> Result:
        """The result of ``work``. It runs to its end even if the client disconnects, and keeps its slot until then."""
        with one_request():
            return await anyio.to_thread.run_sync(work, self._docgraph, limiter=self._limiter)


def error_message(error: BaseException) -> str:
    """The error in one line, for the client: no traceback, no secret, no path of this machine.

    A user error is shown in full, an environment error redacted, and of a bug only its type.
    """
    if isinstance(error, ValidationError):
        return one_line(_about_arguments(error), MAX_MESSAGE)
    if isinstance(error, UserError):
        return one_line(str(error), MAX_MESSAGE)
    if isinstance(error, DocgraphError):
        message, hint = told_outside(error)
        return one_line(f"{message} ({hint})" if hint else message, MAX_MESSAGE)
    if isinstance(error, ToolError | ResourceError):  # raised by the mcp package: an unknown tool or resource
        return one_line(str(error), MAX_MESSAGE)
    log.error("internal error: %s", type(error).__name__, exc_info=error)
    return f"internal error: {type(error).__name__} (set DOCGRAPH_DEBUG=1 for the server and see its log)"


def _about_arguments(error: ValidationError) -> str:
    """The first invalid argument and what is wrong with it."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "arguments"
    more = error.error_count() - 1
    also = f"; {more} more" if more else ""
    return f"{where}: {first['msg'].removeprefix(_SAYS_SO)}{also} (correct it and call again)"
