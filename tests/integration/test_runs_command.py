"""``docgraph runs``: what it writes, in which shape, and what it refuses."""

from __future__ import annotations

import getpass
import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph.boundary.variables import account
from docgraph.domain.comparison import Comparison
from docgraph.domain.saved_run import CHECKLIST, CorpusChanges, RunSummary, SavedRun
from tests.integration.commands import Command

QUESTION = "why is the queue of a bounded"


def as_json(command: Command, *arguments: str) -> Any:
    code, out, err = command(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def run_id(command: Command) -> Iterator[str]:
    """A run saved from the command line, pinned; removed afterwards."""
    code, out, _ = command("run", QUESTION, "--save", "First", "--note", "a note", "--by", "me", "--pin")
    assert code == 0
    last = out.splitlines()[-1]
    saved_id = last.split()[2]
    assert last == f"saved as {saved_id} “First”: /plan?run={saved_id}"
    yield saved_id
    command("runs", "delete", saved_id, "--forever", "--yes")


def test_a_saved_run_is_listed_found_and_shown(command: Command, run_id: str) -> None:
    [summary] = as_json(command, "runs", "list", "--text", "FIRST")["runs"]
    assert list(summary) == list(RunSummary.model_fields)
    assert (summary["run_id"], summary["saved_by"], summary["pinned"]) == (run_id, "me", True)
    assert as_json(command, "runs", "list", "--text", "nothing like it") == {"runs": []}
    assert as_json(command, "runs")["runs"] == [summary]
    assert as_json(command, "runs", "list", "--workspace", "other")["runs"] == []
    assert as_json(command, "runs", "list", "--workspace", "other", "--all")["runs"] == [summary]
    _, out, _ = command("runs")
    assert "1 saved run in w" in out
    _, out, _ = command("runs", "show", run_id[:6])
    assert f"First  {run_id}  pinned" in out
    assert f"/plan?run={run_id}" in out
    assert "Data unchanged since." in out
    assert "not approved" in out
    shown = as_json(command, "runs", "show", run_id)
    assert list(shown) == ["saved", "changes", "reviews", "approved_by", "link"]
    saved = SavedRun.model_validate(shown["saved"])
    assert CorpusChanges.model_validate(shown["changes"]).stale is False
    _, out, _ = command("runs", "show", run_id, "--text")
    assert out == saved.run.assembled.text + "\n"


def test_saving_beside_an_answer_that_a_program_reads(command: Command) -> None:
    """With --json the answer is the saved run; with --text the id goes to the standard error."""
    code, out, err = command("run", QUESTION, "--save", "Second", "--json")
    saved = SavedRun.model_validate_json(out)
    assert (code, saved.name, saved.saved_by) == (0, "Second", getpass.getuser())
    assert err.splitlines()[-1].startswith(f"saved as {saved.run_id} ")
    _, out, err = command("run", QUESTION, "--save", "Third", "--text")
    assert out == saved.run.assembled.text + "\n"
    assert f"saved as {saved.run_id} “Third”" in err
    assert as_json(command, "runs", "delete", saved.run_id, "--forever", "--yes")["name"] == "Third"


def test_a_run_is_described_pinned_deleted_and_restored(command: Command, run_id: str) -> None:
    assert as_json(command, "runs", "rename", run_id, "Other")["name"] == "Other"
    described = as_json(command, "runs", "describe", run_id, "--name", "Third", "--note", "")
    assert (described["name"], described["note"]) == ("Third", "")
    assert as_json(command, "runs", "unpin", run_id)["pinned"] is False
    assert as_json(command, "runs", "pin", run_id)["pinned"] is True
    code, out, _ = command("runs", "delete", run_id)
    assert code == 0
    assert f"docgraph runs restore {run_id}" in out
    assert as_json(command, "runs")["runs"] == []
    [deleted] = as_json(command, "runs", "list", "--deleted")["runs"]
    assert deleted["deleted_at"]
    assert as_json(command, "runs", "restore", run_id)["deleted_at"] == ""


def test_a_rerun_says_what_changed_since(command: Command, run_id: str) -> None:
    again = as_json(command, "runs", "rerun", run_id)
    assert list(again) == ["changes", "comparison"]
    assert Comparison.model_validate(again["comparison"]).identical
    _, out, _ = command("runs", "rerun", run_id)
    assert "Data unchanged since." in out
    assert "No difference   " in out


def test_a_review_is_written_line_by_line(command: Command, run_id: str) -> None:
    command("runs", "review", run_id, "--item", "seeds", "--checked", "--note", "fine", "--by", "me")
    command("runs", "review", run_id, "--note", "look at \x1b[31mthis")
    said = as_json(command, "runs", "review", run_id, "--approve", "--by", "you")
    assert said["approved_by"] == "you"
    assert [(e["kind"], e["by"], e["item"], e["checked"]) for e in said["reviews"]] == [
        ("item", "me", "seeds", True),
        ("note", account(), "", None),
        ("approved", "you", "", None),
    ]
    _, out, _ = command("runs", "review", run_id)
    assert "approved by you" in out
    assert f"1 of {len(CHECKLIST)} ticked" in out
    assert "\x1b" not in out
    assert as_json(command, "runs", "review", run_id, "--withdraw")["approved_by"] == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "zz"], "not the id of a run"),
        (["show", "0000"], "no saved run '0000'"),
        (["rerun", "0000"], "no saved run"),
        (["delete", "0000"], "no saved run"),
        (["restore", "0000"], "no saved run"),
        (["describe", "0000"], "nothing to change"),
        (["rename", "0000", "x"], "no saved run"),
        (["review", "0000"], "no saved run"),
        (["review", "0000", "--approve", "--withdraw"], "only one action"),
        (["review", "0000", "--item", "mood", "--checked"], "no item 'mood'"),
        (["review", "0000", "--item", "seeds"], "no change given"),
        (["review", "0000", "--checked"], "need --item"),
        (["review", "0000", "--note", " "], "empty"),
        (["describe", "0000", "--note", "x" * 5_000], "5,000 characters"),
    ],
)
def test_an_error_is_one_line_with_a_hint(command: Command, arguments: list[str], words: str) -> None:
    code, out, err = command("runs", *arguments)
    assert (code, out) == (1, "")
    assert words in err.splitlines()[0]
    assert err.splitlines()[1].startswith("hint:  ")


def test_what_belongs_to_saving_needs_a_save(command: Command) -> None:
    for option in (["--note", "x"], ["--by", "me"], ["--pin"]):
        code, _, err = command("run", QUESTION, *option)
        assert (code, err.splitlines()[1]) == (1, "hint:  give --save NAME as well"), option


def test_removing_for_good_asks_first(command: Command, run_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    code, _, err = command("runs", "delete", run_id, "--forever")
    assert code == 1
    assert "was not removed" in err
    assert as_json(command, "runs")["runs"][0]["run_id"] == run_id
