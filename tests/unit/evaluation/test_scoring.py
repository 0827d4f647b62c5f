"""Boilerplate targets: who is named, from which share on, and that a judged gain clears a document."""

from __future__ import annotations

import pytest

from docgraph.domain.overrides import EdgeKey
from docgraph.domain.scoreboard import BoilerplateTarget
from docgraph.evaluation.scoring import MIN_QUESTIONS, Brought, Scored, boilerplate_targets

KEYS: tuple[EdgeKey, ...] = tuple((f"d{n}", "explains", "licence") for n in range(12))


def question(number: int, *grades: int | None) -> Scored:
    """Two relationships bring the glossary in, judged as said; none of them brings anything else."""
    brought = [
        Brought((f"d{n}", "explains", "glossary"), "", "glossary", 1, 9, 0.5, grade) for n, grade in enumerate(grades)
    ]
    return Scored(f"q{number}", brought)


def found(scored: list[Scored], keys: tuple[EdgeKey, ...] = ()) -> tuple[BoilerplateTarget, ...]:
    return boilerplate_targets(keys, scored, is_boilerplate=lambda linked_by: linked_by > 10, percent=25)


def test_a_document_that_too_many_link_to_takes_no_place() -> None:
    twice = (*KEYS, ("d0", "replaces", "licence"))
    assert found([question(0)], twice) == (BoilerplateTarget(document_id="licence", linked_by=12, takes_no_place=True),)
    assert found([question(0)], KEYS[:10]) == ()


@pytest.mark.parametrize(
    ("grades", "named"),
    [
        ([0] * 11, True),
        ([0, *[None] * 10], True),
        ([2, *[0] * 10], False),
        ([None] * 11, False),
        ([0] * MIN_QUESTIONS, False),
    ],
    ids=["judged bad", "once judged bad", "once judged good", "not judged", "a handful"],
)
def test_a_document_that_many_questions_get_for_nothing_is_named(grades: list[int | None], named: bool) -> None:
    targets = found([question(n, grade, grade) for n, grade in enumerate(grades)])
    assert [each.document_id for each in targets] == ["glossary"] * named
    if named:
        assert (targets[0].fired, targets[0].bad) == (11, sum(grade == 0 for grade in grades))
        assert not targets[0].takes_no_place


def test_a_small_share_of_the_questions_is_not_named() -> None:
    scored = [question(n, 0) if n < 11 else question(n) for n in range(44)]
    assert found(scored) == ()
    assert found(scored[:43])
