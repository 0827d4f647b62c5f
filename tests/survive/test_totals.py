"""What the pages say of the programme is what its last results came to, and every row is one of the programme's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.survive.programme import module_of, programme
from tests.survive.tally import SHORT_SEED, Row, Tally, keep_lines, read_lines
from tests.survive.totals import LINES, PAGES, sentence, written

ROW = Row(row="R0", what="nothing", rule="nothing", n=3, short=2)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_totals_on_a_page_are_those_of_the_last_results(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == written(page, read_lines(LINES)), "python -m tests.survive.totals"
    assert sentence(read_lines(LINES)) in text


def test_every_row_has_a_module_of_its_own() -> None:
    names = [row.row for row in programme()]
    assert len(names) == len(set(names))
    assert len({module_of(name) for name in names}) == len(names)


def test_kept_results_are_of_whole_forms_and_of_rows_that_exist() -> None:
    lines = read_lines(LINES)
    assert set(lines) <= {row.row for row in programme()}
    assert {line["form"] for line in lines.values()} <= {"whole"}
    assert all(line["n"] == line["passed"] + line["failed"] for line in lines.values())


def test_a_case_is_made_again_by_its_seed_and_number() -> None:
    tally = Tally(ROW)
    cases = list(tally.cases())
    assert [case.name for case in cases] == [f"{SHORT_SEED}:0", f"{SHORT_SEED}:1"]
    assert [case.rng.random() for case in cases] == [case.rng.random() for case in Tally(ROW).cases()]


def test_a_fault_that_is_known_counts_as_failed_and_must_go_on_failing() -> None:
    tally = Tally(ROW)
    with tally.trying("one", known="a rule"):
        raise ValueError
    assert (tally.failures, tally.line()["failed"], tally.line()["known"]) == ([], 1, ["a rule (one: ValueError: )"])
    with tally.trying("one", known="a rule"):
        pass
    assert tally.failures == ["one: what is known to fail passes: a rule"]


def test_a_line_takes_the_place_of_that_of_the_same_row(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    keep_lines(path, [{"row": "F1", "n": 1}, {"row": "R1", "n": 1}], ["R1", "F1"])
    keep_lines(path, [{"row": "F1", "n": 2}], ["R1", "F1"])
    assert list(read_lines(path).values()) == [{"row": "R1", "n": 1}, {"row": "F1", "n": 2}]
