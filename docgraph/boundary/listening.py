"""Being a server over HTTP: the bearer token, the address that is listened on, and serving until somebody stops it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import socket
from contextlib import suppress
from typing import Any

import uvicorn

from docgraph.boundary.hosts import is_loopback
from docgraph.boundary.timeouts import PatientProtocol
from docgraph.errors import EnvironmentProblem, SettingsError, UserError

MIN_TOKEN = 16
GRACE = 5
"""Seconds for running calls to finish after the server is stopped."""


def token_from(variable: str) -> str:
    """The token in an environment variable, which is removed so that child processes do not inherit it.

    Raises SettingsError when it is missing, too short, or not plain ASCII; the message never contains the token.
    """
    token = os.environ.pop(variable, "").strip() if variable.isascii() else ""
    if not token:
        raise SettingsError(f"the variable {variable[:60]} contains no token", hint=f"set it: export {variable[:60]}=…")
    if len(token) < MIN_TOKEN or not (token.isascii() and token.isprintable()) or " " in token:
        raise SettingsError(
            f"the token in {variable[:60]} is not usable: {len(token)} characters",
            hint=f"{MIN_TOKEN} letters and digits or more; create one with: openssl rand -hex 32",
        )
    return token


def token_digest(token: str) -> bytes:
    """SHA-256 of a token: what is kept of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def is_token(shown: str, digest: bytes) -> bool:
    """Whether ``shown`` is the token with this digest, compared in constant time."""
    return hmac.compare_digest(token_digest(shown), digest)


def check_address(host: str, *, has_token: bool) -> None:
    """Raises UserError for an address that other machines can reach without a token."""
    if has_token or is_loopback(host):
        return
    raise UserError(
        f"listening on {host[:100]!r} needs a token: everyone who can reach it could read the workspace",
        hint="use --host 127.0.0.1, or put a token into a variable and name it with --token-env",
    )


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; ``port`` 0 = a free one. Raises EnvironmentProblem when it cannot."""
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


def url_at(host: str, listener: socket.socket) -> str:
    """The address of a server, with the port that it got."""
    at = f"[{host}]" if ":" in host else host
    return f"http://{at}:{listener.getsockname()[1]}"


def serve(app: Any, listener: socket.socket) -> None:
    """Serve an ASGI application until it is interrupted or terminated; slow and silent clients are closed."""
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        proxy_headers=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    with suppress(KeyboardInterrupt):
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
