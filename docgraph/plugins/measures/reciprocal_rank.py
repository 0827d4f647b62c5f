"""Reciprocal rank: how early the first relevant document is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ReciprocalRank:
    """RR@k = 1 / rank of the first relevant document, 0 when none is among the first k (Voorhees 1999)."""

    name: str = "reciprocal_rank"
    title: str = "Reciprocal rank"
    kind: Literal["judged", "judged_in_sets"] = "judged"
    formula: str = "1 / rank of the first document that is judged relevant; 0 when none is among the first k"
    source: str = (
        "Voorhees, E. M. (1999). The TREC-8 question answering track report. "
        "Proceedings of the Eighth Text REtrieval Conference (TREC-8), NIST Special Publication 500-246, 77–82"
    )

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """In [0, 1]; 1 when a relevant document stands first, ``None`` when nothing is relevant."""
        if not relevant:
            return None
        return next((1 / rank for rank, item in enumerate(ranking[:k], start=1) if item in relevant), 0.0)


def build() -> ReciprocalRank:
    """The measure; it has no options."""
    return ReciprocalRank()
