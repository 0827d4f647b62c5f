"""Access over HTTP: listening addresses, accepted host names, and the bearer token."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Sequence

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings

from docgraph.boundary.hosts import LOOPBACK, is_loopback
from docgraph.errors import SettingsError, UserError

MIN_TOKEN = 16


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


def check_address(host: str, *, has_token: bool) -> None:
    """Raises UserError for an address that other machines can reach without a token."""
    if has_token or is_loopback(host):
        return
    raise UserError(
        f"listening on {host[:100]!r} needs a token: everyone who can reach it could read the workspace",
        hint="use --host 127.0.0.1, or put a token into a variable and name it with --token-env",
    )


def check_writes(writes_by: str, *, has_token: bool) -> None:
    """Raises UserError where changes are allowed over HTTP without a token, on any address.

    Every program and every user of this machine can reach a loopback address.
    """
    if writes_by and not has_token:
        raise UserError(
            "changing relationships over HTTP needs a token, even on this machine",
            hint="export MCP_TOKEN=$(openssl rand -hex 32), and add --token-env MCP_TOKEN; or serve without --http",
        )


def security(host: str, names: Sequence[str]) -> TransportSecuritySettings:
    """The accepted ``Host`` and ``Origin`` headers: this machine's, the address's, and ``names``.

    All others are refused, which prevents DNS rebinding from a page in a browser.
    """
    own = [] if host in ("0.0.0.0", "::") else [f"[{host}]" if ":" in host else host]
    hosts = list(dict.fromkeys([*LOOPBACK, *own, *names]))
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=_with_ports(hosts), allowed_origins=_with_ports(origins)
    )


def _with_ports(names: Sequence[str]) -> list[str]:
    return [form for name in names for form in (name, f"{name}:*")]


class OneToken:
    """Verifies one bearer token in constant time."""

    def __init__(self, token: str) -> None:
        self._digest = _digest(token)

    async def verify_token(self, token: str) -> AccessToken | None:
        """An access token for the right bearer token, else None."""
        if not hmac.compare_digest(_digest(token), self._digest):
            return None
        return AccessToken(token="", client_id="bearer", scopes=[])


def auth_settings(url: str) -> AuthSettings:
    """Settings for a bearer token without an authorization server."""
    return AuthSettings.model_validate({"issuer_url": url, "resource_server_url": None})


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
