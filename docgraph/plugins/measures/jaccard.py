"""Jaccard index: how much two sets have in common, order ignored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Jaccard:
    """|A ∩ B| / |A ∪ B|; 1 for equal sets, 0 for sets without a common item (Jaccard 1912)."""

    name: str = "jaccard"
    title: str = "Jaccard"
    kind: Literal["overlap", "correlation"] = "overlap"
    formula: str = "|A ∩ B| / |A ∪ B|"
    source: str = "Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist 11(2), 37–50"

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """In [0, 1]; 0 when one list is empty, ``None`` when both are."""
        union = {*a, *b}
        return len(set(a) & set(b)) / len(union) if union else None


def build() -> Jaccard:
    """The measure; it has no options."""
    return Jaccard()
