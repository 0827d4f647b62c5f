"""What docgraph asks over a network goes through one client: nothing else knows a library or a socket to ask with."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests import ROOT

OUTBOUND = "docgraph/boundary/outbound/"
ASKING = re.compile(
    r"(aiohttp|ftplib|h11|http\.client|httpcore2?|httpx2?|pycurl|requests|smtplib|socket|ssl|telnetlib|urllib\.request|"
    r"urllib3|websockets?|xmlrpc)(\.|$)"
)
"""Modules with which a program can reach another one over a network."""
ELSEWHERE = {
    "docgraph/boundary/listening.py": {"socket"},
    "docgraph/boundary/timeouts.py": {"h11", "socket"},
    "docgraph/orchestration/importing/embedding.py": {"socket"},
    "docgraph/ui/frame/launcher.py": {"socket"},
}
"""Those that listen, or ask what this machine is called."""
CALLS = re.compile(r"socket\.(create_connection|socketpair)|\.connect\(\(|\.connect_ex\(|open_connection\(")


def asked_with(text: str) -> set[str]:
    """The modules of a program's text that could reach another machine."""
    imported: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            imported |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return {found[1] for each in imported if (found := ASKING.match(str(each)))}


def strays(root: Path) -> dict[str, set[str]]:
    """File → modules that it should not know."""
    found = {}
    for folder in ("docgraph", "pages"):
        for path in (root / folder).rglob("*.py"):
            name = path.relative_to(root).as_posix()
            if not name.startswith(OUTBOUND):
                text = path.read_text(encoding="utf-8")
                found[name] = asked_with(text) - ELSEWHERE.get(name, set())
                if CALLS.search(text):
                    found[name] |= {"a connection"}
    return {name: modules for name, modules in found.items() if modules}


def test_nothing_asks_over_a_network_but_the_one_client() -> None:
    assert strays(ROOT) == {}


def test_what_is_let_through_is_there_and_asks_nobody() -> None:
    for name, modules in ELSEWHERE.items():
        assert asked_with((ROOT / name).read_text(encoding="utf-8")) == modules, name


@pytest.mark.parametrize(
    "text",
    [
        "import requests",
        "import urllib.request as fetching",
        "from urllib import request",
        "from http import client",
        "def f():\n    import httpx",
        "from socket import create_connection",
        "import importlib\nimportlib.import_module('aiohttp.client')",
    ],
)
def test_a_way_around_is_noticed(tmp_path: Path, text: str) -> None:
    stray = tmp_path / "docgraph" / "plugins" / "rerankers" / "own.py"
    stray.parent.mkdir(parents=True)
    stray.write_text(text, encoding="utf-8")
    assert set(strays(tmp_path)) == {"docgraph/plugins/rerankers/own.py"}
    stray.write_text("from urllib.parse import quote\nfrom starlette.requests import Request\n", encoding="utf-8")
    assert strays(tmp_path) == {}
