"""Rank-biased overlap with p = 0.9: the first ten ranks count for most."""

from __future__ import annotations

from docgraph.plugins.measures._rbo import RankBiasedOverlap


def build() -> RankBiasedOverlap:
    """The measure; it has no options."""
    return RankBiasedOverlap(name="rbo_90", p=0.9)
