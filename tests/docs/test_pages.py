"""The documentation runs: examples, tables, links and schemas say what the code does."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from pydantic_core import PydanticUndefined

import docgraph
from docgraph import errors
from docgraph.cli.commands import FIRST, PANELS, application
from docgraph.cli.commands.schema import SCHEMAS, schema_text
from docgraph.cli.request_options import OPTIONS, OVERRIDES
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.history import HistoryEntry
from docgraph.domain.saved_run import CorpusChanges, DocumentEdit, RelationshipEdit, ReviewEntry, RunSummary
from docgraph.domain.workspace import Workspace
from docgraph.settings import PREFIX, Settings
from tests import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PYTHON_PAGE = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PYTHON_PAGE, re.DOTALL)


def _page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _rows(page: str, heading: str) -> list[list[str]]:
    """Cells of the first table after ``heading``."""
    lines = page.split(heading, 1)[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


RUN_EACH = """
import json, sys, traceback
failures = {}
for number, code in enumerate(json.loads(sys.stdin.read())):
    try:
        exec(compile(code, f"example {number}", "exec"), {"__name__": "__main__"})
    except BaseException:
        failures[number] = traceback.format_exc()
print("\\n" + json.dumps(failures))
"""
"""Every example with names of its own, in one process: to start one takes longer than an example."""


@pytest.fixture(scope="module")
def failures() -> dict[str, str]:
    """Number of an example → how it failed."""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN_EACH],
        input=json.dumps(EXAMPLES),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    found: dict[str, str] = json.loads(finished.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_of_the_python_page_run(failures: dict[str, str], number: int) -> None:
    assert str(number) not in failures, failures[str(number)]


def test_the_example_of_the_readme_runs(tmp_path: Path) -> None:
    (tmp_path / "queue.md").write_text("# Queue\n\nThe queue was bounded so that waiting ends.\n")
    [code] = re.findall(r"```python\n(.*?)```", _page("README.md"), re.DOTALL)
    code = code.replace('connect(workspace="notes")', 'connect(workspace="notes", store="memory")')
    code = code.replace('"path/to/documents"', repr(str(tmp_path)))
    finished = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("1 = 1 + 0 + 0 + 0\n")
    assert "waiting ends" in finished.stdout


def test_the_python_page_lists_the_public_names() -> None:
    listed = [row[0].strip("`") for row in _rows(_page("docs/python-api.md"), "# Python API")]
    assert sorted(listed) == [name for name in docgraph.__all__ if name != "__version__"]


def test_the_settings_table_is_the_model() -> None:
    expected = [
        [f"`{PREFIX}{name.upper()}`", f"`{name}`", _default(field.default), field.description]
        for name, field in Settings.model_fields.items()
    ]
    assert _rows(_page("docs/settings.md"), "# Settings") == expected


def _default(default: Any) -> str:
    if default is PydanticUndefined:
        return "the user-data folder"
    return "--" if default in (None, ()) else f"`{default}`"


def test_the_command_tables_are_the_panels_of_the_help() -> None:
    section = _page("docs/cli.md").split("\n## Commands\n", 1)[1].split("\n## ", 1)[0]
    listed = {
        panel: [row[0].strip("`").split()[1] for row in _rows(section, f"\n### {panel}\n")]
        for panel in re.findall(r"^### (.*)$", section, flags=re.MULTILINE)
    }
    assert {panel: list(names) for panel, names in PANELS.items()} == listed
    assert list(listed) == list(PANELS)


def test_the_commands_page_names_what_one_needs_first() -> None:
    names = re.findall(r"after the five that you need first: (.*?)\. ", _page("docs/cli.md"))
    assert [re.findall(r"`(\w+)`", each) for each in names] == [[typed.split()[0] for typed in FIRST]]


WITHOUT_WORKSPACE = ("schema", "upgrade", "workspaces", "people", "gate", "uninstall-data")


def test_every_command_answers_in_json_and_explains_itself() -> None:
    """What serves until it is stopped alone has no answer to give; ``edits`` has it below."""
    commands = dict(typer.main.get_command(application()).commands)  # type: ignore[attr-defined]
    commands |= {f"edits {name}": command for name, command in commands.pop("edits").commands.items()}
    for name, command in commands.items():
        flags = {flag for parameter in command.params for flag in parameter.opts}
        assert command.help, name
        assert "--json" in flags or name in ("dashboard", "mcp", "serve"), name
        assert "--workspace" in flags or name in WITHOUT_WORKSPACE, name


def test_the_options_table_lists_every_field_with_its_flag() -> None:
    listed = {row[1].strip("`"): row[0].strip("`") for row in _rows(_page("docs/cli.md"), "## Options of a question")}
    assert listed == {name: option.__metadata__[0].default for name, option in OPTIONS.items()}


def test_the_what_ifs_table_lists_every_override_with_its_flag() -> None:
    rows = _rows(_page("docs/cli.md"), "Overrides change this question only")
    listed = {row[1].strip("`").removeprefix("overrides."): row[0].strip("`") for row in rows}
    assert listed == {name: option.__metadata__[0].default for name, option in OVERRIDES.items()}


def test_every_command_under_runs_is_listed() -> None:
    runs = typer.main.get_command(application()).commands["runs"].commands  # type: ignore[attr-defined]
    listed = [
        re.findall(r"`(?:docgraph runs )?([\w-]+)", row[0]) for row in _rows(_page("docs/cli.md"), "## Saved runs")
    ]
    assert sorted(name for names in listed for name in names) == sorted(runs)


def test_the_documented_changes_have_every_field() -> None:
    [paragraph] = [text for text in _page("docs/cli.md").splitlines() if text.startswith("`changes` is")]
    shapes = [re.findall(r'"(\w+)"', shape) for shape in re.findall(r"\{.*?\}", paragraph)]
    assert shapes == [list(model.model_fields) for model in (CorpusChanges, DocumentEdit, RelationshipEdit)]


def test_the_values_in_the_options_table_are_those_of_the_request() -> None:
    fields = docgraph.RetrievalRequest.model_fields
    for _, name, values, *_ in (row for row in _rows(_page("docs/cli.md"), "## Options of a question") if len(row) > 2):
        words = [word for part in get_args(fields[name.strip("`")].annotation) for word in (get_args(part) or (part,))]
        literals = [word for word in words if isinstance(word, str)]
        if literals:
            assert re.findall(r"`(\w+)`", values) == literals


def test_the_exit_codes_are_those_of_the_errors() -> None:
    listed = {int(row[0]) for row in _rows(_page("docs/cli.md"), "## Exit codes")}
    raised = {c.exit_code for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.DocgraphError)}
    assert raised | {0, 2, 130} == listed


@pytest.mark.parametrize(
    ("command", "model"),
    [
        ("workspaces", Workspace),
        ("documents", StoredDocument),
        ("relationships", Relationship),
        ("history", HistoryEntry),
        ("runs", RunSummary),
        ("runs review", ReviewEntry),
    ],
)
def test_the_documented_shape_of_a_list_has_every_field(command: str, model: Any) -> None:
    [shape] = [row[1] for row in _rows(_page("docs/cli.md"), "## JSON") if row[0] == f"`docgraph {command}`"]
    inner = shape.split("[{", 1)[1].split("}]", 1)[0]
    assert re.findall(r'"(\w+)"', inner) == list(model.model_fields)


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_the_published_schema_is_current(name: Any) -> None:
    """When this fails on purpose: make schemas, and a line in the changelog."""
    assert _page(f"docs/schemas/{name}.json") == schema_text(name)
    model = SCHEMAS[name]
    assert json.loads(schema_text(name))["title"] == model.model_config.get("title", model.__name__)


def test_the_plan_schema_forbids_a_second_hop_and_unknown_fields() -> None:
    schema = json.loads(_page("docs/schemas/plan.json"))
    constraints = schema["$defs"]["Constraints"]["properties"]
    assert constraints["max_relationship_depth"]["const"] == 1
    assert constraints["traversal_enabled"]["const"] is False
    assert schema["additionalProperties"] is False
    assert "from" in schema["$defs"]["Reason"]["properties"]


def test_every_dependency_is_listed_and_no_other() -> None:
    project = tomllib.loads(_page("pyproject.toml"))["project"]
    wanted = [*project["dependencies"], *(d for extra in project["optional-dependencies"].values() for d in extra)]
    names = sorted(name for each in wanted if (name := re.split(r"[\[<>=~! ]", each)[0]) != project["name"])
    page = _page("docs/dependencies.md")
    plain = [row[0] for row in _rows(page, "# Dependencies")]
    extras = [row[1] for row in _rows(page, "Optional extras:")]
    assert sorted([*plain, *extras]) == names


def _without_blocks(page: Path) -> str:
    """The text of a page without its blocks of code, which may show documents with links of their own."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_link_leads_nowhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", _without_blocks(page)):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def _headings(page: Path) -> set[str]:
    """Anchors of a page's headings, as forges write them."""
    text = _without_blocks(page)
    plain = (re.sub(r"\]\([^)]*\)", "", heading) for heading in re.findall(r"^#{1,6} (.*)$", text, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", each.lower().strip()).replace(" ", "-") for each in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_link_leads_to_a_section_that_is_not_there(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", _without_blocks(page)):
        path = page.parent / target if target else page
        if path.suffix == ".md" and "://" not in target:
            assert anchor in _headings(path), f"{page.name} links to {target}#{anchor}"


def test_every_decision_is_listed() -> None:
    page = _page("docs/architecture.md")
    for path in sorted((ROOT / "docs" / "adr").glob("*.md")):
        assert f"(adr/{path.name})" in page


def test_make_help_lists_every_target_that_people_call() -> None:
    makefile = _page("Makefile")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)
    assert phony is not None
    for target in phony.group(1).split():
        assert re.search(rf"^{target}:.*## ", makefile, flags=re.MULTILINE), target


def test_make_quick_is_what_contributing_says() -> None:
    page, makefile = _page("CONTRIBUTING.md"), _page("Makefile")
    for target in re.findall(r"^make (\w+)", page, flags=re.MULTILINE):
        assert re.search(rf"^{target}:.*## ", makefile, flags=re.MULTILINE), target
    assert re.search(r"^make quick +# .*unit and architecture tests without the slow ones", page, flags=re.MULTILINE)
    recipe = re.search(r"^quick:.*\n((?:\t.*\n)+)", makefile, flags=re.MULTILINE)
    assert recipe is not None
    asked = shlex.split(recipe[1])
    folders = [word for word in asked if (ROOT / word).is_dir()]
    assert folders == ["tests/unit", "tests/architecture"]
    assert asked[asked.index("-m", asked.index("pytest")) + 1] == "not slow"
