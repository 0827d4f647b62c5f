"""Rank-biased overlap with p = 0.5: the first two or three ranks decide."""

from __future__ import annotations

from docgraph.plugins.measures._rbo import RankBiasedOverlap


def build() -> RankBiasedOverlap:
    """The measure; it has no options."""
    return RankBiasedOverlap(name="rbo_50", p=0.5)
