"""The security headers of every answer of the dashboard, as a pure ASGI middleware."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from streamlit import file_util

from docgraph.boundary.hosts import Host, is_own_host, parse_host
from docgraph.ui.shell.refusals import values

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_POLICY = b"content-security-policy"
_NAMES = frozenset((_POLICY, *(name for name, _ in HEADERS)))
_INLINE_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def content_security_policy(host: Host | None) -> str:
    """What Streamlit needs to render everything docgraph shows, and nothing from another machine.

    ``host`` = the name that the page was asked under, one of the dashboard's own: its WebSocket is named, because
    ``'self'`` means it in Chromium from 71, Firefox and Safari from 16 on, and not before. (A source cannot name an
    IPv6 address: there ``'self'`` has to do.)
    """
    sockets = "" if host is None or host.name.startswith("[") else _sockets(host)
    return "; ".join(
        (
            "default-src 'self'",
            "img-src 'self' data: blob:",
            "style-src 'self' 'unsafe-inline'",
            # The framework makes a script of each component out of a blob, and counts in 64 bits by WebAssembly.
            f"script-src 'self' blob: 'wasm-unsafe-eval' {' '.join(inline_scripts())}",
            "script-src-attr 'none'",
            f"connect-src 'self'{sockets} data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "frame-src 'none'",
            "frame-ancestors 'self'",
            "form-action 'self'",
            "object-src 'none'",
            "base-uri 'self'",
        )
    )


def _sockets(host: Host) -> str:
    name = host.name if host.port is None else f"{host.name}:{host.port}"
    return f" ws://{name} wss://{name}"


@cache
def inline_scripts() -> tuple[str, ...]:
    """The hashes of the scripts that stand in the framework's own page, as it is installed: no other one may run."""
    page = (Path(file_util.get_static_dir()) / "index.html").read_text(encoding="utf-8")
    found = _INLINE_SCRIPT.finditer(_COMMENT.sub("", page))
    return tuple(
        f"'sha256-{base64.b64encode(hashlib.sha256(script['text'].encode()).digest()).decode()}'"
        for script in found
        if "src" not in script["attributes"].lower()
    )


class SecurityHeaders:
    """Adds the headers to every HTTP answer; a header of the same name that was set already is replaced."""

    def __init__(self, app: Any, own: Sequence[Host] = ()) -> None:
        self.app = app
        self.own = tuple(own)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI entry; WebSocket and lifespan traffic passes untouched."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        hosts = values(scope, b"host")
        host = parse_host(hosts[0]) if is_own_host(hosts, self.own) else None
        headers = [(_POLICY, content_security_policy(host).encode()), *HEADERS]

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in _NAMES]
                message = {**message, "headers": [*kept, *headers]}
            await send(message)

        await self.app(scope, receive, send_with_headers)
