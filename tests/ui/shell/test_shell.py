"""The frame around the pages: navigation, headers, ports, configuration, escaping, tokens."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib.util
import re
import socket
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Mount
from streamlit import file_util

from docgraph.boundary.hosts import Host, own_hosts
from docgraph.boundary.installed import dashboard_folder
from docgraph.errors import EnvironmentProblem
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.bar.workspace_menu import SWITCHER
from docgraph.ui.frame import layout, navigation, resources
from docgraph.ui.frame.launcher import MAX_FILES, allow_files, free_port, url_of
from docgraph.ui.frame.navigation import page_files
from docgraph.ui.shell import server
from docgraph.ui.shell.security_headers import (
    HEADERS,
    SecurityHeaders,
    content_security_policy,
    inline_scripts,
)
from tests import ROOT
from tests.ui.conftest import Open, page_text

# ---------------------------------------------------------------- pages are found


def test_a_page_is_one_file_with_a_constant(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text('PAGE = {"title": "Late", "order": 50}\n')
    (tmp_path / "early.py").write_text(
        '"""Doc."""\nPAGE: dict = {"title": "Early", "order": 5, "icon": ":material/hub:"}\n'
    )
    (tmp_path / "helper.py").write_text("x = 1\n")
    found = page_files(tmp_path)
    assert [(page.name, page.title, page.icon) for page in found] == [
        ("early", "Early", ":material/hub:"),
        ("late", "Late", None),
    ]


def test_finding_pages_runs_none_of_them(tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text('PAGE = {"title": "Trap", "order": 1}\nraise SystemExit("ran")\n')
    assert [page.title for page in page_files(tmp_path)] == ["Trap"]


def test_home_comes_first_and_every_page_has_an_order_of_its_own() -> None:
    pages = navigation.pages()
    assert pages[0].name == "home"
    assert {"home", "library"} <= {page.name for page in pages}
    assert len({page.order for page in pages}) == len(pages)


def test_the_header_says_revision_and_that_nothing_is_written(harbor: Docgraph, open_page: Open) -> None:
    text = page_text(open_page())
    assert harbor.workspace.revision[:6] in text
    assert "Read-only" in text


def test_switching_the_workspace_switches_what_every_page_shows(harbor: Docgraph, open_page: Open) -> None:
    harbor.create_workspace("second")
    at = open_page()
    at.selectbox(key=SWITCHER).set_value("second").run()
    assert "second holds no documents yet" in page_text(at)


# ---------------------------------------------------------------- what the server adds


def _answer_of(app: Any, host: str = "") -> dict[bytes, bytes]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    headers = [(b"host", host.encode())] if host else []
    asyncio.run(app({"type": "http", "path": "/", "headers": headers}, receive, send))
    return dict(sent[0]["headers"])


def test_every_answer_carries_the_security_headers_once() -> None:
    async def inner(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"X-Content-Type-Options", b"loose"), (b"Content-Security-Policy", b""), (b"content-type", b"a/b")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    headers = _answer_of(SecurityHeaders(inner))
    policy = content_security_policy(None).encode()
    assert headers == {b"content-type": b"a/b", b"content-security-policy": policy, **dict(HEADERS)}


def _sources(policy: str) -> dict[str, list[str]]:
    """Directive → its sources."""
    return {name: sources for name, *sources in (part.split() for part in policy.split(";"))}


def test_the_policy_allows_no_other_machine_and_no_inline_script_but_the_framework_s() -> None:
    policy = _sources(content_security_policy(Host("localhost", 8501)))
    hashes = [source for source in policy["script-src"] if source.startswith("'sha256-")]
    assert hashes, "the framework's page has a script"
    policy["script-src"] = [source for source in policy["script-src"] if source not in hashes]
    own = {"'self'", "'none'", "data:", "blob:", "ws://localhost:8501", "wss://localhost:8501"}
    beside = {(name, source) for name, sources in policy.items() for source in sources if source not in own}
    assert beside == {("style-src", "'unsafe-inline'"), ("script-src", "'wasm-unsafe-eval'")}
    assert policy["script-src-attr"] == policy["object-src"] == policy["frame-src"] == ["'none'"]


@pytest.mark.parametrize(
    ("host", "sockets"),
    [
        ("localhost:8501", ["ws://localhost:8501", "wss://localhost:8501"]),
        ("DOCS.example", ["ws://docs.example", "wss://docs.example"]),
        ("[::1]:8501", []),
        ("evil.example", []),
        ("evil.example; script-src *", []),
        ("", []),
    ],
)
def test_the_policy_names_the_websocket_of_the_name_that_was_asked_when_it_is_one_s_own(
    host: str, sockets: list[str]
) -> None:
    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    app = SecurityHeaders(inner, own_hosts("127.0.0.1", ("docs.example",)))
    policy = _sources(_answer_of(app, host)[b"content-security-policy"].decode())
    assert policy["connect-src"] == ["'self'", *sockets, "data:", "blob:"]
    assert "*" not in policy["script-src"]


def test_the_hashes_are_those_of_the_page_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<!-- <script>no</script> --><script src='a.js'></script>\r\n<SCRIPT type=module>\r\nlet a = 1\r\n</SCRIPT >"
    (tmp_path / "index.html").write_bytes(page.encode())
    monkeypatch.setattr(file_util, "get_static_dir", lambda: str(tmp_path))
    inline_scripts.cache_clear()
    found = inline_scripts()
    inline_scripts.cache_clear()
    digest = base64.b64encode(hashlib.sha256(b"\nlet a = 1\n").digest()).decode()
    assert found == (f"'sha256-{digest}'",)  # a browser reads the page's line ends as one character


def test_the_graph_library_is_served_from_the_installed_package() -> None:
    (mount,) = [each for each in server.routes() if isinstance(each, Mount)]
    assert mount.path == server.ASSETS_PATH
    assert (Path(mount.app.directory) / "vis-network.min.js").is_file()  # type: ignore[attr-defined]


def test_warming_up_knows_what_every_page_imports() -> None:
    modules = server._page_modules()
    with_rooms = {page.name for page in navigation.pages()} - {"runs"}  # an old address of the page Questions
    assert {f"docgraph.ui.{name}.page" for name in with_rooms} == set(modules)
    assert all(importlib.util.find_spec(module) for module in modules)


def test_a_page_without_a_room_is_not_warmed_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text('PAGE = {"title": "Mine"}\n')
    monkeypatch.setattr(navigation, "pages", lambda: page_files(tmp_path))
    assert server._page_modules() == []


@pytest.mark.parametrize("there", [True, False], ids=["with the workspace", "without it"])
def test_after_warming_up_a_collection_passes_over_what_stays(
    docgraph: Docgraph, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """Streamlit collects after every run of a script and holds everybody up meanwhile: 0.1 s for the imported code."""
    if there:
        docgraph.create_workspace("harbor")
    left_out: list[int] = []
    problems: list[str] = []
    monkeypatch.setattr(server.gc, "freeze", lambda: left_out.append(len(resources.workspaces())))
    monkeypatch.setattr(server._log, "warning", lambda *said: problems.append(str(said)))

    async def serve() -> None:
        async with server.lifespan(None):
            async with asyncio.timeout(60):
                while not left_out and not problems:
                    await asyncio.sleep(0.01)

    closed: list[bool] = []
    monkeypatch.setattr(server, "_close", lambda: closed.append(True))
    asyncio.run(serve())
    assert problems == []
    assert left_out == [int(there)]
    assert closed == [True], "at the end the database is given back: that was cancelled before it had begun"


def test_a_taken_port_gives_the_next_free_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < free_port("127.0.0.1", port) <= port + 50


def test_an_address_of_another_machine_is_refused_in_words() -> None:
    with pytest.raises(EnvironmentProblem, match="8501"):
        free_port("203.0.113.7", 8501)


@pytest.mark.parametrize(
    ("host", "url"),
    [("127.0.0.1", "http://127.0.0.1:1"), ("0.0.0.0", "http://127.0.0.1:1"), ("::1", "http://[::1]:1")],
)
def test_the_printed_address_can_be_typed_into_a_browser(host: str, url: str) -> None:
    assert url_of(host, 1) == url


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_the_dashboard_may_open_as_many_files_as_the_system_lets_it() -> None:
    """A session takes four, and two minutes longer than it lasts: with 1,024 some two hundred people were too many."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = 1_024 if hard == resource.RLIM_INFINITY else min(1_024, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (low, hard))
    try:
        allow_files()
        found = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert found == (MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES), hard)


