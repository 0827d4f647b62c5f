"""Hit: whether anything relevant is read at all."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.plugins.measures._measure import Judged


class Hit(Judged):
    """Hit@k = 1 when a relevant document is among the first k, else 0 (success@k of trec_eval)."""

    name = "hit"
    title = "Hit"
    formula = "1 when a document that is judged relevant is among the first k, else 0"
    source = (
        "Craswell, N. (2009). Success at n. In: Liu, L., Özsu, M. T. (eds) Encyclopedia of Database Systems. Springer"
    )

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """0 or 1."""
        return float(any(item in relevant for item in read))


build = Hit
