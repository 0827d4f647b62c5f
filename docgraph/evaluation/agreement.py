"""How far two judges agree: Cohen's kappa and Krippendorff's ordinal alpha, as nltk computes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from docgraph.domain.judging import Agreement, JudgedTwice, Passage
from docgraph.domain.query_set import RELEVANT

GRADES = range(RELEVANT + 1)


def agreement(
    a: str, b: str, *, graded: Mapping[str, Mapping[tuple[str, str, str], int]], passages: Sequence[Passage]
) -> Agreement:
    """Of the passages that both graded, in the order given; ``graded`` = judge → ``Passage.key`` → grade."""
    mine, theirs = graded.get(a, {}), graded.get(b, {})
    twice = [
        JudgedTwice(passage=each, a=mine[each.key], b=theirs[each.key])
        for each in passages
        if each.key in mine and each.key in theirs
    ]
    pairs = [(each.a, each.b) for each in twice]
    kappa, alpha = kappa_and_alpha(pairs)
    return Agreement(
        a=a,
        b=b,
        n=len(pairs),
        equal=sum(one == other for one, other in pairs),
        table=tuple(tuple(pairs.count((i, j)) for j in GRADES) for i in GRADES),
        kappa=kappa,
        alpha=alpha,
        differing=tuple(each for each in twice if each.a != each.b),
    )


def kappa_and_alpha(pairs: Sequence[tuple[int, int]]) -> tuple[float | None, float | None]:
    """Cohen's kappa (1960) and Krippendorff's alpha (ordinal) of pairs of grades; ``None`` where it is not known.

    One grade in all of them says nothing of chance: nltk has 1 for it, here it is not known.
    """
    if len({grade for pair in pairs for grade in pair}) < 2:
        return None, None
    from nltk.metrics.agreement import AnnotationTask  # slow to import; only two judges need it

    given = [(judge, item, grade) for item, pair in enumerate(pairs) for judge, grade in enumerate(pair)]
    alpha = AnnotationTask(given, distance=_Ordinal([grade for pair in pairs for grade in pair])).alpha()
    return float(AnnotationTask(given).kappa()), float(alpha)


class _Ordinal:
    """Krippendorff's ordinal distance: the square of how many grades were given between two, half of their own."""

    def __init__(self, grades: Sequence[int]) -> None:
        self.counts = [grades.count(grade) for grade in GRADES]
        self.up_to = list(accumulate(self.counts))

    def __call__(self, one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = self.up_to[high] - self.up_to[low] + self.counts[low]
        return (between - (self.counts[low] + self.counts[high]) / 2) ** 2
