"""Average precision: precision at each relevant document that is read; its mean over questions is MAP."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from docgraph.plugins.measures._measure import DIGITS, Judged


class AveragePrecision(Judged):
    """AP@k = Σ over the ranks i ≤ k of relevant documents of precision@i / all relevant documents."""

    name = "average_precision"
    title = "Average precision"
    formula = "Σ precision@i over the ranks i ≤ k of relevant documents / all documents that are judged relevant"
    source = (
        "Buckley, C., Voorhees, E. M. (2000). Evaluating evaluation measure stability. "
        "Proceedings of SIGIR 2000, 33–40; the cut as map_cut in trec_eval"
    )

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """In [0, 1]; 1 when every relevant document is read before all others."""
        ranks = [rank for rank, item in enumerate(read, start=1) if item in relevant]
        summed = math.fsum(n / rank for n, rank in enumerate(ranks, start=1))
        return round(summed / len(relevant), DIGITS)


build = AveragePrecision
