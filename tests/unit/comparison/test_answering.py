"""The answering passage in a comparison: which side reads it, said in the verdict, and nothing where none is known."""

from __future__ import annotations

import pytest

from docgraph.comparison.compare import compare
from docgraph.comparison.narrative import passage_words
from docgraph.domain.comparison import AnsweringPassage, Comparison, Side
from docgraph.domain.passages.evidence import given_evidence
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.presenter.story import changed
from tests.unit.orchestration.evaluating.sets import N, workspace

NUMBER = 2
QUERY = f"What of the tide in yard {NUMBER}?"
PARTNER = (NUMBER * 7 + 3) % N
FEW = {"query": QUERY, "max_documents": 3, "max_chunks": 3}


@pytest.fixture(scope="module")
def opened() -> Docgraph:
    return workspace()


def compared(opened: Docgraph, evidence: object, *, turned: bool = False, budget: int = 2_000) -> Comparison:
    on, off = (opened.run({**FEW, "token_budget": budget, "use_relationships": each}) for each in (True, False))
    a, b = (on, off) if turned else (off, on)
    return compare(Side.of(a), Side.of(b), (), evidence=given_evidence(evidence))


def test_a_passage_that_a_relationship_brings_is_read_and_the_verdict_says_so_first(opened: Docgraph) -> None:
    made = compared(opened, f"yard {PARTNER} is")
    assert made.passage == AnsweringPassage(in_a=False, in_b=True)
    assert made.sentence.startswith("The answering passage is read: no → yes")
    assert "".join(part.text for part in changed(made)[0]) == "The answering passage is read. Without: no."


def test_a_passage_that_is_lost_is_said_as_plainly(opened: Docgraph) -> None:
    made = compared(opened, f"yard {PARTNER} is", turned=True)
    assert made.sentence.startswith("The answering passage is not read any more: yes → no")
    assert changed(made)[0][0].tone == "lost"


def test_with_two_pieces_of_evidence_both_have_to_be_read(opened: Docgraph) -> None:
    both = [f"yard {NUMBER} is", f"yard {PARTNER} is"]
    assert compared(opened, both).passage == AnsweringPassage(n=2, in_a=False, in_b=True)
    assert compared(opened, [both[0], "nowhere"]).passage == AnsweringPassage(n=2, in_a=False, in_b=False)


@pytest.mark.parametrize(
    ("n", "in_a", "in_b", "said"),
    [
        (1, True, True, "the answering passage is read by both"),
        (1, False, False, "the answering passage is read by neither"),
        (2, False, True, "all 2 answering passages are read: no → yes"),
        (2, True, False, "all 2 answering passages are not read any more: yes → no"),
    ],
)
def test_the_words_for_every_case(n: int, in_a: bool, in_b: bool, said: str) -> None:
    assert passage_words(AnsweringPassage(n=n, in_a=in_a, in_b=in_b)) == said


def test_where_no_passage_is_known_nothing_is_said_and_nothing_is_written(opened: Docgraph) -> None:
    made = compared(opened, ())
    assert made.passage is None
    assert "passage" not in made.model_dump(mode="json")
    other = opened.run({**FEW, "query": "Another question"})
    run = opened.run(FEW)
    assert compare(Side.of(other), Side.of(run), (), evidence=given_evidence("yard")).passage is None


def test_kept_sets_and_marked_passages_are_what_a_comparison_knows() -> None:
    there = workspace()
    assert there.compare(FEW).passage is None
    there.query_sets.keep([{"query_id": "q", "query": QUERY, "evidence": f"yard {PARTNER} is"}], name="mine")
    assert there.compare(FEW).passage == AnsweringPassage(in_a=False, in_b=True)
    there.query_sets.remove("mine")
    assert there.compare(FEW).passage is None
    there.judgments.judge_passage(QUERY, f"D{NUMBER}#0", 2, by="ann")
    assert there.compare(FEW).passage == AnsweringPassage(in_a=True, in_b=True)
    there.judgments.withdraw_passage(QUERY, f"D{NUMBER}#0", by="ann")
    assert there.compare(FEW).passage is None
