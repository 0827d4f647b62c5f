"""Setting sign-in up: what it needs, what it refuses, and that a half-made set-up never opens the door."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from docgraph.domain.person import Person
from docgraph.errors import DocgraphError, PluginError, SettingsError
from docgraph.plugins.stores.memory.sign_ins import MemorySignIns
from docgraph.settings import Settings, read_settings
from docgraph.ui.frame import signing
from docgraph.ui.frame.sign_ins import SignIns
from docgraph.ui.shell import server

WHOLE: dict[str, Any] = {
    "oidc_metadata_url": "https://id.example/.well-known/openid-configuration",
    "oidc_client_id": "docgraph",
    "oidc_client_secret": "s3cret-of-the-client",
    "public_url": "https://docs.example/",
    "cookie_secret": "k" * 32,
}


class Everybody:
    """Sign-ins that count, whatever token there is."""

    def person(self, sign_in_id: str, claims: Mapping[str, Any]) -> Person | None:
        return Person(name="Ann", role="viewer") if sign_in_id == "1" else None


def settings(**changes: Any) -> Settings:
    return read_settings(**{name: value for name, value in {**WHOLE, **changes}.items() if value is not None})


def test_the_framework_is_told_of_the_provider_and_where_to_come_back_to() -> None:
    told = signing.sign_in_secrets(settings())
    assert told == {
        "auth": {
            "redirect_uri": "https://docs.example/oauth2callback",
            "cookie_secret": "k" * 32,
            "client_id": "docgraph",
            "client_secret": "s3cret-of-the-client",
            "server_metadata_url": WHOLE["oidc_metadata_url"],
        }
    }


def test_without_a_provider_nobody_signs_in() -> None:
    assert signing.sign_in_secrets(Settings()) is None
    assert signing.person(Settings(), Everybody) is None
    assert not signing.sign_in_needed(Settings(), Everybody)


@pytest.mark.parametrize("lacking", ["oidc_client_id", "oidc_client_secret", "public_url"])
def test_a_provider_without_the_rest_is_refused_and_the_dashboard_does_not_start_open(
    lacking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsError, match=f"DOCGRAPH_{lacking.upper()}"):
        signing.sign_in_secrets(settings(**{lacking: None}))
    for name, value in WHOLE.items():
        if name != lacking:
            monkeypatch.setenv(f"DOCGRAPH_{name.upper()}", str(value))
    with pytest.raises(SettingsError, match=f"DOCGRAPH_{lacking.upper()}"):
        server.sign_in()


@pytest.mark.parametrize("name", ["oidc_metadata_url", "public_url"])
def test_a_sign_in_in_the_clear_is_for_this_machine_alone(name: str) -> None:
    with pytest.raises(SettingsError, match="http://"):
        signing.sign_in_secrets(settings(**{name: "http://docs.example/"}))
    for url in ("http://127.0.0.1:9400/", "http://localhost/", "http://[::1]:9400/"):
        assert signing.sign_in_secrets(settings(**{name: url}))


def test_a_short_cookie_secret_is_refused_without_being_repeated() -> None:
    with pytest.raises(SettingsError, match="cookie_secret") as refused:
        settings(cookie_secret="too-short-a-secret")
    assert "too-short-a-secret" not in str(refused.value)


def test_without_a_cookie_secret_every_start_has_its_own() -> None:
    one, other = (signing.sign_in_secrets(settings(cookie_secret=None)) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one["auth"]["cookie_secret"] != other["auth"]["cookie_secret"]
    assert len(one["auth"]["cookie_secret"]) >= 32


def test_without_the_library_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(PluginError, match="authlib") as refused:
        signing.sign_in_secrets(settings())
    assert "docgraph[sign-in]" in refused.value.hint


def test_accounts_are_read_from_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCGRAPH_ADMINS", " ann@docs.example, ,ben@docs.example,ann@docs.example")
    assert read_settings().admins == ("ann@docs.example", "ben@docs.example")


@pytest.mark.parametrize("given", ["subject-9", "ann@docs.example,subject-9", "sub:", "sub: "])
def test_a_subject_that_is_not_written_as_one_is_refused_at_start(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """An old list with bare subjects: read as addresses they would mean nobody, or somebody else."""
    monkeypatch.setenv("DOCGRAPH_CURATORS", given)
    with pytest.raises(SettingsError, match=r"sub:"):
        read_settings()
    monkeypatch.setenv("DOCGRAPH_CURATORS", "sub:subject-9,sub:boss@docs.example")
    assert read_settings().curators == ("sub:subject-9", "sub:boss@docs.example")


def test_the_public_name_is_answered_to() -> None:
    assert settings().answered_names == ("docs.example",)
    public = "https://docs.example:8443"
    names = settings(public_url=public, allowed_hosts=("other", "docs.example:8443")).answered_names
    assert names == ("other", "docs.example:8443")
    assert Settings().answered_names == ()


def test_a_page_s_reader_who_has_not_signed_in_reaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nobody:
        def to_dict(self) -> dict[str, Any]:
            return {"is_logged_in": False}

    monkeypatch.setattr("streamlit.user", Nobody())
    with pytest.raises(DocgraphError, match="nobody is signed in"):
        signing.person(settings(), lambda: SignIns(MemorySignIns(), lambda _: None, settings()))


def test_the_claims_of_a_cookie_are_nobody_s_without_the_sign_in_that_the_server_keeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page asks for both: the framework's cookie lives for thirty days, whatever became of the sign-in."""

    class Ann:
        def to_dict(self) -> dict[str, Any]:
            return {"is_logged_in": True, "sub": "ann", "iat": 1_000_000}

    monkeypatch.setattr("streamlit.user", Ann())
    monkeypatch.setattr(signing, "sign_in_id", lambda: "1")
    assert signing.person(settings(), Everybody) == Person(name="Ann", role="viewer")
    monkeypatch.setattr(signing, "sign_in_id", lambda: "")
    with pytest.raises(DocgraphError, match="nobody is signed in"):
        signing.person(settings(), Everybody)


def test_a_sign_in_ends_after_its_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = {"is_logged_in": True, "sub": "ann", "iat": 1_000_000}
    monkeypatch.setattr("time.time", lambda: 1_000_000 + 12 * 3600)
    assert signing.recognised(settings(), claims) is not None
    monkeypatch.setattr("time.time", lambda: 1_000_001 + 12 * 3600)
    assert signing.recognised(settings(), claims) is None
    assert not signing.is_turned_away(settings(default_role="none"), claims), "one may sign in again"


def test_who_may_not_use_docgraph_is_told_so() -> None:
    claims = {"is_logged_in": True, "sub": "ann", "iat": time.time()}
    assert signing.is_turned_away(settings(default_role="none"), claims)
    assert not signing.is_turned_away(settings(), claims)
    assert not signing.is_turned_away(settings(default_role="none"), {})
