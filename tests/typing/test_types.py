"""The types that users see are exact, for mypy and pyright alike: a whole program passes, planted mistakes do not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import docgraph
from docgraph.aio import namespace_of, public_members
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT

HERE = Path(__file__).parent
PROGRAMS = ("program.py", "program_async.py")
PLANTED = [
    number
    for number, line in enumerate((HERE / "mistakes.py").read_text(encoding="utf-8").splitlines(), start=1)
    if line.endswith("# wrong")
]
Lines = dict[str, list[int]]


def by_mypy(folder: Path) -> Lines:
    """File → lines with an error, by mypy in its strict mode, from outside the checkout."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-incremental",
        "--no-error-summary",
        "--hide-error-context",
    ]
    out = subprocess.run([*command, *_files(folder)], cwd=folder, capture_output=True, text=True).stdout
    found = re.findall(r"^(\w+\.py):(\d+): error", out, re.MULTILINE)
    assert found or not out.strip(), out
    return _lines((name, int(line)) for name, line in found)


def by_pyright(folder: Path) -> Lines:
    """File → lines with an error, by pyright in its strict mode, from outside the checkout."""
    config = {"typeCheckingMode": "strict", "pythonVersion": "3.11", "include": ["."]}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    out = subprocess.run([*command, *_files(folder)], cwd=folder, capture_output=True, text=True).stdout
    said = json.loads(out)["generalDiagnostics"]
    errors = [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1) for each in said if each["severity"] == "error"
    ]
    return _lines(errors)


CHECKERS = {"mypy": by_mypy, "pyright": by_pyright}


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.py"))


def _lines(found: Iterable[tuple[str, int]]) -> Lines:
    lines: Lines = {}
    for name, line in sorted(set(found)):
        lines.setdefault(name, []).append(line)
    return lines


@pytest.mark.parametrize("check", CHECKERS.values(), ids=CHECKERS)
def test_a_whole_program_passes_and_every_planted_mistake_is_reported(
    check: Callable[[Path], Lines], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*PROGRAMS, "mistakes.py"):
        (tmp_path / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("MYPYPATH", str(ROOT))
    assert check(tmp_path) == {"mistakes.py": PLANTED}


def test_the_package_says_that_it_has_types() -> None:
    assert (Path(docgraph.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_uses_every_name(program: str) -> None:
    text = (HERE / program).read_text(encoding="utf-8")
    for name, member in public_members(Docgraph).items():
        kind = namespace_of(member)
        if kind is None:
            assert re.search(rf"\bdg\.{name}\b", text), name
            continue
        for each in public_members(kind):
            assert re.search(rf"\b(dg\.{name}|there)\.{each}\(", text), f"{name}.{each}"
