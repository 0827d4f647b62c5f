"""The command ``mcp``: serve a workspace to assistants over the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.boundary.installed import need_extra
from docgraph.cli.session import WorkspaceOption, ended_kindly, opened
from docgraph.domain.person import MAX_BY
from docgraph.errors import UserError

HOST, PORT = "127.0.0.1", 8765

HttpOption = Annotated[bool, typer.Option("--http", help="Streamable HTTP instead of standard input and output.")]
HostOption = Annotated[
    str | None, typer.Option("--host", metavar="ADDRESS", help=f"With --http: address to listen on.  [default: {HOST}]")
]
PortOption = Annotated[
    int | None,
    typer.Option(
        "--port", metavar="N", min=0, max=65_535, help=f"With --http; 0 takes a free port.  [default: {PORT}]"
    ),
]
TokenOption = Annotated[
    str | None, typer.Option("--token-env", metavar="NAME", help="With --http: variable with the bearer token.")
]
NamesOption = Annotated[
    list[str] | None,
    typer.Option("--allowed-host", metavar="NAME", help="With --http: another host name to answer under."),
]
WritesOption = Annotated[
    bool,
    typer.Option("--allow-writes", help="Let clients change relationships; needs --by, and --token-env with --http."),
]
ByOption = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Author of changes in the history.")]


def mcp(
    workspace: WorkspaceOption = None,
    http: HttpOption = False,
    host: HostOption = None,
    port: PortOption = None,
    token_env: TokenOption = None,
    allowed_host: NamesOption = None,
    allow_writes: WritesOption = False,
    by: ByOption = None,
) -> None:
    """Serve a workspace to assistants over MCP. Uses standard input and output, or --http."""
    need_extra("mcp", "docgraph mcp")
    writes_by = _writer(allow_writes, by)
    if not http:
        if host or port is not None or token_env or allowed_host:
            raise UserError(
                "--host, --port, --token-env and --allowed-host need --http", hint="add --http, or remove them"
            )
        from docgraph.mcp_server.serving import serve_stdio

        with ended_kindly(), opened(workspace) as docgraph:
            serve_stdio(docgraph, writes_by=writes_by)
        return
    from docgraph.boundary.listening import check_address, token_from
    from docgraph.mcp_server.access import check_writes
    from docgraph.mcp_server.serving import serve_http

    where = host or HOST
    token = token_from(token_env) if token_env else ""
    check_address(where, has_token=bool(token))
    check_writes(writes_by, has_token=bool(token))
    with ended_kindly(), opened(workspace) as docgraph:
        serve_http(
            docgraph,
            host=where,
            port=PORT if port is None else port,
            token=token,
            names=allowed_host or (),
            writes_by=writes_by,
        )


def _writer(allowed: bool, by: str | None) -> str:
    name = " ".join((by or "").split())[:MAX_BY]
    if allowed and not name:
        raise UserError("--allow-writes needs an author for the history", hint="add --by NAME")
    if name and not allowed:
        raise UserError("--by needs --allow-writes", hint="add --allow-writes, or remove --by")
    return name if allowed else ""
