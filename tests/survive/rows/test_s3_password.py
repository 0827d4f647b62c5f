"""S3: the password of the database is said nowhere: no error, no traceback, no command, no tool, no log."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

import docgraph
from docgraph.cli import edge
from docgraph.settings import read_settings
from docgraph.ui.shell.server import SHELL
from tests.integration.commands import PREFIX
from tests.integration.mcp_servers import Stdio
from tests.survive.tally import Row, Tally

ROW = Row(
    row="S3",
    what="a marker password in the database URL, failures by Python, command line, MCP server, dashboard and log",
    rule="it never appears",
    n=30,
    short=28,
    case="a connection string on a way to be told",
)
MARK = "hunter2-is-a-marker"
URLS = (
    f"postgresql://me:{MARK}@127.0.0.1:1/db",
    f"postgresql+psycopg://me:{MARK}@127.0.0.1:1/db",
    f"host=127.0.0.1 port=1 password={MARK}",
    f"postgresql://me:{MARK}@/db?host=/nowhere/at/all",
    f"postgresql://me:{MARK}@127.0.0.1:port/db",
    f"postgresql://me:{MARK}@127.0.0.1:70000/db",
    f"postgresql://me:{MARK}/x@127.0.0.1:1/db",
    f"postgresql://me:x@{MARK}@127.0.0.1:1/db",
    f"postgresql://me:{MARK}@[::1/db",
    f"password={MARK} nonsense",
    f"postgresql://me@127.0.0.1:1/db?password={MARK}",
    f"postgresql://me:{quote('p@' + MARK)}@127.0.0.1:1/db",
)
Way = Callable[[str, pytest.MonkeyPatch, pytest.CaptureFixture[str]], str]


def _python(url: str, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(docgraph.errors.DocgraphError) as caught:
        docgraph.connect(url)
    patch.setenv(f"{PREFIX}DATABASE_URL", url)
    said = "".join(traceback.format_exception(caught.value)) + repr(caught.value.__dict__)
    try:
        return said + repr(read_settings())
    except docgraph.errors.SettingsError as error:
        return said + "".join(traceback.format_exception(error))


def _command(url: str, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    patch.setenv(f"{PREFIX}DATABASE_URL", url)
    for words in (["plan", "q"], ["doctor", "--json"], ["workspaces"]):
        assert edge.run(words) in (1, 3)
    said = capsys.readouterr()
    return said.out + said.err


def _mcp(url: str, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    server = Stdio(DOCGRAPH_DATABASE_URL=url)
    try:
        code, out = server.leave()
        assert code in (1, 3)
        return out.decode() + server.errors()
    finally:
        server.end()


def _page(url: str, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    import streamlit as st

    st.cache_resource.clear()
    patch.setenv(f"{PREFIX}DATABASE_URL", url)
    at = AppTest.from_file(str(SHELL), default_timeout=60)
    at.run()
    st.cache_resource.clear()
    assert not at.exception
    return "\n".join(str(getattr(each, "value", "")) + repr(each.proto) for each in at.main)


WAYS: dict[str, Way] = {"Python": _python, "command line": _command, "MCP": _mcp, "dashboard": _page}


@pytest.mark.timeout(600)
def test_s3_the_password_is_said_nowhere(
    tally: Tally,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    slow = {"MCP": URLS[:4] if tally.whole else URLS[:1], "dashboard": URLS[:8] if tally.whole else URLS[:3]}
    for name, way in WAYS.items():
        for url in slow.get(name, URLS):
            with tally.trying(f"{name}: {url.replace(MARK, '…')}"), monkeypatch.context() as patch:
                said = way(url, patch, capsys)
                assert said
                assert MARK not in said + caplog.text
                caplog.clear()
