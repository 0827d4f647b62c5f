"""How far a run of the checks is, and what a stopped one leaves open."""

from __future__ import annotations

import pytest

from docgraph.domain.finding import CheckReport, CheckResult
from docgraph.views.relationships.findings.checks import running_words, stopped_words, unknown_words
from docgraph.views.relationships.findings.queue import nothing_words


def _report(n_run: int, n_left: int, n_off: int = 0) -> CheckReport:
    total = n_run + n_left + n_off
    return CheckReport(
        workspace="w",
        corpus_revision="r",
        n_documents=3,
        n_relationships=2,
        complete=not n_left,
        results=tuple(
            CheckResult(check_id=f"c{i}", title="C", why="w", severity="info", unit="u", on=i < n_run + n_left)
            for i in range(total)
        ),
        not_run=tuple(f"c{i}" for i in range(n_run, n_run + n_left)),
    )


def test_a_run_says_n_of_n_how_long_and_what_it_does() -> None:
    assert running_words(5, 18, "Missing document", seconds=12.4) == "5 of 18 checks, 12 s: Missing document"
    assert running_words(18, 18, "", seconds=12.4) == "18 of 18 checks, 12 s"
    assert running_words(0, 0, "", seconds=0.2) == "reading, 0 s"


@pytest.mark.parametrize(
    ("report", "stopped", "unknown"),
    [
        (_report(18, 0), "", ""),
        (_report(11, 7), "stopped: 11 of 18 checks", "The results of the other 7 are not known."),
        (_report(16, 1, n_off=1), "stopped: 16 of 17 checks", "The result of the other check is not known."),
        (_report(0, 18), "stopped: 0 of 18 checks", "Nothing was checked yet."),
    ],
)
def test_a_stopped_run_says_what_it_leaves_open(report: CheckReport, stopped: str, unknown: str) -> None:
    assert (stopped_words(report), unknown_words(report)) == (stopped, unknown)


def test_only_checks_that_have_run_found_nothing() -> None:
    looked = "looked at 2 relationships and 3 documents: nothing found"
    assert nothing_words(_report(11, 6, n_off=1)) == f"11 checks {looked}; 1 switched off"
