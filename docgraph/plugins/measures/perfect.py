"""Perfect retrieval: whether everything that is relevant is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Perfect:
    """Perfect@k = 1 when every relevant document is among the first k, else 0; a question of two hops needs both.

    Published comparisons of graph retrieval report its mean as "perfect retrieval" (fast-graphrag's benchmarks).
    """

    name: str = "perfect"
    title: str = "Perfect"
    kind: Literal["judged", "judged_in_sets"] = "judged_in_sets"
    formula: str = "1 when all documents that are judged relevant are among the first k, else 0"
    source: str = "circlemind-ai/fast-graphrag, benchmarks: share of questions with all gold passages among those read"

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """0 or 1; ``None`` when nothing is relevant."""
        if not relevant:
            return None
        return float(set(relevant) <= set(ranking[:k]))


def build() -> Perfect:
    """The measure; it has no options."""
    return Perfect()
