"""The security headers of every answer of the dashboard, as a pure ASGI middleware."""

from __future__ import annotations

from typing import Any

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self' 'unsafe-inline' blob: 'wasm-unsafe-eval'",
        "connect-src 'self' ws: wss: data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "frame-ancestors 'self'",
        "form-action 'self'",
        "object-src 'none'",
        "base-uri 'self'",
    )
)
"""What Streamlit needs to render everything docgraph shows, and nothing from another machine."""

HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)


class SecurityHeaders:
    """Adds ``HEADERS`` to every HTTP answer; a header of the same name that was set already is replaced."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI entry; WebSocket and lifespan traffic passes untouched."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in HEADERS}
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in own]
                message = {**message, "headers": [*kept, *HEADERS]}
            await send(message)

        await self.app(scope, receive, send_with_headers)
