"""The command ``serve``: the Python API over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.bootstrap import connect
from docgraph.boundary.hosts import checked_names
from docgraph.boundary.installed import need_extra
from docgraph.cli.session import ended_kindly
from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import UserError

HOST, PORT = "127.0.0.1", 8766


def serve(
    workspace: Annotated[
        list[str] | None,
        typer.Option("--workspace", "-w", metavar="NAME", help="Serve only this workspace (repeatable; default: all)."),
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = HOST,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65_535, help="Port; 0 takes a free one.")
    ] = PORT,
    token_env: Annotated[
        str | None, typer.Option("--token-env", metavar="NAME", help="Variable with the bearer token that may read.")
    ] = None,
    write_token_env: Annotated[
        str | None,
        typer.Option("--write-token-env", metavar="NAME", help="Variable with the bearer token that may also edit."),
    ] = None,
    allowed_host: Annotated[
        list[str] | None, typer.Option("--allowed-host", metavar="NAME", help="Another host name to answer under.")
    ] = None,
) -> None:
    """Serve the HTTP API on this machine. Read-only without --write-token-env; Ctrl+C stops it."""
    need_extra("serve", "docgraph serve")
    from docgraph.boundary.listening import check_address, token_from
    from docgraph.http_server.access import Access
    from docgraph.http_server.serving import serve_http

    only = [checked_workspace_name(name) for name in workspace or ()]
    try:
        checked_names(allowed_host or [])
    except ValueError as error:
        raise UserError(f"--allowed-host: {error}", hint="give the name as the Host header has it") from None
    read_token = token_from(token_env) if token_env else ""
    write_token = token_from(write_token_env) if write_token_env else ""
    Access.by(read_token, write_token)
    check_address(host, has_token=bool(read_token or write_token))
    with ended_kindly(), connect(workspace=only[0] if only else None) as docgraph:
        serve_http(
            docgraph,
            host=host,
            port=port,
            read_token=read_token,
            write_token=write_token,
            names=allowed_host or (),
            only=only,
        )
