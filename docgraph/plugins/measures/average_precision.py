"""Average precision: precision at each relevant document that is read; its mean over questions is MAP."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.plugins.measures._ranks import DIGITS


@dataclass(frozen=True)
class AveragePrecision:
    """AP@k = Σ over the ranks i ≤ k of relevant documents of precision@i / all relevant documents."""

    name: str = "average_precision"
    title: str = "Average precision"
    kind: Literal["judged", "judged_in_sets"] = "judged_in_sets"
    formula: str = "Σ precision@i over the ranks i ≤ k of relevant documents / all documents that are judged relevant"
    source: str = (
        "Buckley, C., Voorhees, E. M. (2000). Evaluating evaluation measure stability. "
        "Proceedings of SIGIR 2000, 33–40; the cut as map_cut in trec_eval"
    )

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """In [0, 1]; 1 when every relevant document is read before all others, ``None`` when nothing is relevant."""
        if not relevant:
            return None
        ranks = [rank for rank, item in enumerate(ranking[:k], start=1) if item in relevant]
        summed = math.fsum(n / rank for n, rank in enumerate(ranks, start=1))
        return round(summed / len(relevant), DIGITS)


def build() -> AveragePrecision:
    """The measure; it has no options."""
    return AveragePrecision()
