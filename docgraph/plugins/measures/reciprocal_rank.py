"""Reciprocal rank: how early the first relevant document is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.plugins.measures._measure import Judged


class ReciprocalRank(Judged):
    """RR@k = 1 / rank of the first relevant document, 0 when none is among the first k (Voorhees 1999)."""

    name = "reciprocal_rank"
    title = "Reciprocal rank"
    kind = "judged"
    formula = "1 / rank of the first document that is judged relevant; 0 when none is among the first k"
    source = (
        "Voorhees, E. M. (1999). The TREC-8 question answering track report. "
        "Proceedings of the Eighth Text REtrieval Conference (TREC-8), NIST Special Publication 500-246, 77–82"
    )

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """In [0, 1]; 1 when a relevant document stands first."""
        return next((1 / rank for rank, item in enumerate(read, start=1) if item in relevant), 0.0)


build = ReciprocalRank
