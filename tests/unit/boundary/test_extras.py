"""What lacks an extra says which; the core needs none of them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from docgraph.boundary.installed import EXTRAS
from docgraph.cli import edge
from docgraph.cli.commands import MODULES
from docgraph.orchestration.relationships.traceability import Table, xlsx
from docgraph.views.report.as_html import template
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OF_EXTRAS = sorted({module for modules in EXTRAS.values() for module in modules})
HIDING = f"""
import sys
for name in {OF_EXTRAS!r}:
    sys.modules[name] = None
"""
"""Hides the packages of all extras: looking for one finds nothing, importing one fails."""


@pytest.fixture
def nothing_but_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OF_EXTRAS:
        monkeypatch.setitem(sys.modules, name, None)


def _needed(extra: str) -> set[str]:
    """The packages that an extra brings, those of extras that it names as well."""
    found: set[str] = set()
    for requirement in map(Requirement, PROJECT["optional-dependencies"][extra]):
        if requirement.name == "docgraph":
            found = found.union(*map(_needed, requirement.extras))
        else:
            found.add(requirement.name)
    return found


def test_the_modules_that_are_asked_for_come_with_their_extra_and_not_with_the_core() -> None:
    core = {Requirement(each).name for each in PROJECT["dependencies"]}
    for extra, modules in EXTRAS.items():
        assert set(modules) <= _needed(extra), extra
    assert core.isdisjoint(OF_EXTRAS)


def test_everything_is_each_extra_that_brings_no_model_framework() -> None:
    (everything,) = map(Requirement, PROJECT["optional-dependencies"]["all"])
    left = set(PROJECT["optional-dependencies"]) - everything.extras - {"all", "test"}
    assert left == {"sentence-transformers", "cross-encoder", "mem0"}


@pytest.mark.usefixtures("nothing_but_the_core")
@pytest.mark.parametrize(
    ("arguments", "what", "package", "extra"),
    [
        (["dashboard"], "the dashboard", "streamlit", "dashboard"),
        (["mcp"], "docgraph mcp", "mcp", "mcp"),
        (["serve"], "docgraph serve", "starlette", "serve"),
        (["ingest", "{folder}", "--watch"], "--watch", "watchdog", "watch"),
    ],
)
def test_a_command_says_in_one_line_which_extra_to_add(
    arguments: Sequence[str], what: str, package: str, extra: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = edge.run([each.format(folder=tmp_path) for each in arguments])
    said = capsys.readouterr().err.splitlines()
    assert code == 3
    assert said == [
        f"error: {what} needs the package '{package}', which is not installed",
        f"hint:  pip install 'docgraph[{extra}]'",
    ]


@pytest.mark.usefixtures("nothing_but_the_core")
def test_reports_and_workbooks_say_which_extra_to_add() -> None:
    from docgraph.errors import PluginError

    template.cache_clear()
    for made in (lambda: template("report.html.jinja"), lambda: xlsx([Table("a", ("b",), ())])):
        with pytest.raises(PluginError) as caught:
            made()
        assert caught.value.hint == "pip install 'docgraph[evaluate]'"


@pytest.mark.parametrize("kind", ["graphml", "reqif", "parquet"])
def test_a_file_of_an_extra_is_refused_with_the_line_that_installs_it(kind: str) -> None:
    program = f"""{HIDING}
from docgraph import plugins
data = {{"graphml": b"<graphml/>", "reqif": b"<REQ-IF/>", "parquet": b"PAR1"}}[{kind!r}]
try:
    list(plugins.build("loaders", {kind!r}).load(data, source="a.{kind}"))
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("pip install 'docgraph[graphs]'")


@pytest.mark.slow
def test_the_library_and_the_help_of_every_command_need_no_extra() -> None:
    names = sorted(MODULES)
    program = f"""{HIDING}
import docgraph
for name in docgraph.__all__:
    getattr(docgraph, name)
from docgraph.cli import edge
print(sum(edge.run([name, "--help"]) for name in {names!r}), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "0"
    assert len(re.findall(r"(?m)^Usage: docgraph ", done.stdout)) == len(names)
