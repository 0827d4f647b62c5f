"""Behind a proxy: the request reaches everything behind the edge as its visitor made it, or as nobody's."""

from __future__ import annotations

import asyncio
import os
import runpy
from collections.abc import Iterable
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from docgraph.boundary.hosts import FORWARDING
from docgraph.errors import SettingsError
from docgraph.settings import read_settings
from docgraph.ui.frame import launcher
from docgraph.ui.frame.visitor import HEADER, LOCAL, REMOTE
from docgraph.ui.shell.known_hosts import NamedProxies

PROXY = "10.0.0.1"


def _seen(
    *headers: tuple[str, str], peer: str | None = PROXY, kind: str = "http", proxies: Iterable[str] = ("10.0.0.0/8",)
) -> tuple[Any, list[Any]]:
    """(the request as it is behind the edge, or None; what was sent back instead)."""
    seen: list[Any] = [None]
    sent: list[Any] = []

    async def framework(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    async def receive() -> Any:
        return {"type": f"{kind}.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "scheme": "http" if kind == "http" else "ws",
        "client": None if peer is None else (peer, 4711),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }
    app = NamedProxies(framework, tuple(map(ip_network, proxies)))
    asyncio.run(app(scope, receive, send))
    return seen[-1], sent


def _values(scope: Any, name: str) -> list[str]:
    return [value.decode() for key, value in scope["headers"] if key.lower() == name.encode()]


def _where(*headers: tuple[str, str], peer: str | None = PROXY, proxies: Iterable[str] = ("10.0.0.0/8",)) -> str:
    scope, _ = _seen(*headers, peer=peer, proxies=proxies)
    (where,) = _values(scope, HEADER)
    return where


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_named_proxy_s_headers_take_the_place_of_its_own_address_name_and_scheme(kind: str) -> None:
    said = (("X-Forwarded-For", "198.51.100.3"), ("X-Forwarded-Host", "docs.example"), ("X-Forwarded-Proto", "https"))
    scope, _ = _seen(("host", "inner:8501"), *said, kind=kind)
    assert (scope["client"], _values(scope, "host")) == (("198.51.100.3", 0), ["docs.example"])
    assert scope["scheme"] == {"http": "https", "websocket": "wss"}[kind]


@pytest.mark.parametrize("peer", [PROXY, "203.0.113.9", "127.0.0.1"])
@pytest.mark.parametrize("name", FORWARDING)
def test_no_forwarding_header_reaches_anything_behind_the_edge(name: str, peer: str) -> None:
    value = {"forwarded": "for=198.51.100.3", "x-forwarded-proto": "https"}.get(name, "198.51.100.3")
    scope, _ = _seen(("host", "localhost"), (name.upper(), value), peer=peer)
    assert _values(scope, name) == []


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_of_a_peer_that_was_not_named_nothing_is_believed(kind: str) -> None:
    said = (("x-forwarded-for", "127.0.0.1"), ("x-forwarded-host", "localhost"), ("x-forwarded-proto", "https"))
    scope, _ = _seen(("host", "evil.example"), *said, peer="203.0.113.9", kind=kind)
    assert (scope["client"], _values(scope, "host")) == (("203.0.113.9", 4711), ["evil.example"])
    assert scope["scheme"] == {"http": "http", "websocket": "ws"}[kind]


HERE = ("host", "127.0.0.1:8501")


@pytest.mark.parametrize(
    ("headers", "peer", "where"),
    [
        ([HERE], "127.0.0.1", LOCAL),
        ([("host", "[::1]:8501")], "::1", LOCAL),
        ([HERE], "::ffff:127.0.0.1", LOCAL),
        ([HERE], "192.168.1.5", REMOTE),
        ([HERE], None, REMOTE),
        ([HERE], PROXY, REMOTE),
        ([("host", "docs.example")], "127.0.0.1", REMOTE),
        ([("host", "localhost.evil.example")], "127.0.0.1", REMOTE),
        ([HERE, HERE], "127.0.0.1", REMOTE),
        ([], "127.0.0.1", REMOTE),
        ([HERE, ("x-forwarded-for", "127.0.0.1")], "127.0.0.1", REMOTE),
        ([HERE, ("forwarded", "for=127.0.0.1")], "127.0.0.1", REMOTE),
        ([HERE, ("x-real-ip", "127.0.0.1")], "127.0.0.1", REMOTE),
        ([HERE, ("x-forwarded-for", "127.0.0.1")], "192.168.1.5", REMOTE),
        ([HERE, (HEADER, LOCAL)], "192.168.1.5", REMOTE),
        ([HERE, ("x-forwarded-for", "127.0.0.1, 198.51.100.3")], PROXY, REMOTE),
        ([HERE, ("x-forwarded-for", "unknown")], PROXY, REMOTE),
        ([HERE, ("x-forwarded-for", "127.0.0.1"), ("x-forwarded-host", "docs.example")], PROXY, REMOTE),
        ([HERE, ("x-forwarded-for", "127.0.0.1")], PROXY, LOCAL),
    ],
)
def test_a_visitor_is_local_by_address_and_name_and_where_nobody_knows_remote(
    headers: list[tuple[str, str]], peer: str | None, where: str
) -> None:
    assert _where(*headers, peer=peer) == where


def test_a_visitor_behind_a_proxy_on_this_machine_is_not_local() -> None:
    told = (HERE, ("x-forwarded-for", "198.51.100.3"))
    assert _where(*told, peer="127.0.0.1", proxies=()) == REMOTE
    assert _where(*told, peer="127.0.0.1", proxies=("127.0.0.1",)) == REMOTE
    assert _where(HERE, peer="127.0.0.1", proxies=("127.0.0.1",)) == REMOTE, "a named proxy that says nothing"


def test_headers_that_contradict_each_other_are_refused_in_one_line() -> None:
    scope, (start, body) = _seen(HERE, ("x-forwarded-for", "198.51.100.3"), ("forwarded", "for=127.0.0.1"))
    assert (scope, start["status"]) == (None, 400)
    assert body["body"].count(b"\n") == 1


@pytest.mark.parametrize("name", ["proxy.example", "10.0.0.1/8", "*", "10.0.0.0/33"])
def test_a_proxy_is_named_by_address_or_network_and_anything_else_is_refused_in_words(name: str) -> None:
    with pytest.raises(SettingsError, match="trusted_proxies"):
        read_settings(trusted_proxies=name)


def test_the_setting_takes_addresses_and_networks_and_is_empty_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().trusted_proxies == ()
    monkeypatch.setenv("DOCGRAPH_TRUSTED_PROXIES", "10.0.0.7, fd00::/8")
    assert read_settings().trusted_proxies == ("10.0.0.7", "fd00::/8")
    assert not read_settings().import_from_path


def test_the_server_itself_believes_no_forwarding_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would believe every process of this machine, and make its word the address of the visitor."""
    from uvicorn import Config

    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    served: list[Any] = []
    app = SimpleNamespace(run=lambda config: served.append(Config(app=None, factory=False).forwarded_allow_ips))  # type: ignore[arg-type]
    monkeypatch.setattr(runpy, "run_path", lambda *_, **__: {"app": app})
    monkeypatch.setattr("sys.argv", [])
    launcher._serve(Path("/"), {})
    assert (served, os.environ["FORWARDED_ALLOW_IPS"]) == ([""], "")
