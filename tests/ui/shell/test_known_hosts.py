"""Who may ask the dashboard: names and pages are checked before the framework sees a request."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network
from typing import Any

import pytest

from docgraph.boundary.hosts import own_hosts
from docgraph.errors import SettingsError
from docgraph.settings import Settings, read_settings
from docgraph.ui.frame.launcher import server_config, who_may_ask
from docgraph.ui.shell import server
from docgraph.ui.shell.edge import Edge
from docgraph.ui.shell.known_hosts import KnownHosts, NamedProxies
from docgraph.ui.shell.security_headers import SecurityHeaders

OWN = own_hosts("127.0.0.1", ("docs.example", "wiki.example:8443"))


def asked(
    kind: str, headers: list[tuple[str, str]], *, path: str = "/", extensions: tuple[str, ...] = ()
) -> tuple[list[Any], list[Any]]:
    """(what the framework saw, what was sent back instead)."""
    seen: list[Any] = []
    sent: list[Any] = []

    async def framework(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    async def receive() -> Any:
        return {"type": f"{kind}.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "path": path,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        "extensions": {name: {} for name in extensions},
    }
    asyncio.run(KnownHosts(framework, OWN)(scope, receive, send))
    return seen, sent


def answered(kind: str, host: str, origin: str | None) -> bool:
    headers = [("host", host), *([] if origin is None else [("origin", origin)])]
    return bool(asked(kind, headers)[0])


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1:8501",
        "LOCALHOST:80",
        "localhost.:9",
        "[::1]:8501",
        "[::1]",
        "docs.example:1",
        "wiki.example:8443",
    ],
)
def test_a_name_of_one_s_own_is_answered_whatever_its_port_unless_one_is_named(kind: str, host: str) -> None:
    assert answered(kind, host, None)


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:8501",
        "wiki.example",
        "wiki.example:443",
        "",
        "localhost:",
        "localhost:0",
        "localhost:99999",
        "user@localhost",
        "localhost/x",
        "::1",
        "café",
        "0.0.0.0",
    ],
)
def test_a_foreign_name_is_refused_before_the_framework_sees_it(kind: str, host: str) -> None:
    assert not answered(kind, host, None)


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config"])
def test_a_refusal_is_one_line_that_says_which_setting_allows_it(path: str) -> None:
    seen, (start, body) = asked("http", [("host", "evil.example\x1b[2J")], path=path)
    assert (seen, start["status"]) == ([], 421)
    assert body["body"].decode() == (
        "docgraph does not answer to the name 'evil.example\\x1b[2J'. "
        "If it is this server's, add it to DOCGRAPH_ALLOWED_HOSTS and start docgraph again.\n"
    )


@pytest.mark.parametrize("headers", [[], [("host", "localhost"), ("host", "evil.example")]])
def test_a_request_without_one_host_is_refused(headers: list[tuple[str, str]]) -> None:
    seen, (start, body) = asked("http", headers)
    assert (seen, start["status"]) == ([], 421)
    assert f"{len(headers)} Host headers" in body["body"].decode()


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8501", "http://localhost:8501"),
        ("localhost", "http://localhost"),
        ("localhost:80", "http://localhost"),
        ("docs.example", "https://docs.example:443"),
        ("[::1]:8501", "http://[::1]:8501"),
        ("127.0.0.1:8501", "https://docs.example"),
        ("127.0.0.1:8501", "https://wiki.example:8443"),
    ],
)
def test_a_page_of_one_s_own_is_answered_as_of_the_same_origin(host: str, origin: str) -> None:
    """The framework compares both letter by letter, and asks another machine where they differ."""
    seen, _ = asked("websocket", [("host", host), ("origin", origin)])
    headers = dict(seen[0]["headers"])
    assert headers[b"origin"].decode() == f"{origin.partition(':')[0]}://{host}"
    assert [name for name, _ in seen[0]["headers"]].count(b"origin") == 1


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost:8502",
        "http://localhost",
        "https://localhost:8501.evil.example",
        "null",
        "",
        "file://",
        "http://127.0.0.1:8501",
        "https://docs.example:9999",
        "http://x@localhost:8501",
    ],
)
def test_a_foreign_page_is_refused_before_the_framework_sees_it(kind: str, origin: str) -> None:
    """Any WebSocket with a foreign Origin made the framework ask an outside host for this machine's address."""
    assert not answered(kind, "localhost:8501", origin)