def test_the_configuration_keeps_the_dashboard_on_this_machine() -> None:
    config = tomllib.loads((dashboard_folder() / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["allowedHosts"] == ["localhost", "127.0.0.1", "::1"]
    assert config["server"]["enableXsrfProtection"] is True
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"] == {"showErrorDetails": "none", "toolbarMode": "minimal", "disableDataExport": True}
    colours = [name for name in config["theme"] if name.endswith("Color")]
    assert colours == [], "a colour outside light and dark would lock the theme switch"
    assert config["theme"]["light"].keys() == config["theme"]["dark"].keys()


# ---------------------------------------------------------------- tokens


def _tokens() -> dict[str, tuple[str, str]]:
    style = (ROOT / "docgraph" / "ui" / "frame" / "layout.css").read_text(encoding="utf-8")
    return {
        name: (light, dark)
        for name, light, dark in re.findall(r"--dg-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", style)
    }


def _contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["bg", "panel"])
@pytest.mark.parametrize("text", ["text", "muted", "primary", "query", "seed", "added", "cut-text", "finding"])
def test_text_colours_are_readable_in_both_themes(text: str, ground: str, theme: int) -> None:
    tokens = _tokens()
    assert _contrast(tokens[text][theme], tokens[ground][theme]) >= 4.5


@pytest.mark.parametrize("name", ["bg", "panel", "text", "primary"])
def test_streamlit_s_theme_and_the_style_sheet_have_the_same_colours(name: str) -> None:
    config = tomllib.loads((dashboard_folder() / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    key = {"bg": "backgroundColor", "panel": "secondaryBackgroundColor", "text": "textColor", "primary": "primaryColor"}
    assert _tokens()[name] == (config["light"][key[name]], config["dark"][key[name]])


def test_every_sign_is_drawn() -> None:
    style = (ROOT / "docgraph" / "ui" / "frame" / "layout.css").read_text(encoding="utf-8")
    for name in layout.Glyph.__args__:  # type: ignore[attr-defined]
        assert f".dg-glyph-{name}{{--g:url(" in style
