"""How far two judges agree: Cohen's kappa and Krippendorff's ordinal alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

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
    """Cohen's kappa (1960) and Krippendorff's alpha (ordinal, 2011) of pairs of grades; ``None`` where it is not known.

    Both are 1 − observed / expected disagreement. One grade in all of them says nothing of chance.
    """
    n = len(pairs)
    mine, theirs = (Counter(pair[judge] for pair in pairs) for judge in (0, 1))
    both = mine + theirs
    if len(both) < 2:
        return None, None
    differing = sum(one != other for one, other in pairs) / n
    by_chance = 1 - sum(mine[grade] * theirs[grade] for grade in GRADES) / n**2
    apart = {(i, j): _ordinal_distance(both, i, j) for i in GRADES for j in GRADES}
    observed = sum(apart[pair] for pair in pairs) / n
    expected = sum(both[i] * both[j] * distance for (i, j), distance in apart.items()) / (2 * n * (2 * n - 1))
    return 1 - differing / by_chance, 1 - observed / expected


def _ordinal_distance(given: Mapping[int, int], one: int, other: int) -> float:
    """Krippendorff's: the square of how many grades were given from one to the other, half of these two."""
    low, high = sorted((one, other))
    return (sum(given[grade] for grade in range(low, high + 1)) - (given[low] + given[high]) / 2) ** 2
