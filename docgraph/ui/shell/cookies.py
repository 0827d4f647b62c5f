"""The cookies of a sign-in: what the framework's says, docgraph's own token beside it, and how both are set."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any

from docgraph.ui.shell.refusals import values

TOKEN = "docgraph_sign_in"
"""The cookie that holds the token of a sign-in."""
Claims = Mapping[str, Any]
Headers = Sequence[tuple[bytes, bytes]]

_log = logging.getLogger(__name__)


def cookies_of(scope: Any) -> dict[str, str]:
    """The cookies of a request; none where they cannot be read."""
    return _read(values(scope, b"cookie"))


def set_by(headers: Headers) -> dict[str, str]:
    """The cookies that an answer sets, without those that it takes away."""
    lines = [value.decode("latin-1") for name, value in headers if name.lower() == b"set-cookie"]
    return {name: value for line in lines for name, value in _read([line]).items() if value}


def claims_of(cookies: Mapping[str, str], origins: Iterable[str]) -> Claims:
    """What the cookie of a sign-in says, as the framework keeps and signs it; nothing where it is not whole.

    Without the origin that it was made for among ``origins`` it counts for nothing, as for the framework.
    """
    from streamlit.auth_util import get_cookie_with_chunks
    from streamlit.web.server.server_util import AUTH_COOKIE_NAME, get_cookie_secret
    from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value

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
    return claims if isinstance(claims, dict) and claims.get("origin") in tuple(origins) else {}


def without_sign_in(scope: Any) -> Any:
    """The request without any cookie of a sign-in: behind the edge nobody has signed in."""
    from streamlit.web.server.server_util import AUTH_COOKIE_NAME

    each = [part.strip() for line in values(scope, b"cookie") for part in line.split(";")]
    kept = [part for part in each if part and not part.startswith(AUTH_COOKIE_NAME)]
    headers = [pair for pair in scope["headers"] if pair[0].lower() != b"cookie"]
    return {**scope, "headers": [*headers, (b"cookie", "; ".join(kept).encode("latin-1"))]}


def token_cookie(token: str, *, seconds: int, secure: bool, path: str = "/") -> tuple[bytes, bytes]:
    """The header that gives a browser its token; an empty one takes it away."""
    age = seconds if token else 0
    line = f"{TOKEN}={token}; HttpOnly; SameSite=Lax; Path={path}; Max-Age={age}{'; Secure' if secure else ''}"
    return b"set-cookie", line.encode("latin-1")


def _read(lines: Iterable[str]) -> dict[str, str]:
    jar: SimpleCookie = SimpleCookie()
    for text in lines:
        try:
            jar.load(text)
        except CookieError:
            return {}
    return {name: morsel.value for name, morsel in jar.items()}
