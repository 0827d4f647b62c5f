"""The import contracts of pyproject.toml and of the pages, as part of the ordinary tests."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest
from importlinter.application.app_config import settings
from importlinter.cli import lint_imports

from tests import ROOT

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
NOT_IN_PAGES = {
    "docgraph.orchestration.docgraph",
    "docgraph.bootstrap",
    "docgraph.plugins",
    "docgraph.settings",
    "pandas",
    "pyvis",
    "os",
    "sqlalchemy",
    "psycopg",
}


@pytest.fixture(autouse=True)
def _logging_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linter sets logging up for a process of its own, and would silence every logger that there is."""
    monkeypatch.setattr("importlinter.cli.logging_config.dictConfig", lambda config: None)


@pytest.fixture
def graph_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linter builds the graph of the imports for each call; it checks a copy, so that all can have the same one."""
    monkeypatch.setattr(settings.GRAPH_BUILDER, "build", _built)


@cache
def _graph(root_packages: tuple[str, ...], others: tuple[tuple[str, object], ...]) -> object:
    return type(settings.GRAPH_BUILDER).build(settings.GRAPH_BUILDER, list(root_packages), **dict(others))


def _built(root_package_names: list[str], **others: object) -> object:
    return _graph(tuple(root_package_names), tuple(sorted(others.items())))


@pytest.mark.usefixtures("graph_built_once")
@pytest.mark.parametrize("contract", [contract["id"] for contract in CONTRACTS])
def test_the_import_contract_is_kept(
    contract: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    status = lint_imports(config_filename="pyproject.toml", limit_to_contracts=(contract,), no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out


def test_a_broken_contract_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "__init__.py").write_text("")
    (tmp_path / "small" / "low.py").write_text("from small import high\n")
    (tmp_path / "small" / "high.py").write_text("")
    (tmp_path / "contracts.ini").write_text(
        "[importlinter]\nroot_package = small\n"
        "[importlinter:contract:1]\nname = layers\ntype = layers\nlayers =\n  small.high\n  small.low\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert lint_imports(config_filename="contracts.ini", no_cache=True, no_logo=True) == 1


@pytest.mark.parametrize("page", sorted((ROOT / "pages").glob("*.py")), ids=lambda page: page.stem)
def test_pages_are_thin(page: Path) -> None:
    stray = _imported(page) & NOT_IN_PAGES
    assert not stray, f"{page.name} imports {sorted(stray)}: move the code into docgraph/ui"


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names} | {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, node.module.split(".")[0]} | {f"{node.module}.{a.name}" for a in node.names}
    return names - {"docgraph"}
