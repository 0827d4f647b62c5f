"""Text that is no text, in every place of the command line that takes one: a line of words, never a bug's."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from docgraph.cli.commands import application
from docgraph.http_server import serving as http_serving
from docgraph.mcp_server import serving
from docgraph.settings import PREFIX, Settings
from docgraph.ui.frame import launcher
from tests.integration.commands import Command

NO_TEXT = ("\udcff", "half \ud800", "a\udce9/b|c|d=e")
"""An argument that is no UTF-8 as Python hands it on, half of a pair, and one that looks like all that is asked for."""

BUG = 70
WITHOUT_DATA = {"db"}
"""Commands that start, stop or move a server: what they take are names of schemas and addresses."""


def _commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(words, command) of everything that can be run."""
    for name, sub in getattr(command, "commands", {}).items():
        yield from _commands(sub, (*path, name))
    if path and (not getattr(command, "commands", {}) or getattr(command, "invoke_without_command", False)):
        yield path, command


def _takes_text(parameter: Any) -> bool:
    return parameter.type_descriptor.annotation in (str, Path)


def _value(parameter: Any) -> str:
    """Something that fits."""
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return str(next(iter(kind)).value)
    return str((get_args(kind) or ("a" if _takes_text(parameter) else "1",))[0])


def _words(command: Any, hostile: Any, text: str) -> list[str]:
    """Arguments with what has to be there, and ``text`` for the parameter ``hostile``."""
    options: list[str] = []
    plain: list[str] = []
    for parameter in command.params:
        is_hostile = parameter is hostile
        value = text if is_hostile else _value(parameter)
        if not parameter.opts[0].startswith("-"):
            plain += [value] if parameter.required or is_hostile else []
        elif is_hostile or parameter.required or parameter.name == "by":
            options += [parameter.opts[0], value]
        elif parameter.name in ("yes", "http", "allow_writes", "dry_run"):
            options.append(parameter.opts[0])
    return [*options, "--", *plain]


PLACES = [
    pytest.param(path, command, parameter, id=f"{' '.join(path)}: {parameter.opts[0]}")
    for path, command in _commands(typer.main.get_command(application()))
    if path[0] not in WITHOUT_DATA
    for parameter in command.params
    if _takes_text(parameter)
]


@pytest.fixture
def nothing_served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What would serve ends at once, and what would be asked for is not there."""

    async def served(*_: object) -> None: ...

    for module in (serving, http_serving):
        monkeypatch.setattr(module, "serve", lambda *_: None)
    monkeypatch.setattr(serving, "_stdio", served)
    monkeypatch.setattr(launcher, "_serve", lambda *_: None)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("path", "which", "parameter"), PLACES)
def test_no_place_of_a_command_falls_over_text_that_is_none(
    command: Command, nothing_served: None, path: tuple[str, ...], which: Any, parameter: Any
) -> None:
    for text in NO_TEXT:
        for more in ((), ("--json",) if any(each.name == "json" for each in which.params) else ()):
            code, out, err = command(*path, *more, *_words(which, parameter, text))
            assert code != BUG, err
            assert "internal error" not in err
            (out + err).encode()


WRITING = [
    "edit add a § b --new-type --by Ann",
    "edit add a cites b --new-type --by §",
    "edit add b cites c --new-type --by Ann --reason §",
    "judge why a --relevant --by §",
    "judge § a --relevant --by Ann",
    "run queue --save § --by Ann",
    "run queue --save name --note § --by §",
    "compare queue --html §",
    "compare queue --csv §",
    "relationships export --output §",
    "relationships export --document §",
    "relationships export --type §",
    "relationships import odd.jsonl --by § --reason §",
    "workspaces create new --title §",
    "memory add one § --conversation §",
    "memory recall § --conversation §",
    "schema --write §",
    "ingest . --doc-type §",
    "ingest §",
    "execute odd.json",
    "converse --state §",
    "converse --state odd.json",
    "calibrate odd.jsonl --dry-run",
    "rules set odd.toml",
    "check --rules odd.toml",
    "check --only §",
    "runs save-questions odd.txt --by §",
    "runs list --text §",
    "dashboard --host §",
    "mcp --http --host §",
    "mcp --http --allowed-host §",
]
"""Commands that get further with it: ``§`` stands for the text."""


@pytest.mark.parametrize("line", WRITING)
def test_no_command_that_writes_falls_over_text_that_is_none(command: Command, nothing_served: None, line: str) -> None:
    odd = '{"from_document_id": "a", "relation_type": "\\ud800", "to_document_id": "\\udcff", "question": "\\ud800"}'
    for name in ("odd.json", "odd.jsonl"):
        Path(name).write_text(f"{odd}\n")
    Path("odd.toml").write_bytes(b'a = "\xff"\n')
    Path("odd.txt").write_bytes(b"why \xff?\n")
    Path(os.fsdecode(b"caf\xe9.md")).write_text("# Caf\n\nThe queue is bounded.\n")
    for text in NO_TEXT:
        code, out, err = command(*(word.replace("§", text) for word in line.split()))
        assert code != BUG, err
        assert "internal error" not in err
        (out + err).encode()


@pytest.mark.parametrize("name", [name for name in Settings.model_fields if name != "database_url"])
def test_no_setting_that_is_no_text_ends_in_a_bug(
    command: Command, nothing_served: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name.upper()}", os.fsdecode(b"/tmp/caf\xe9"))
    for words in (("plan", "queue"), ("doctor",), ("dashboard",)):
        code, out, err = command(*words)
        assert code != BUG, err
        assert "internal error" not in err
        (out + err).encode()
