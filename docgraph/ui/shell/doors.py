"""Every route of the server, and who may come in by it where people sign in; SECURITY.md shows the same table."""

from __future__ import annotations

from typing import Literal

Door = Literal["everybody", "sign-in page", "signed in", "admin", "metrics", "upload", "socket", "nobody"]
"""Who may.

*everybody*: a bare answer, and the way to the sign-in. *sign-in page*: what its page is made of, which says nothing of
any workspace. *metrics*: who is signed in, or has the token. *upload*: who is signed in, into a page of their own.
*socket*: who is signed in; anybody else gets as much of one as the sign-in page needs. *nobody*: where people sign in
it is not there.
"""

ROUTES: dict[str, Door] = {
    "/": "sign-in page",
    "/docgraph-assets": "signed in",
    "/docgraph-backup/{word}": "admin",
    "/docgraph-health": "everybody",
    "/_stcore/health": "everybody",
    "/_stcore/metrics": "metrics",
    "/_stcore/host-config": "sign-in page",
    "/media/{file_id:path}": "signed in",
    "/_stcore/upload_file/{session_id}/{file_id}": "upload",
    "/component/{path:path}": "signed in",
    "/_stcore/bidi-components/{path:path}": "signed in",
    "/_stcore/stream": "socket",
    "/auth/login": "everybody",
    "/auth/logout": "everybody",
    "/oauth2callback": "everybody",
    "/_stcore/agent/interact": "nobody",
    "/_stcore/agent/openapi.json": "nobody",
    "/_stcore/agent/mcp": "nobody",
}
"""A route of the server → who may. What stands below ``_RESERVED`` in no route of this table needs a sign-in."""

CALLBACK, LOGOUT = "/oauth2callback", "/auth/logout"
UPLOADS = "/_stcore/upload_file/"
_RESERVED = ("/_stcore", "/app/static", "/media", "/component", "/docgraph-", "/auth")
_FIXED: dict[str, Door] = {route.partition("{")[0].rstrip("/"): door for route, door in ROUTES.items() if route != "/"}


def door_of(path: str) -> Door:
    """By which door a path leads: the longest route that it begins with, else that of the pages."""
    asked = path.rstrip("/")
    fitting = [route for route in _FIXED if asked == route or asked.startswith(f"{route}/")]
    if fitting:
        return _FIXED[max(fitting, key=len)]
    return "signed in" if path.startswith(_RESERVED) else ROUTES["/"]
