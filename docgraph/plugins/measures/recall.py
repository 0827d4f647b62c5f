"""Recall: which share of the relevant documents is read at all, order ignored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Recall:
    """Recall@k = relevant documents among the first k / all relevant documents (Kent et al. 1955)."""

    name: str = "recall"
    title: str = "Recall"
    kind: Literal["judged", "judged_in_sets"] = "judged"
    formula: str = "relevant documents among the first k / all documents that are judged relevant"
    source: str = (
        "Kent, A., Berry, M. M., Luehrs, F. U., Perry, J. W. (1955). Machine literature searching VIII. "
        "Operational criteria for designing information retrieval systems. American Documentation 6(2), 93–101"
    )

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """In [0, 1]; 1 when every relevant document is among the first ``k``, ``None`` when nothing is relevant."""
        if not relevant:
            return None
        return sum(item in relevant for item in ranking[:k]) / len(relevant)


def build() -> Recall:
    """The measure; it has no options."""
    return Recall()
