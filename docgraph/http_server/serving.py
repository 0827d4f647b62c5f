"""Serves the application on an address until it is stopped."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence

from docgraph.boundary.hosts import own_hosts
from docgraph.boundary.listening import check_address, listening, serve, url_at
from docgraph.boundary.logs import log_to
from docgraph.http_server.access import Access, Guard
from docgraph.http_server.application import Workplace, application
from docgraph.orchestration.docgraph import Docgraph
from docgraph.settings import read_settings, secrets_of


def serve_http(
    docgraph: Docgraph,
    *,
    host: str,
    port: int,
    read_token: str = "",
    write_token: str = "",
    names: Sequence[str] = (),
    only: Collection[str] = (),
) -> None:
    """Serve until interrupted; ``port`` 0 = a free one, printed on standard error.

    ``names`` = further accepted host names, ``only`` = the workspaces to serve (empty: all). Raises UserError for an
    address that other machines can reach without a token, and EnvironmentProblem when it cannot listen there.
    """
    check_address(host, has_token=bool(read_token or write_token))
    access, settings = Access.by(read_token, write_token), read_settings()
    log = log_to(
        form=settings.log_format,
        level=settings.log_level,
        secrets=(*secrets_of(settings), read_token, write_token),
        tracebacks=bool(os.environ.get("DOCGRAPH_DEBUG")),
    )
    with log, listening(host, port) as listener:
        app = Guard(application(Workplace(docgraph, only=only), access), own_hosts(host, names))
        print(f"docgraph serve listens on {url_at(host, listener)}", file=sys.stderr, flush=True)
        serve(app, listener)
