"""Perfect retrieval: whether everything that is relevant is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.plugins.measures._measure import Judged


class Perfect(Judged):
    """Perfect@k = 1 when every relevant document is among the first k, else 0; a question of two hops needs both.

    Published comparisons of graph retrieval report its mean as "perfect retrieval" (fast-graphrag's benchmarks).
    """

    name = "perfect"
    title = "Perfect"
    formula = "1 when all documents that are judged relevant are among the first k, else 0"
    source = "circlemind-ai/fast-graphrag, benchmarks: share of questions with all gold passages among those read"

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """0 or 1."""
        return float(set(relevant) <= set(read))


build = Perfect
