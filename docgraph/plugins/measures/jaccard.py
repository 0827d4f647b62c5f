"""Jaccard index: how much two sets have in common, order ignored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal


class Jaccard:
    """|A ∩ B| / |A ∪ B|; 1 for equal sets, 0 for sets without a common item (Jaccard 1912)."""

    name = "jaccard"
    title = "Jaccard"
    kind: Literal["overlap", "correlation"] = "overlap"
    formula = "|A ∩ B| / |A ∪ B|"
    source = "Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist 11(2), 37–50"

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """In [0, 1]; 0 when one list is empty, ``None`` when both are."""
        union = {*a, *b}
        return len(set(a) & set(b)) / len(union) if union else None


build = Jaccard
