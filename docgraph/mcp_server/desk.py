"""Does the work of the server in threads, a few at a time, and tells in one line what went wrong."""

from __future__ import annotations

import logging
import re
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
from docgraph.orchestration.sources import redacted

Result = TypeVar("Result")
MAX_AT_ONCE = 4
"""Calls that work at the same time; the others wait. A search asks several providers, each with a connection."""

MAX_MESSAGE = 600
_PATH = re.compile(r"(?<![\w.:/])(?:/[\w.@+~-]+){2,}/?|\b[A-Za-z]:\\[^\s'\"]+")
_SAYS_SO = "Value error, "
log = logging.getLogger("docgraph.mcp")


class Desk:
    """One open docgraph behind a server. The event loop never waits for it: the work is done in threads."""

    def __init__(self, docgraph: Docgraph, *, at_once: int = MAX_AT_ONCE) -> None:
        self._docgraph = docgraph
        self._limiter = anyio.CapacityLimiter(at_once)

    async def ask(self, work: Callable[[Docgraph], Result]) -> Result:
        """The result of ``work``. The work of a caller who left goes on to its end and keeps its place until then."""
        with one_request():
            return await anyio.to_thread.run_sync(work, self._docgraph, limiter=self._limiter)


def line_about(error: BaseException) -> str:
    """What went wrong, in one line, for the client: no traceback, no secret, no path of this machine.

    An error of the caller's is told in full; of an error of the machine the redacted message; of a bug its name.
    """
    if isinstance(error, ValidationError):
        return one_line(_about_arguments(error), MAX_MESSAGE)
    if isinstance(error, UserError):
        return one_line(str(error), MAX_MESSAGE)
    if isinstance(error, DocgraphError):
        hint = f" ({_PATH.sub('<path>', error.hint)})" if error.hint else ""
        return one_line(redacted(_PATH.sub("<path>", error.message)) + hint, MAX_MESSAGE)
    if isinstance(error, ToolError | ResourceError):  # the protocol's own: an unknown tool, an unknown resource
        return one_line(str(error), MAX_MESSAGE)
    log.error("internal error: %s", type(error).__name__, exc_info=error)
    return f"internal error: {type(error).__name__} (set DOCGRAPH_DEBUG=1 for the server and look into its log)"


def _about_arguments(error: ValidationError) -> str:
    """The first thing wrong: where, what, and what is possible."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "arguments"
    more = error.error_count() - 1
    also = f"; {more} more" if more else ""
    return f"{where}: {first['msg'].removeprefix(_SAYS_SO)}{also} (correct it and call again)"
