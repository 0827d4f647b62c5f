"""Normalised discounted cumulative gain: relevant documents count for more the earlier they are read."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from docgraph.plugins.measures._measure import DIGITS, Judged


class Ndcg(Judged):
    """nDCG@k = DCG@k / ideal DCG@k with DCG@k = Σ rel(i) / log2(i + 1) over the ranks i = 1…k; rel is 0 or a grade.

    The ideal puts the relevant ones first, the highest grades before others; without grades rel is 0 or 1. Järvelin,
    K., Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM Transactions on Information
    Systems 20(4), 422–446. They leave ranks below the base of the logarithm undiscounted; log2(i + 1) is what
    trec_eval and most of the field compute.
    """

    name = "ndcg"
    title = "nDCG"
    kind = "judged"
    formula = (
        "DCG@k / ideal DCG@k; DCG@k = Σ i=1..k rel(i) / log2(i + 1); rel(i) = 1 when document i is judged relevant, "
        "else 0; the ideal has min(k, relevant documents) relevant ones first"
    )
    source = (
        "Järvelin, K., Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. "
        "ACM Transactions on Information Systems 20(4), 422–446; discount as in trec_eval"
    )

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """In [0, 1]; 1 when as many relevant documents as can be stand first."""
        grades = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
        gained = _discounted(grades.get(item, 0) for item in read)
        return round(gained / _discounted(sorted(grades.values(), reverse=True)[:k]), DIGITS)


def _discounted(grades: Iterable[int]) -> float:
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1) if grade)


build = Ndcg
