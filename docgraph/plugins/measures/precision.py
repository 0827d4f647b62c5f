"""Precision: which share of what is read is relevant."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.plugins.measures._measure import Judged


class Precision(Judged):
    """Precision@k = relevant documents among the first k / k (Kent et al. 1955; the cut as in trec_eval)."""

    name = "precision"
    title = "Precision"
    formula = "relevant documents among the first k / k, however many are read"
    source = (
        "Kent, A., Berry, M. M., Luehrs, F. U., Perry, J. W. (1955). Machine literature searching VIII. "
        "Operational criteria for designing information retrieval systems. American Documentation 6(2), 93–101"
    )

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """In [0, 1]; 1 when k documents are read and all are relevant."""
        return sum(item in relevant for item in read) / k


build = Precision
