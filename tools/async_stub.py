"""Writes ``docgraph/aio.pyi``, the types of the async face, from the signatures of ``Docgraph`` and its namespaces.

python tools/async_stub.py            writes the file
python tools/async_stub.py --check    exits 1 when it is not current
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from docgraph import aio
from docgraph.orchestration.docgraph import Docgraph

TARGET = Path(__file__).resolve().parent.parent / "docgraph" / "aio.pyi"
HEAD = '"""The types of the async face; written by tools/async_stub.py, not by hand."""\n'
TAIL = '''
class Connecting:
    """A connection on its way: ``await`` it, or enter it with ``async with``."""

    def __init__(self, open_it: Callable[[], Docgraph]) -> None: ...
    def __await__(self) -> Generator[Any, None, AsyncDocgraph]: ...
    async def __aenter__(self) -> AsyncDocgraph: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

def aconnect(
    database_url: str | None = ...,
    *,
    workspace: str | None = ...,
    settings: Settings | None = ...,
    **overrides: Any,
) -> Connecting:
    """``connect`` for event loops: ``async with docgraph.aconnect() as dg`` or ``dg = await docgraph.aconnect()``."""

def face_of(kind: type, members: dict[str, Any] | None = ...) -> type[Threaded]: ...
def public_members(kind: type) -> dict[str, Any]: ...
def is_iterator(member: Callable[..., Any]) -> bool: ...
def namespace_of(member: Any) -> type[Namespace] | None: ...
'''
ALWAYS = {
    "collections.abc": {"AsyncIterator", "Callable", "Generator"},
    "functools": {"cached_property"},
    "types": {"TracebackType"},
    "typing": {"Any", "Self"},
    "docgraph.orchestration.docgraph": {"Docgraph"},
    "docgraph.orchestration.session": {"Namespace"},
    "docgraph.settings": {"Settings"},
}


class Stub:
    """Collects classes and the imports that their annotations need."""

    def __init__(self) -> None:
        self.imports: dict[str, set[str]] = defaultdict(set, {module: set(names) for module, names in ALWAYS.items()})
        self.classes: list[str] = []

    def add(self, kind: type, extra: tuple[str, ...] = ()) -> str:
        """The name of the face of ``kind``, written with those of its namespaces before it."""
        name, lines = f"Async{kind.__name__}", []
        for member_name, member in aio.public_members(kind).items():
            lines += list(self._member(member_name, member, face=name))
        body = "\n".join(f"    {line}" if line else "" for line in (*lines, *extra))
        doc = (kind.__doc__ or "").split("\n")[0]
        self.classes.append(f'class {name}(Threaded):\n    """{doc}"""\n\n{body}\n')
        return name

    def _member(self, name: str, member: Any, *, face: str) -> Iterator[str]:
        if (kind := aio.namespace_of(member)) is not None:
            yield from ("@cached_property", f"def {name}(self) -> {self.add(kind)}: ...")
            return
        get: Callable[..., Any] = member.fget if isinstance(member, property) else member  # type: ignore[assignment]
        signature = inspect.signature(get)
        returned = self._known(str(signature.return_annotation), get)
        if isinstance(member, property):
            at_once = name in aio.AT_ONCE
            yield from (("@property",) if at_once else ())
            yield f"{'' if at_once else 'async '}def {name}(self) -> {returned}: ..."
            return
        if name in ("use_workspace", "acting_as"):
            returned = face
        given = ", ".join(("self", *self._parameters(signature, get)))
        if aio.is_iterator(member):
            yield f"def {name}({given}) -> Async{returned}: ..."
        else:
            yield f"async def {name}({given}) -> {returned}: ..."

    def _parameters(self, signature: inspect.Signature, function: Callable[..., Any]) -> Iterator[str]:
        starred = False
        for parameter in list(signature.parameters.values())[1:]:
            if parameter.kind is parameter.KEYWORD_ONLY and not starred:
                starred = True
                yield "*"
            default = "" if parameter.default is parameter.empty else " = ..."
            yield f"{parameter.name}: {self._known(str(parameter.annotation), function)}{default}"

    def _known(self, annotation: str, function: Callable[..., Any]) -> str:
        """The annotation, with an import noted for each of its names."""
        for name in set(re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*", annotation)):
            module = inspect.getmodule(function)
            assert module is not None
            if (home := home_of(name, module)) is not None:
                self.imports[home].add(name)
        return annotation

    def text(self) -> str:
        """The whole file. Raises ValueError when one name means two things."""
        homes: dict[str, list[str]] = defaultdict(list)
        for module, names in self.imports.items():
            for name in names:
                homes[name].append(module)
        if twice := {name: modules for name, modules in homes.items() if len(modules) > 1}:
            raise ValueError(f"one name for two things: {twice}")
        needed = "\n".join(f"from {module} import {', '.join(sorted(names))}" for module, names in self.imports.items())
        base = "class Threaded:\n    def __init__(self, blocking: Any) -> None: ...\n"
        return "\n".join((HEAD, needed, "\nROWS_PER_STEP: int\nAT_ONCE: tuple[str, ...]\n", base, *self.classes, TAIL))


@cache
def imported(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Name → (module, name) it was imported from, by the text of a module."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    return found


def home_of(name: str, module: ModuleType) -> str | None:
    """The module that defines what ``name`` means in ``module``; None for a builtin."""
    if name in imported(module):
        origin, there = imported(module)[name]
        return home_of(there, importlib.import_module(origin)) or origin if origin.startswith("docgraph") else origin
    return module.__name__ if name in vars(module) else None


def stub() -> str:
    """The text of ``docgraph/aio.pyi``, as the formatter writes it."""
    made = Stub()
    made.add(
        Docgraph, ("async def __aenter__(self) -> Self: ...", "async def __aexit__(self, *_: object) -> None: ...")
    )
    return formatted(made.text())


def formatted(text: str) -> str:
    """The text as ruff writes it, imports in order."""
    for command in (["check", "--select", "I,F401", "--fix", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(TARGET), "-"]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=TARGET.parent).stdout
    return text


def main() -> int:
    """Write the file, or say whether it is current."""
    text = stub()
    if "--check" in sys.argv[1:]:
        return int(not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