@pytest.mark.parametrize(
    ("site", "mode", "destination", "let_through"),
    [
        ("cross-site", "no-cors", "image", False),
        ("cross-site", "no-cors", "script", False),
        ("cross-site", "navigate", "iframe", False),
        ("cross-site", "cors", "empty", False),
        ("same-site", "no-cors", "script", False),
        ("same-origin, none", "no-cors", "script", False),
        ("cross-site", "navigate", "document", True),
        ("same-origin", "no-cors", "script", True),
        ("none", "navigate", "document", True),
        ("", "", "", True),
    ],
)
def test_a_foreign_page_may_link_but_load_nothing(site: str, mode: str, destination: str, let_through: bool) -> None:
    """A picture, a script and a frame are asked for without an Origin."""
    said = [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", destination)]
    seen, sent = asked("http", [("host", "localhost:8501"), *((name, value) for name, value in said if value)])
    assert bool(seen) is let_through
    assert let_through or sent[0]["status"] == 403


def test_two_origins_are_refused() -> None:
    own = ("origin", "http://localhost")
    assert asked("websocket", [("host", "localhost"), own, own])[0] == []


def test_a_websocket_is_refused_in_its_handshake_with_the_line_where_the_server_can() -> None:
    headers = [("host", "localhost:8501"), ("origin", "https://evil.example")]
    _, (start, body) = asked("websocket", headers, extensions=("websocket.http.response",))
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 403)
    assert b"https://evil.example" in body["body"]
    assert b"DOCGRAPH_ALLOWED_HOSTS" in body["body"]
    _, sent = asked("websocket", headers)
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_the_dashboard_looks_behind_proxies_then_sets_headers_then_checks_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DOCGRAPH_ALLOWED_HOSTS", "docs.example, wiki.example:8443")
    monkeypatch.setenv("DOCGRAPH_TRUSTED_PROXIES", "10.0.0.7, fd00::/8")
    server.house.cache_clear()
    outer, middle, inner, edge = server.middleware()
    assert (outer.cls, middle.cls, inner.cls) == (NamedProxies, SecurityHeaders, KnownHosts)
    assert (edge.cls, edge.kwargs["house"].sign_ins) == (Edge, None), "nobody signs in here"
    assert outer.kwargs == {"proxies": (ip_network("10.0.0.7"), ip_network("fd00::/8"))}
    assert middle.kwargs == inner.kwargs == {"own": OWN}
    monkeypatch.setenv("DOCGRAPH_ALLOWED_HOSTS", "https://docs.example/x")
    server.house.cache_clear()
    outer, _, inner, edge = server.middleware()
    server.house.cache_clear()
    nobody = edge.kwargs["house"].sign_ins()
    assert nobody.person("1", {"sub": "ann"}) is None, "with broken settings nobody is known"
    assert (outer.kwargs, inner.kwargs) == ({"proxies": ()}, {"own": own_hosts("127.0.0.1")})


@pytest.mark.parametrize("name", ["https://docs.example", "*", "a b", "docs.example:x"])
def test_a_name_that_is_none_is_refused_in_words(name: str) -> None:
    with pytest.raises(SettingsError, match="allowed_hosts"):
        read_settings(allowed_hosts=name)


def test_the_setting_names_hosts_with_or_without_ports() -> None:
    assert Settings(allowed_hosts="docs.example,[::2]:80").allowed_hosts == ("docs.example", "[::2]:80")  # type: ignore[arg-type]
    assert read_settings().allowed_hosts == ()


def test_listening_to_every_address_allows_no_name_by_itself_and_says_so() -> None:
    config = server_config("0.0.0.0", 1, allowed_hosts=("docs.example:9",), max_upload_mb=20, open_browser=False)
    assert config["server.allowedHosts"] == ["localhost", "127.0.0.1", "::1", "docs.example"]
    assert config["browser.serverAddress"] == "127.0.0.1"
    assert "DOCGRAPH_ALLOWED_HOSTS" in who_may_ask("0.0.0.0", ())
    assert who_may_ask("0.0.0.0", ("docs.example",)) == who_may_ask("127.0.0.1", ()) == ""
