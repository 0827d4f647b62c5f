"""What the Plan page calls the limits of a plan, and that one of them cut something."""

from __future__ import annotations

from docgraph.views.words import counts

NAMES = {
    "max_seeds": "matches",
    "max_expanded": "related documents",
    "max_fan_out": "related a match",
    "max_expanding_seeds": "matches that lead on",
    "max_documents": "documents",
}
"""Limit → its name beside two numbers: ``documents 6 → 7``."""

_OF = {
    "max_seeds": ("match", "matches"),
    "max_expanded": ("related document", "related documents"),
    "max_fan_out": ("related document a match", "related documents a match"),
    "max_chunks": ("passage", "passages"),
    "max_chunks_per_document": ("passage a document", "passages a document"),
    "max_tokens": ("token", "tokens"),
    "token_budget": ("token", "tokens"),
}


def cut_by(name: str, value: int) -> str:
    """``cut by the limit of 4 matches``; of a limit that is no number what every screen says."""
    if name not in _OF:
        return counts.limit(name, value)
    return f"cut by the limit of {counts.plural(value, *_OF[name])}"


def cut_in_lane(name: str, value: int) -> str:
    """The same where a lane says of what already: ``cut (limit 4)``."""
    if name in ("max_seeds", "max_expanded"):
        return f"cut (limit {value:,})"
    return cut_by(name, value)
