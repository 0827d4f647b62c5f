"""``docgraph memory``: what was said is added, listed, recalled and forgotten on the command line."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest

from docgraph.domain.memory import Remembered
from tests.command_line import Command, filled_workspace, running

WORKSPACE = "cli-memory"
HOSTILE = "Evil \x1b[31m | queue <img src=x> \u202e"

pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, (), ()):
        yield


@pytest.mark.slow
def test_a_memory_from_its_first_day_to_its_last(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory: Command = running("memory", capsys)
    assert memory()[1] == f"0 memories in {WORKSPACE}\n"
    made = Remembered.model_validate_json(memory("add", "The queue holds 400", HOSTILE, "-c", "a", "--json")[1])
    assert [m.turn for m in made.memories] == [1, 2]
    monkeypatch.setattr("sys.stdin", io.StringIO("from a pipe\n\n  \nand another\n"))
    assert memory("add", "-")[1].count("\n") == 2
    code, out, err = memory()
    assert (code, err) == (0, "")
    assert "4 memories in" in out
    assert "\x1b" not in out + memory("list", "-c", "a")[1] + memory("recall", "queue")[1]
    listed = json.loads(memory("list", "-c", "a", "--limit", "1", "--json")[1])
    assert [(m["turn"], m["conversation_id"]) for m in listed["memories"]] == [(2, "a")]
    hits = json.loads(memory("recall", "how long is the queue", "--json")[1])["hits"]
    assert "The queue holds 400" in [hit["memory"]["text"] for hit in hits]
    assert memory("recall", "zzzz", "-c", "nobody's")[1] == "no memory matches the question\n"
    assert memory("forget", made.memories[0].memory_id)[1] == "removed 1 memory\n"
    assert json.loads(memory("forget", "-c", "default", "--json")[1]) == {"forgotten": 2}


def test_no_more_is_read_of_the_input_than_one_call_can_keep(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have no end."""

    class Endless(io.StringIO):
        def read(self, size: int | None = -1) -> str:
            assert size is not None
            assert 0 < size < 10_000_000
            return "x" * size

    monkeypatch.setattr("sys.stdin", Endless())
    code, out, err = running("memory", capsys)("add", "-")
    assert (code, out) == (1, "")
    assert "the input has more than 4,001,000 characters" in err


@pytest.mark.parametrize("words", [("forget",), ("add", " "), ("add", "x", "-c", "y" * 201)])
def test_what_cannot_be_done_is_said_in_two_lines(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = running("memory", capsys)(*words)
    assert (code > 0, out, err.count("\n")) == (True, "", 2)
