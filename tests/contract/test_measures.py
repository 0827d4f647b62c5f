"""Every measure keeps the promises of the shipped suite, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import pytest

from docgraph import plugins
from docgraph.testing.suites.measures import check_measure

Compute = Callable[[Sequence[str], Sequence[str]], float | None]


@pytest.mark.parametrize("name", plugins.available("measures"))
def test_every_measure_keeps_every_promise(name: str) -> None:
    check_measure(plugins.build("measures", name))


@pytest.mark.parametrize("name", plugins.available("measures"))
def test_a_measure_is_called_as_its_file(name: str) -> None:
    assert plugins.build("measures", name).name == name


@dataclass(frozen=True)
class Broken:
    compute: Compute
    kind: Literal["overlap", "correlation"] = "overlap"
    name: str = "broken"
    title: str = "Broken"
    formula: str = "?"
    source: str = "nobody"


def _jaccard(a: Sequence[str], b: Sequence[str]) -> float:
    return len({*a} & {*b}) / len({*a, *b})


@pytest.mark.parametrize(
    ("measure", "promise"),
    [
        (Broken(lambda a, b: 1.0), "nothing in common must be 0"),
        (Broken(lambda a, b: 0.0), "must overlap itself wholly"),
        (Broken(lambda a, b: 2.0 * _jaccard(a, b)), "outside"),
        (Broken(lambda a, b: 1), "neither a float nor None"),
        (Broken(lambda a, b: len({*a} & {*b}) / max(len(a), 1)), "from B to A"),
        (Broken(lambda a, b: _jaccard(a, b) * (0.5 if a[:1] > b[:1] else 1.0)), "names of the items"),
        (Broken(lambda a, b: 0.0, kind="correlation"), "the same order must be 1"),
        (Broken(_jaccard, formula="two\nlines"), "one line"),
        (Broken(_jaccard, source=" "), "source is empty"),
        (Broken(_jaccard, kind="distance"), "none of overlap, correlation, judged"),  # type: ignore[arg-type]
    ],
)
def test_a_measure_that_breaks_a_promise_is_told_which(measure: Broken, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_measure(measure)


@dataclass(frozen=True)
class BrokenJudged:
    compute: Callable[..., float | None]
    kind: Literal["judged"] = "judged"
    name: str = "broken"
    title: str = "Broken"
    formula: str = "?"
    source: str = "nobody"


def _hit(ranking: Sequence[str], relevant: Collection[str], k: int) -> float | None:
    return float(any(i in relevant for i in ranking[:k])) if relevant else None


@pytest.mark.parametrize(
    ("compute", "promise"),
    [
        (lambda ranking, relevant, *, k: int(_hit(ranking, relevant, k) or 0), "is no float"),
        (lambda ranking, relevant, *, k: 2 * (_hit(ranking, relevant, k) or 0.0), "outside"),
        (lambda ranking, relevant, *, k: _hit(ranking, relevant, k + 1), "beyond k"),
        (lambda ranking, relevant, *, k: 1.0, "nothing relevant read must be 0"),
        (lambda ranking, relevant, *, k: 0.0, "all and only relevant must be 1"),
        (lambda ranking, relevant, *, k: _hit(ranking, relevant, k) or 0.0, "at all must be None"),
        (lambda ranking, relevant, *, k: (_hit(ranking, relevant, k) or 0.0) / len(ranking[0]), "names of the items"),
    ],
)
def test_a_judged_measure_that_breaks_a_promise_is_told_which(
    compute: Callable[..., float | None], promise: str
) -> None:
    check_measure(BrokenJudged(lambda ranking, relevant, *, k: _hit(ranking, relevant, k)))
    with pytest.raises(AssertionError, match=promise):
        check_measure(BrokenJudged(compute))


def test_a_measure_with_a_direction_can_say_so() -> None:
    share_of_a = Broken(lambda a, b: len({*a} & {*b}) / len(a) if a else 0.0)
    check_measure(share_of_a, symmetric=False)
