"""``docgraph converse``: a turn a line, typed or piped; nothing that is found or typed can steer the terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docgraph.cli import edge
from docgraph.cli.commands import converse
from docgraph.domain.conversation import MAX_TEXT, Turn, parse_state
from docgraph.orchestration.docgraph import Docgraph
from tests.conversations import scripted

GOOD = [["adr-011", "ADR-011 Bounded queue\x1b[31m\u202e", "decision", "Decision", 0.9]]
LOW = [["a", "First", "decision", "", 0.4], ["b", "Second", "runbook", "", 0.3]]
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Lines on the standard input → (exit code, standard output, standard error)."""

    @contextmanager
    def opened(workspace: str | None = None) -> Iterator[Docgraph]:
        yield scripted({"graph": [LOW, GOOD]})

    monkeypatch.setattr(converse, "opened", opened)

    def run(text: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        capsys.readouterr()
        code = edge.run(["converse", *arguments])
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def test_every_line_is_a_turn_and_shows_how_it_was_understood(say: Say) -> None:
    code, out, err = say("What is the limit?\n\nthe second one\nthanks\n")
    assert (code, err) == (0, "")
    assert "turn 1  lookup, opening" in out
    assert "2) Second" in out
    assert "Second: What is the limit?" in out
    assert "it answers the question of turn 1" in out
    assert "turn 3  smalltalk, smalltalk" in out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_json_is_one_turn_a_line_and_ends_without_a_last_newline(say: Say) -> None:
    code, out, _ = say("What is the limit?\nneither", "--json")
    turns = [Turn.model_validate_json(line) for line in out.splitlines()]
    assert code == 0
    assert [turn.understanding.link for turn in turns] == ["opening", "rejection"]


def test_a_bad_line_does_not_end_the_conversation_but_is_told(say: Say) -> None:
    code, out, err = say(f"{'x' * (3 * MAX_TEXT)}\nbad \ud800 half\nWhat is the limit?\n")
    assert code == 1
    assert err.count("error: the text") == 2
    assert out.count("turn 1") == 1


def test_the_state_is_kept_in_a_file_and_taken_up_again(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    assert say("What is the limit?\n", "--state", str(file))[0] == 0
    assert parse_state(file.read_bytes()).pending == 1
    _, out, _ = say("the runbook\n/state\n/help\n/reset\n/quit\nnever read\n", "--state", str(file), "--json")
    first, rest = out.split("\n", 1)
    assert json.loads(first)["understanding"]["answers_turn"] == 1
    assert "never read" not in rest
    assert parse_state(file.read_bytes()).n_turns == 0


def test_a_file_that_is_no_state_is_refused(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text("{}}")
    code, out, err = say("What is the limit?\n", "--state", str(file))
    assert (code, out) == (1, "")
    assert err.startswith("error: this is not a valid conversation: ")
    assert file.read_text() == "{}}"
    assert say("x\n", "--state", str(tmp_path / "no" / "folder.json"))[0] == 1


@pytest.mark.parametrize("option", [("--top-k", "0"), ("--threshold", "2"), ("--mode", "slow")])
def test_values_out_of_range_are_a_usage_error(say: Say, option: tuple[str, str]) -> None:
    assert say("why?\n", *option)[0] == 2


class Unreadable(io.StringIO):
    """A standard input whose terminal is gone."""

    def readline(self, size: int | None = -1, /) -> str:
        raise OSError(5, "Input/output error")


@pytest.mark.usefixtures("say")
def test_a_closed_standard_input_says_nothing_and_an_unreadable_one_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert edge.run(["converse"]) == 0
    monkeypatch.setattr("sys.stdin", Unreadable())
    assert edge.run(["converse"]) == 1
    assert capsys.readouterr().err.startswith("error: the standard input cannot be read: Input/output error\nhint:  ")


def test_bytes_that_are_no_text_are_refused_as_a_question_and_the_next_line_is_answered(
    say: Say, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del say
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff?\nWhat is the limit?\n"), encoding="utf-8"))
    code, written = edge.run(["converse"]), capsys.readouterr()
    assert code == 1
    assert written.err.count("error: ") == 1
    assert "internal" not in written.err
    assert "turn 1  lookup, opening" in written.out
