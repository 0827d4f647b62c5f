"""The list of commands: by panel, each in one plain line, the same however one asks for it."""

from __future__ import annotations

import re

import pytest
import typer

from docgraph.cli import edge
from docgraph.cli.commands import FIRST, PANELS, application

COMMANDS = typer.main.get_command(application()).commands  # type: ignore[attr-defined]
MOST = 15
"""Commands of one panel: more are a list that nobody reads."""


def _written(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert edge.run(arguments) == 0
    written = capsys.readouterr()
    assert written.err == ""
    return written.out


def _sections(text: str) -> dict[str, list[str]]:
    """Heading → its lines, without what stands before the first command lines."""
    found = re.findall(r"^(\S[^\n]*):\n((?:  .*\n?)+)", text, flags=re.MULTILINE)
    return {heading: lines.splitlines() for heading, lines in found if heading != "Options"}


def test_every_command_belongs_to_one_panel_and_no_panel_is_too_long() -> None:
    listed = [name for names in PANELS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)
    assert list(PANELS) == ["Ask", "Relationships", "Evaluate", "Data", "Operate"]
    assert all(0 < len(names) <= MOST for names in PANELS.values())
    assert {name: command.rich_help_panel for name, command in COMMANDS.items()} == {
        name: panel for panel, names in PANELS.items() for name in names
    }


@pytest.mark.parametrize("columns", ["80", "100"])
def test_the_help_lists_the_panels_with_each_command_in_one_whole_line(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    sections = _sections(_written(capsys, "--help"))
    assert list(sections) == ["Start with", *PANELS]
    for panel, names in PANELS.items():
        assert [line.split()[0] for line in sections[panel]] == list(names)
        for line, name in zip(sections[panel], names, strict=True):
            assert len(line) <= int(columns)
            said = line.removeprefix(f"  {name}").strip()
            assert said[0].isupper(), line
            assert said.endswith("."), line
            assert not said.endswith("..."), f"the first sentence of {name} is too long: {line}"


def test_the_help_begins_with_five_command_lines_of_commands_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _sections(_written(capsys, "--help"))["Start with"]
    assert len(lines) == len(FIRST) == 5
    assert [line.split()[:2] for line in lines] == [["docgraph", typed.split()[0]] for typed in FIRST]
    assert {typed.split()[0] for typed in FIRST} <= set(COMMANDS)


def test_no_argument_and_help_show_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [_written(capsys, *arguments) for arguments in (["--help"], ["-h"], ["help"], [])]
    assert len(set(asked)) == 1
    assert "Relationships:" in asked[0]


def test_help_with_a_command_is_the_help_of_that_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["plan"], ["runs"], ["runs", "show"]):
        assert _written(capsys, "help", *command) == _written(capsys, *command, "--help")
    assert edge.run(["help", "pln"]) == edge.USAGE_ERROR
    assert "No such command 'pln'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("docgraph que", {"query-sets"}), ("docgraph db s", {"stop", "sql"}), ("docgraph plan --ba", set())],
)
def test_a_shell_completes_commands_and_their_commands(
    typed: str, offered: set[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_DOCGRAPH_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", typed)
    assert edge.run([]) == 0
    assert set(capsys.readouterr().out.split()) == offered


def test_the_completion_of_a_shell_is_shown_and_offered_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    help_text = _written(capsys, "--help")
    assert "--install-completion" in help_text
    assert "--show-completion" in help_text
