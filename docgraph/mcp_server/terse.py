"""Refusals over HTTP in few words: the protocol's package would quote its whole parser to whoever sends nonsense."""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BAD_REQUEST = 400


class TerseRefusals:
    """Passes everything on, and keeps of the message of a JSON-RPC error with status 400 what stands before a colon."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        refusal: Message | None = None

        async def tell(message: Message) -> None:
            nonlocal refusal
            if message["type"] == "http.response.start" and message["status"] == BAD_REQUEST:
                refusal = message
                return
            if refusal is not None:
                start, refusal = refusal, None
                if not message.get("more_body", False):
                    message = {**message, "body": _terse(message.get("body", b""))}
                    start = {**start, "headers": _sized(start["headers"], len(message["body"]))}
                await send(start)
            await send(message)

        await self._app(scope, receive, tell)


def _terse(body: bytes) -> bytes:
    try:
        told = json.loads(body)
        told["error"]["message"] = told["error"]["message"].split(":")[0]
    except (ValueError, TypeError, KeyError, AttributeError):  # not JSON-RPC: a plain text of the transport
        return body
    return json.dumps(told).encode()


def _sized(headers: list[tuple[bytes, bytes]], size: int) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    return [*kept, (b"content-length", str(size).encode())]
