"""Refuses bytes from whoever has not signed in, before the framework takes them, as an ASGI middleware.

The framework takes uploads from every session, and a session begins before anybody has signed in. With sign-in
configured, whatever sends a body needs the cookie of a sign-in that still counts.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

from docgraph.ui.shell.refusals import refuse, values

READS = frozenset(("GET", "HEAD", "OPTIONS"))
UNAUTHORIZED = 401
SIGN_IN_FIRST = "Sign in first: docgraph takes no files from visitors who are not signed in.\n"
Claims = Mapping[str, Any]

_log = logging.getLogger(__name__)


class SignedInBytes:
    """Lets a request that sends something through when ``is_known`` says yes to the claims of its cookie.

    Reading and web sockets pass: every page and every script asks for the sign-in itself. ``is_known`` is ``None``
    where nobody signs in; then everything passes.
    """

    def __init__(self, app: Any, is_known: Callable[[Claims], bool] | None) -> None:
        self.app, self._is_known = app, is_known

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI entry; everything but HTTP passes."""
        sends = scope["type"] == "http" and scope["method"].upper() not in READS
        if sends and self._is_known is not None and not self._is_known(claims_of(scope)):
            await refuse(scope, receive, send, UNAUTHORIZED, SIGN_IN_FIRST)
        else:
            await self.app(scope, receive, send)


def claims_of(scope: Any) -> Claims:
    """What the cookie of a sign-in says, as the framework keeps and signs it; nothing where it is not whole.

    A cookie of another origin than the request's counts for nothing, as for the framework.
    """
    from streamlit.auth_util import get_cookie_with_chunks
    from streamlit.web.server.server_util import AUTH_COOKIE_NAME, get_cookie_secret
    from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value

    cookies = _cookies(scope)
    secret = get_cookie_secret()

    def decoded(name: str) -> bytes | None:
        value = cookies.get(name)
        return None if value is None else decode_signed_value(secret, name, value.encode("latin-1"))

    try:
        found = get_cookie_with_chunks(decoded, AUTH_COOKIE_NAME)
        claims = json.loads(found) if found else {}
    except (ValueError, UnicodeError) as problem:
        _log.warning("the cookie of a sign-in cannot be read: %s", type(problem).__name__)
        return {}
    origins = values(scope, b"origin")
    if not isinstance(claims, dict) or not origins or claims.get("origin") != origins[0]:
        return {}
    return claims


def _cookies(scope: Any) -> dict[str, str]:
    jar: SimpleCookie = SimpleCookie()
    for text in values(scope, b"cookie"):
        try:
            jar.load(text)
        except CookieError:
            return {}
    return {name: morsel.value for name, morsel in jar.items()}
