"""Sign-in by OpenID Connect, where it is configured: who this session's reader is, and what a page shows until then."""

from __future__ import annotations

import importlib.util
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol
from urllib.parse import urlsplit

import streamlit as st

from docgraph.boundary.claims import RoleRules, person_of, signed_in_since
from docgraph.boundary.hosts import LOOPBACK
from docgraph.domain.person import Person
from docgraph.errors import ForbiddenError, PluginError, SettingsError
from docgraph.settings import PREFIX, Settings

NEEDED = ("oidc_metadata_url", "oidc_client_id", "oidc_client_secret", "public_url")
AHEAD_SECONDS = 300.0
"""So far apart the clocks of two machines may be."""
CALLBACK = "/oauth2callback"
HEADER = "x-docgraph-sign-in"
"""Set by the edge on what has the cookie of a sign-in; what a client sends under this name is taken away."""


def is_configured(settings: Settings) -> bool:
    """Whether visitors sign in: the identity provider is named."""
    return settings.oidc_metadata_url is not None


def sign_in_secrets(settings: Settings) -> dict[str, Any] | None:
    """What Streamlit is told of the provider (``st.App(secrets=…)``); None without sign-in.

    Raises SettingsError for a set-up that lacks something or sends sign-ins in the clear, PluginError without the
    library that speaks the protocol.
    """
    if not is_configured(settings):
        return None
    if missing := [PREFIX + name.upper() for name in NEEDED if getattr(settings, name) is None]:
        raise SettingsError(f"for sign-in there is no {missing[0]}", hint=f"set {', '.join(missing)} as well")
    assert settings.public_url is not None
    assert settings.oidc_client_secret is not None
    for name in ("oidc_metadata_url", "public_url"):
        _refuse_in_the_clear(name, getattr(settings, name))
    if importlib.util.find_spec("authlib") is None:
        raise PluginError("sign-in needs the package authlib", hint="install it: pip install 'docgraph[sign-in]'")
    signs = settings.cookie_secret.get_secret_value() if settings.cookie_secret else secrets.token_urlsafe(48)
    return {
        "auth": {
            "redirect_uri": settings.public_url.rstrip("/") + CALLBACK,
            "cookie_secret": signs,
            "client_id": settings.oidc_client_id,
            "client_secret": settings.oidc_client_secret.get_secret_value(),
            "server_metadata_url": settings.oidc_metadata_url,
        }
    }


class Knows(Protocol):
    """What tells whether a sign-in counts (``ui.frame.sign_ins.SignIns``)."""

    def person(self, sign_in_id: str, claims: Mapping[str, Any]) -> Person | None:
        """Who it is, None where it does not count. Raises StoreError."""
        ...


def person(settings: Settings, sign_ins: Callable[[], Knows]) -> Person | None:
    """Who this session's reader is; None where nobody signs in at all.

    Raises ForbiddenError when they did not yet, or their sign-in has ended meanwhile, and StoreError.
    """
    if not is_configured(settings):
        return None
    found = sign_ins().person(sign_in_id(), st.user.to_dict())
    if found is None:
        raise ForbiddenError("nobody is signed in here", hint="reload the page and sign in")
    return found


def sign_in_id() -> str:
    """Which sign-in this session began with, as the edge says; empty for none."""
    return str(st.context.headers.get(HEADER) or "")


def sign_in_needed(settings: Settings, sign_ins: Callable[[], Knows]) -> bool:
    """Whether this page shows the sign-in, and nothing else: drawn here, with what went wrong so far.

    Raises StoreError.
    """
    if not is_configured(settings):
        return False
    claims = st.user.to_dict()
    if recognised(settings, claims) is not None and sign_ins().person(sign_in_id(), claims) is not None:
        return False
    _page(turned_away=is_turned_away(settings, claims))
    return True


def is_turned_away(settings: Settings, claims: Mapping[str, Any]) -> bool:
    """Whether somebody did sign in whose account may not use docgraph."""
    is_in_time = bool(claims.get("is_logged_in")) and not _expired(settings, claims)
    return is_in_time and recognised(settings, claims) is None


def recognised(settings: Settings, claims: Mapping[str, Any]) -> Person | None:
    """Who the claims of a sign-in name, with the role of now; None for nobody, and once its hours are over."""
    if not claims.get("is_logged_in") or _expired(settings, claims):
        return None
    rules = RoleRules(settings.admins, settings.curators, settings.role_claim, settings.default_role)
    return person_of(claims, rules)


def _expired(settings: Settings, claims: Mapping[str, Any]) -> bool:
    since = signed_in_since(claims)
    return since is None or is_ahead(since) or not time.time() - since <= settings.sign_in_hours * 3600


def is_ahead(moment: float) -> bool:
    """Whether seconds since 1970 are of a future that clocks which go well do not know: one was set since, or lies."""
    return moment - time.time() > AHEAD_SECONDS


def _page(*, turned_away: bool) -> None:
    with st.container(key="dg-signin", gap="small"):
        st.html('<h1 class="dg-h1">Sign in to docgraph</h1>')
        if turned_away:
            st.html('<p role="alert">This account may not use docgraph here. Ask an admin, or use another account.</p>')
            st.button("Sign out", on_click=st.logout, key="docgraph.signout")
            return
        st.html('<p class="dg-note">Plans, documents and relationships are for people who are signed in.</p>')
        st.button("Sign in", type="primary", on_click=st.login, key="docgraph.signin", width="stretch")


def _refuse_in_the_clear(name: str, url: str) -> None:
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "https" and host not in LOOPBACK and f"[{host}]" not in LOOPBACK:
        raise SettingsError(
            f"{PREFIX}{name.upper()} begins with http://, and whoever listens could sign in",
            hint="use https://, or a loopback address to try it out",
        )
