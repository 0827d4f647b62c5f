"""What rows found stays on the page, whatever a later round comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import ROOT
from tests.survive.history import PAGE, read_history, remember, table, written
from tests.survive.programme import programme


def line(row: str, **said: Any) -> dict[str, Any]:
    return {"row": row, "form": "whole", "n": 10, "passed": 10, "failed": 0, "seed": 7, "seconds": 1.0, **said}


def failed(row: str, n: int = 2, **said: Any) -> dict[str, Any]:
    return line(row, passed=10 - n, failed=n, **said)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "history.jsonl"


def test_a_round_that_failed_stays_when_the_row_holds_again(kept: Path) -> None:
    remember(kept, [failed("R1"), line("R2")], day="2026-01-01", failures={"R1": ["7:3: OSError: no\nroom"]})
    assert [(each["row"], each["found"], each["mended"]) for each in read_history(kept)] == [("R1", "2026-01-01", None)]
    assert read_history(kept)[0]["what"] == "2 of 10 cases failed (seed 7): 7:3: OSError: no room"
    remember(kept, [line("R1")], day="2026-01-03", failures={})
    remember(kept, [line("R1")], day="2026-01-05", failures={})
    assert [(each["found"], each["mended"]) for each in read_history(kept)] == [("2026-01-01", "2026-01-03")]


def test_every_failed_round_is_added_and_a_round_that_holds_mends_those_of_its_row_alone(kept: Path) -> None:
    remember(kept, [failed("R1"), failed("F1")], day="2026-01-01", failures={})
    remember(kept, [failed("R1", 1)], day="2026-01-02", failures={})
    remember(kept, [line("R1")], day="2026-01-03", failures={})
    found = [(each["row"], each["found"], each["mended"]) for each in read_history(kept)]
    day = "2026-01-03"
    assert found == [("R1", "2026-01-01", day), ("F1", "2026-01-01", None), ("R1", "2026-01-02", day)]


def test_a_round_that_is_told_of_twice_is_one(kept: Path) -> None:
    remember(kept, [failed("R1"), failed("R1")], day="2026-01-01", failures={})
    assert len(read_history(kept)) == 1


@pytest.mark.parametrize("said", [{"form": "short"}, {"n": 0}, {"skipped": "no right to mount"}])
def test_a_round_that_was_not_whole_mends_nothing(kept: Path, said: dict[str, Any]) -> None:
    remember(kept, [failed("R1")], day="2026-01-01", failures={})
    remember(kept, [line("R1", **said)], day="2026-01-02", failures={})
    assert [each["mended"] for each in read_history(kept)] == [None]


def test_a_short_form_that_fails_is_no_find_of_the_programme(kept: Path) -> None:
    remember(kept, [failed("R1", form="short")], day="2026-01-01", failures={})
    assert read_history(kept) == []


def test_a_fault_that_is_known_counts_as_found_and_no_folder_of_a_machine_is_told(kept: Path) -> None:
    long = f"7:1: AssertionError: {ROOT}/docgraph/x.py " + "x" * 500
    remember(kept, [failed("R1", known=["a rule (7:1: …)"])], day="2026-01-01", failures={"R1": [long]})
    (found,) = read_history(kept)
    assert str(ROOT) not in found["what"]
    assert "docgraph/x.py" in found["what"]
    assert found["what"].endswith("…; a rule (7:1: …)")


def test_what_a_case_said_cannot_break_the_table() -> None:
    entry = {"row": "F1", "found": "2026-01-01", "what": "a | b <img src=x>", "mended": None, "commit": ""}
    assert table([entry]).splitlines()[-1] == "| F1 | a \\| b &lt;img src=x> | 2026-01-01 | **open** |"


def test_the_page_shows_what_was_found() -> None:
    text, entries = PAGE.read_text(encoding="utf-8"), read_history()
    assert text == written(text, entries), "python -m tests.survive.history"
    assert table(entries) in text
    assert len(entries) >= 13
    assert {each["row"] for each in entries} <= {row.row for row in programme()}
    assert [each["found"] for each in entries] == sorted(each["found"] for each in entries)
    assert all(each["mended"] is None or each["mended"] >= each["found"] for each in entries)
