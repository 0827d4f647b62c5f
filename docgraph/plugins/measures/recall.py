"""Recall: which share of the relevant documents is read at all, order ignored."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.plugins.measures._measure import Judged


class Recall(Judged):
    """Recall@k = relevant documents among the first k / all relevant documents (Kent et al. 1955)."""

    name = "recall"
    title = "Recall"
    kind = "judged"
    formula = "relevant documents among the first k / all documents that are judged relevant"
    source = (
        "Kent, A., Berry, M. M., Luehrs, F. U., Perry, J. W. (1955). Machine literature searching VIII. "
        "Operational criteria for designing information retrieval systems. American Documentation 6(2), 93–101"
    )

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """In [0, 1]; 1 when every relevant document is among the first ``k``."""
        return sum(item in relevant for item in read) / len(relevant)


build = Recall
