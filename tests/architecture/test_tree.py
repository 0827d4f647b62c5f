"""Rules of the tree: short modules that say what they hold, a light front page, docs that list every option."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from functools import cache
from pathlib import Path

import pytest

import docgraph
from docgraph import plugins
from tests import ROOT

MODULES = sorted((ROOT / "docgraph").rglob("*.py"))
ALL_CODE = sorted([*MODULES, ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "tests").rglob("*.py")])
MAX_LINES = 300
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
MAX_FUNCTION_LINES = 40
HEAVY = ("streamlit", "pandas", "sqlalchemy", "psycopg", "pyvis", "mcp", "alembic", "h11", "numpy", "wordllama")
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def code_lines(path: Path) -> frozenset[int]:
    """Numbers of the lines that hold code: no blank line, no comment, no docstring. Slow: ask where it can matter."""
    text = _text(path)
    prose = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = {line for t in tokens if t.type not in NO_CODE for line in range(t.start[0], t.end[0] + 1)}
    return frozenset(code - prose)


def test_a_module_has_at_most_300_lines_of_code() -> None:
    long = [module for module in ALL_CODE if len(_text(module).splitlines()) > MAX_LINES]
    lengths = {_name(module): len(code_lines(module)) for module in long}
    assert not {name: length for name, length in lengths.items() if length > MAX_LINES}


def test_the_formatter_is_never_switched_off() -> None:
    switch = re.compile(r"#\s*fmt: *(skip|off)")
    assert not [_name(module) for module in ALL_CODE if switch.search(_text(module))]


@pytest.mark.slow
def test_a_module_starts_with_a_sentence() -> None:
    first = {_name(module): (ast.get_docstring(ast.parse(_text(module))) or "").split("\n")[0] for module in MODULES}
    assert not [name for name, sentence in first.items() if len(sentence) < 16]


@pytest.mark.slow
def test_a_function_fits_in_view() -> None:
    lengths: dict[str, int] = {}
    for module in MODULES:
        for node in ast.walk(ast.parse(_text(module))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
                if len(body) > MAX_FUNCTION_LINES:
                    lengths[f"{_name(module)}:{node.lineno} {node.name}"] = len(code_lines(module).intersection(body))
    assert not {name: length for name, length in lengths.items() if length > MAX_FUNCTION_LINES}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [_name(m) for m in MODULES if {part.lstrip("_") for part in (*m.parts[:-1], m.stem)} & VAGUE_NAMES]


def test_the_front_page_lists_exactly_what_it_imports() -> None:
    tree = ast.parse((ROOT / "docgraph" / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    promised = {a.name for node in imports if (node.module or "").startswith("docgraph.") for a in node.names}
    assert sorted({*promised, "__version__"}) == docgraph.__all__ == sorted(docgraph.__all__)
    assert set(docgraph._HOMES) == promised


def test_every_public_name_can_be_used_and_no_other_is_there() -> None:
    for name in docgraph.__all__:
        assert getattr(docgraph, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = docgraph.nonsense


def test_importing_docgraph_loads_nothing_heavy() -> None:
    assert _loaded_by("import docgraph") == []


@pytest.mark.slow
def test_connecting_to_memory_loads_no_database_and_no_dashboard() -> None:
    loaded = _loaded_by("import docgraph.bootstrap, docgraph.aio")
    assert not set(loaded) & {"streamlit", "pandas", "sqlalchemy", "psycopg", "pyvis", "mcp", "alembic", "h11"}


def _loaded_by(statement: str) -> list[str]:
    program = f"import sys, json\n{statement}\nprint(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    finished = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(finished.stdout)
    return loaded


def test_the_version_is_the_one_of_the_package() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{docgraph.__version__}"' in project


@pytest.mark.parametrize("kind", plugins.KINDS)
def test_every_plugin_stands_in_the_architecture(kind: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{kind}` |"))
    own = [name for name in plugins.available(kind) if any((ROOT / "docgraph" / "plugins" / kind).rglob(f"{name}*"))]
    assert re.findall(r"`(\w+)`", row)[1:] == own


def test_every_page_stands_in_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `pages/(\w+)\.py` \|", page, flags=re.MULTILINE))
    assert listed == {path.stem for path in (ROOT / "pages").glob("*.py")}


def test_the_project_speaks_of_itself_alone() -> None:
    """No place of the machine on which somebody happened to write a file."""
    places = re.compile("|".join([r"(?<![\w.])/work" + r"/", "/root" + r"/", "/tmp/" + "dev", r"\.libr" + "ary/"]))
    suffixes = {".py", ".md", ".toml", ".yml", ".css", ".js", ".sh", ".json", ".jsonl", ""}
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = [name for name in tracked.split("\0") if name] or [_name(path) for path in ALL_CODE]
    strays = [
        name
        for name in names
        if (ROOT / name).suffix in suffixes
        and (ROOT / name).is_file()
        and places.search((ROOT / name).read_text(encoding="utf-8", errors="replace"))
    ]
    assert not strays
