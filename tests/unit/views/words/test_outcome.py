"""What a question's card says: the judged value first, then the number that its effect is about."""

from __future__ import annotations

import pytest

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, RelevantDocument, Side
from docgraph.domain.plan import CutTotal
from docgraph.domain.run import Run
from docgraph.views.words.outcome import outcome
from tests.unit.views.conftest import MakeRun

EDGES = [("a", "explains", "x"), ("a", "superseded_by", "y")]


def compared(before: Run, after: Run, relevant: str = "") -> Comparison:
    """Runs made by hand; one letter a document that is judged relevant."""
    read = [set(run.plan.document_ids) for run in (before, after)]
    judged = tuple(RelevantDocument(document_id=i, title=i, in_a=i in read[0], in_b=i in read[1]) for i in relevant)
    sides = Side(name="ms3", label="MS3", run=before), Side(name="run", label="MS5", run=after)
    return compare(*sides, ()).model_copy(update={"score_drift": 0.0, "relevant": judged})


def said(comparison: Comparison, effect: str = "") -> str:
    found = outcome(comparison, effect)
    return found.value + found.rest


@pytest.fixture
def runs(make_run: MakeRun) -> tuple[Run, Run]:
    """Without relationships a, b, c are read; with them x and y come in for b and c."""
    return make_run(("a", "b", "c")), make_run(("a",), ("x", "y"), EDGES)


@pytest.mark.parametrize(
    ("relevant", "effect", "words"),
    [
        ("axy", "evidence_added", "1 → 3 of 3 relevant documents read, 2 added"),
        ("ab", "evidence_added", "2 → 1 of 2 relevant documents read; 2 added, 2 removed"),
        ("a", "document_displaced", "1 → 1 of 1 relevant documents read; 2 added, 2 removed"),
        ("ay", "conflict_superseded", "1 → 2 of 2 relevant documents read, 1 successor added"),
        ("ay", "cap_cut", "1 → 2 of 2 relevant documents read, 2 added"),
        ("", "evidence_added", "2 added, 2 removed, not judged yet"),
    ],
)
def test_the_judged_value_stands_first_and_a_loss_is_said_like_a_gain(
    runs: tuple[Run, Run], relevant: str, effect: str, words: str
) -> None:
    assert said(compared(*runs, relevant), effect) == words


def test_a_cut_is_said_as_n_of_m_with_the_limit_that_cut(runs: tuple[Run, Run]) -> None:
    before, after = runs
    total = CutTotal(limit="max_expanded", value=2, kept=2, total=10)
    after = after.model_copy(update={"plan": after.plan.model_copy(update={"cut_totals": (total,)})})
    assert (
        said(compared(before, after, "ax"), "cap_cut")
        == "1 → 2 of 2 relevant documents read, 8 of 10 related left out (limit: 2)"
    )


def test_equal_results_are_called_identical_with_the_reason(make_run: MakeRun) -> None:
    plain, linked = make_run(("a", "b")), make_run(("a",), ("x",), EDGES[:1])
    assert said(compared(plain, plain, "ab")) == "Nothing to follow: same result"
    assert said(compared(linked, linked, "ab")) == "No difference: same result"
