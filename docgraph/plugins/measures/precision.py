"""Precision: which share of what is read is relevant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Precision:
    """Precision@k = relevant documents among the first k / k (Kent et al. 1955; the cut as in trec_eval)."""

    name: str = "precision"
    title: str = "Precision"
    kind: Literal["judged", "judged_in_sets"] = "judged_in_sets"
    formula: str = "relevant documents among the first k / k, however many are read"
    source: str = (
        "Kent, A., Berry, M. M., Luehrs, F. U., Perry, J. W. (1955). Machine literature searching VIII. "
        "Operational criteria for designing information retrieval systems. American Documentation 6(2), 93–101"
    )

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """In [0, 1]; 1 when k documents are read and all are relevant, ``None`` when nothing is relevant."""
        if not relevant:
            return None
        return sum(item in relevant for item in ranking[:k]) / k


def build() -> Precision:
    """The measure; it has no options."""
    return Precision()
