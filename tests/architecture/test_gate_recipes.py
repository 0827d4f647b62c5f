"""The recipes of the gate for GitHub, GitLab and pre-commit: valid by their schemas, and run as they stand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import typer
import yaml

from docgraph.cli.commands import application
from tests import ROOT

ACTION, GITLAB, HOOKS = (ROOT / name for name in ("action.yml", "deploy/gitlab-ci.yml", ".pre-commit-hooks.yaml"))


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("path", "schema"), [(ACTION, "github-actions"), (GITLAB, "gitlab-ci")])
def test_a_recipe_fits_its_schema(path: Path, schema: str) -> None:
    vendored = files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{schema}.json"
    jsonschema.validate(_read(path), json.loads(vendored.read_text(encoding="utf-8")))


def test_a_hook_calls_a_command_and_takes_no_names_of_files() -> None:
    [hook] = _read(HOOKS)
    assert hook["entry"].split() == ["docgraph", "gate"]
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert hook["args"] == ["."]


def _scripts() -> dict[str, str]:
    action = _read(ACTION)["runs"]["steps"][-1]
    return {"github": action["run"], "gitlab": _read(GITLAB)["docgraph-gate"]["script"][0]}


def test_recipes_pass_no_input_through_the_text_of_a_script() -> None:
    """An input that stands in a script is run by it; a variable is not."""
    for name, script in _scripts().items():
        assert "${{" not in script, name
        flags = {word for word in script.split() if word.startswith("--") and len(word) > 2}
        command = typer.main.get_command(application("gate"))
        known = {flag for parameter in command.commands["gate"].params for flag in parameter.opts}  # type: ignore[attr-defined]
        assert flags <= known, name


@pytest.mark.skipif(shutil.which("bash") is None, reason="the recipes are scripts for bash")
@pytest.mark.parametrize("name", ["github", "gitlab"])
@pytest.mark.parametrize(("link", "code"), [("two.md", 0), ("nope.md", 1)])
def test_a_recipe_runs_as_it_stands(name: str, link: str, code: int, tmp_path: Path) -> None:
    docs, bin_ = tmp_path / "my docs", tmp_path / "bin"
    docs.mkdir()
    bin_.mkdir()
    (docs / "one.md").write_text(f"# One\n\nSee [two]({link}).\n", encoding="utf-8")
    (docs / "two.md").write_text("# Two\n\nBack to [one](one.md).\n", encoding="utf-8")
    (docs / "q.jsonl").write_text('{"id": "q", "query": "Back to one", "relevant": ["two"]}\n', encoding="utf-8")
    shim = bin_ / "docgraph"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m docgraph "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    given = {"PATH": "my docs", "FAIL_ON": "error", "RULES": "", "PROFILE": "", "QUERIES": "my docs/q.jsonl"}
    given |= {"FAIL_UNDER": "recall@5=0.5\nrecall@10=0.5", "SARIF": "out.sarif"}
    environment = {**os.environ, **{f"GATE_{key}": value for key, value in given.items()}}
    environment |= {"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    environment |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    script = _scripts()[name]
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == code, done.stdout + done.stderr
    summary = tmp_path / ("summary.md" if name == "github" else "docgraph-gate.md")
    assert summary.read_text(encoding="utf-8").startswith("## Gate " + ("failed" if code else "passed"))
    if name == "github":
        assert ("::error file=my docs/one.md,line=3" in done.stdout) == bool(code)
        assert json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    else:
        assert bool(json.loads((tmp_path / "gl-code-quality-report.json").read_text())) == bool(code)
