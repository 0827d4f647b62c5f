"""What a person reads: the pages, the strings and docstrings of the package, the texts of ``--help``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer

from docgraph.cli.commands import application
from tests import ROOT

PAGES = sorted(
    [*(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")), *(ROOT / "docs").rglob("*.md")]
)
SCREENS = ("docgraph/ui", "docgraph/views", "docgraph/cli", "docgraph/mcp_server", "docgraph/http_server")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.DOTALL | re.MULTILINE)


class Text(NamedTuple):
    """A piece of text, and where it is: a path from the root (or a command) and a line."""

    where: str
    line: int
    text: str


def pages() -> Iterator[Text]:
    """The pages without code: blocks, code in a line, targets of links."""
    for page in PAGES:
        text = CODE.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), start=1):
            yield Text(page.relative_to(ROOT).as_posix(), number, line)


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module below these folders, as a path from the root and its tree."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_bytes())


def strings(*folders: str) -> Iterator[Text]:
    """Constant strings that are no docstrings, the parts of formatted ones too."""
    for where, tree in modules(*folders):
        documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
                yield Text(where, node.lineno, node.value)


def docstrings(*folders: str, public: bool = True) -> Iterator[Text]:
    """Docstrings of modules, classes and functions, and those below constants; ``public``: of public names alone."""
    for where, tree in modules(*folders):
        if not public or not any(part.startswith("_") and part != "__init__.py" for part in Path(where).parts):
            yield from _documented(where, tree, public)


def _documented(where: str, node: ast.AST, public: bool) -> Iterator[Text]:
    name = getattr(node, "name", "")
    if public and name.startswith("_"):
        return
    body: list[ast.stmt] = getattr(node, "body", [])
    shown = True
    for each in body:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str):
            if shown or not public:
                yield Text(where, each.lineno, each.value.value)
        elif isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _documented(where, each, public)
        shown = not (isinstance(each, ast.Assign | ast.AnnAssign) and ast.unparse(each).startswith("_"))


def helps() -> Iterator[Text]:
    """What ``--help`` says of every command and of each of its options."""
    yield from _helps("docgraph", typer.main.get_command(application()))


def _helps(called: str, command: Any) -> Iterator[Text]:
    yield Text(f"{called} --help", 0, command.help or "")
    for parameter in command.params:
        yield Text(f"{called} {parameter.opts[0]}", 0, getattr(parameter, "help", None) or "")
    for name, each in getattr(command, "commands", {}).items():
        yield from _helps(f"{called} {name}", each)
