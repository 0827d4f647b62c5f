"""Serves a workspace over stdio or HTTP until the client disconnects or the server is stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress

import anyio
import uvicorn

from docgraph.boundary.hosts import own_hosts
from docgraph.boundary.logs import log_to
from docgraph.boundary.timeouts import PatientProtocol
from docgraph.errors import EnvironmentProblem
from docgraph.mcp_server.access import OneToken, auth_settings, check_address, check_writes, security
from docgraph.mcp_server.middleware import SameOrigin, ShortErrors
from docgraph.mcp_server.server import build_server
from docgraph.orchestration.docgraph import Docgraph
from docgraph.settings import read_settings, secrets_of

PATH = "/mcp"
GRACE = 5
"""Seconds for running calls to finish after the server is stopped."""


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
    with server_log(token), _listening(host, port) as listener, suppress(KeyboardInterrupt):
        at = f"[{host}]" if ":" in host else host
        url = f"http://{at}:{listener.getsockname()[1]}"
        auth, verifier = (auth_settings(url), OneToken(token)) if token else (None, None)
        server = build_server(docgraph, writes_by=writes_by, auth=auth, verifier=verifier)
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            transport_security=security(host, names),
        )
        config = uvicorn.Config(
            SameOrigin(ShortErrors(app), own_hosts(host, names)),
            http=PatientProtocol,
            ws="none",
            proxy_headers=False,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        print(f"docgraph mcp listens on {url}{PATH}", file=sys.stderr, flush=True)
        anyio.run(_http, uvicorn.Server(config), listener)


async def _http(server: uvicorn.Server, listener: socket.socket) -> None:
    await server.serve(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    name = host.strip("[]")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else "unknown host name"
        raise EnvironmentProblem(
            f"cannot listen on {host[:100]}:{port}: {why}", hint="choose another --port or --host"
        ) from None
    return listener


def server_log(token: str = "") -> AbstractContextManager[None]:
    """Log to standard error as set in the settings; tracebacks only with DOCGRAPH_DEBUG."""
    settings = read_settings()
    return log_to(
        form=settings.log_format,
        level=settings.log_level,
        secrets=(*secrets_of(settings), token),
        tracebacks=bool(os.environ.get("DOCGRAPH_DEBUG")),
    )
