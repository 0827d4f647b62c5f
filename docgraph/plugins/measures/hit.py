"""Hit: whether anything relevant is read at all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Hit:
    """Hit@k = 1 when a relevant document is among the first k, else 0 (success@k of trec_eval)."""

    name: str = "hit"
    title: str = "Hit"
    kind: Literal["judged", "judged_in_sets"] = "judged_in_sets"
    formula: str = "1 when a document that is judged relevant is among the first k, else 0"
    source: str = (
        "Craswell, N. (2009). Success at n. In: Liu, L., Özsu, M. T. (eds) Encyclopedia of Database Systems. Springer"
    )

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """0 or 1; ``None`` when nothing is relevant."""
        if not relevant:
            return None
        return float(any(item in relevant for item in ranking[:k]))


def build() -> Hit:
    """The measure; it has no options."""
    return Hit()
