"""Serves a workspace over stdio or HTTP until the client disconnects or the server is stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress

import anyio

from docgraph.boundary.hosts import own_hosts
from docgraph.boundary.listening import check_address, listening, serve, url_at
from docgraph.boundary.logs import log_to
from docgraph.mcp_server.access import OneToken, auth_settings, check_writes, security
from docgraph.mcp_server.middleware import SameOrigin, ShortErrors
from docgraph.mcp_server.server import build_server
from docgraph.orchestration.docgraph import Docgraph
from docgraph.settings import read_settings, secrets_of

PATH = "/mcp"


def serve_stdio(docgraph: Docgraph, *, writes_by: str = "") -> None:
    """Serve one client over standard input and output until it closes them."""
    with server_log():
        try:
            anyio.run(_stdio, docgraph, writes_by)
        except* (OSError, anyio.BrokenResourceError):  # the client left in the middle of an answer
            pass


async def _stdio(docgraph: Docgraph, writes_by: str) -> None:
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows: there the process just ends
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, _end, docgraph)
    await build_server(docgraph, writes_by=writes_by).run_stdio_async()


def _end(docgraph: Docgraph) -> None:
    """Exit at once: the thread that waits for the client's next line cannot be interrupted."""
    docgraph.close()
    os._exit(0)


def serve_http(
    docgraph: Docgraph, *, host: str, port: int, token: str = "", names: Sequence[str] = (), writes_by: str = ""
) -> None:
    """Serve clients over streamable HTTP until interrupted; ``port`` 0 = a free one, printed on standard error.

    ``names`` = further accepted host names. Raises UserError for an address that other machines can reach without a
    token and for writes without one, and EnvironmentProblem when it cannot listen on the address.
    """
    check_address(host, has_token=bool(token))
    check_writes(writes_by, has_token=bool(token))
    with server_log(token), listening(host, port) as listener:
        url = url_at(host, listener)
        auth, verifier = (auth_settings(url), OneToken(token)) if token else (None, None)
        server = build_server(docgraph, writes_by=writes_by, auth=auth, verifier=verifier)
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            transport_security=security(host, names),
        )
        guarded = SameOrigin(ShortErrors(app), own_hosts(host, names))
        print(f"docgraph mcp listens on {url}{PATH}", file=sys.stderr, flush=True)
        serve(guarded, listener)


def server_log(token: str = "") -> AbstractContextManager[None]:
    """Log to standard error as set in the settings; tracebacks only with DOCGRAPH_DEBUG."""
    settings = read_settings()
    return log_to(
        form=settings.log_format,
        level=settings.log_level,
        secrets=(*secrets_of(settings), token),
        tracebacks=bool(os.environ.get("DOCGRAPH_DEBUG")),
    )
