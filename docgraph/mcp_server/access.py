"""Access over HTTP: who may write, accepted host names, and the bearer token."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings

from docgraph.boundary.hosts import LOOPBACK
from docgraph.boundary.listening import is_token, token_digest
from docgraph.errors import UserError


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
        self._digest = token_digest(token)

    async def verify_token(self, token: str) -> AccessToken | None:
        """An access token for the right bearer token, else None."""
        if not is_token(token, self._digest):
            return None
        return AccessToken(token="", client_id="bearer", scopes=[])


def auth_settings(url: str) -> AuthSettings:
    """Settings for a bearer token without an authorization server."""
    return AuthSettings.model_validate({"issuer_url": url, "resource_server_url": None})
