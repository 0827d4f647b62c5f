"""Numbers and counts as words: one place decides how a score, a count or an unknown looks on the screen."""

from __future__ import annotations

import math

UNKNOWN = "--"
"""Shown for a value that is not known; never 0."""


def plural(n: int, noun: str, nouns: str = "") -> str:
    """``1 seed``, ``2 seeds``, ``1,204 chunks``; ``nouns`` is the plural when it is not ``noun`` + s."""
    return f"{n:,} {noun if n == 1 else nouns or noun + 's'}"


def size(n_bytes: int) -> str:
    """``812 bytes``, ``41 kB``, ``3.2 MB``, ``1.25 GB``: decimal units, as a browser shows a download."""
    if n_bytes < 1_000:
        return plural(n_bytes, "byte")
    if n_bytes < 999_500:
        return f"{n_bytes / 1e3:.0f} kB"
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes < 999_950_000 else f"{n_bytes / 1e9:,.2f} GB"


def cell_text(value: object) -> str:
    """The text of a table cell: ``--`` for nothing, yes or no, numbers with thousands or three decimals."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
    return str(value)


def ordinal(n: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``11th``."""
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{suffix}"


def score(value: float | None) -> str:
    """A similarity with two digits; small fusion scores (below 0.1) keep three; ``--`` when it is not known."""
    if value is None:
        return UNKNOWN
    return f"{value:.3f}" if 0 < abs(value) < 0.1 else f"{value:.2f}"


def measured(value: float | None) -> str:
    """A measure with two digits, three where two would read as a whole 1 or −1; ``--`` when it is not known."""
    if value is None:
        return UNKNOWN
    short = f"{value:.2f}"
    if abs(value) < 1 <= abs(float(short)):
        short = f"{math.copysign(min(round(abs(value), 3), 0.999), value):.3f}"
    return short.replace("-", "−")


def bar(value: float | None, top: float = 1.0) -> float:
    """Length of a score's bar, 0..1, against the longest one (``top``)."""
    return 0.0 if value is None or top <= 0 else min(max(value / top, 0.0), 1.0)


def n_of_m(n: int, m: int) -> str:
    """``3 of 14``; ``all 5`` when nothing is left out and there is more than one."""
    return f"all {m:,}" if n == m and m > 1 else f"{n:,} of {m:,}"


def milliseconds(value: float) -> str:
    """``0.4 ms``, ``48 ms``, ``1.2 s``."""
    if value >= 1_000:
        return f"{value / 1_000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


_LIMITS: dict[str, tuple[str, str, str]] = {
    "max_documents": ("document", "documents", ""),
    "max_seeds": ("match", "matches", ""),
    "max_expanded": ("related document", "related documents", ""),
    "max_fan_out": ("related document", "related documents", " per match"),
    "max_expanding_seeds": ("followed match", "followed matches", ""),
    "max_edges_per_seed": ("relationship", "relationships", " per match"),
    "max_chunks": ("passage", "passages", ""),
    "max_chunks_per_document": ("passage", "passages", " per document"),
    "max_tokens": ("token", "tokens", ""),
    "token_budget": ("token", "tokens", ""),
}
"""Limit → one of what it counts, several, and per what."""

_RULES = {
    "missing_document": "of a missing document",
    "reasons_only": "not added: the type only gives reasons",
    "where": "outside the filter",
    "max_linked_percent": "left out: linked from over {value} % of all documents",
}
"""What keeps documents out without being a number of them."""


def left_out(name: str, value: int, *, bare: bool = False) -> str:
    """``left out (limit: 2 related documents)``; ``bare`` where the reader sees of what: ``left out (limit: 2)``."""
    if name in _RULES:
        return _RULES[name].format(value=value)
    one, many, per = _LIMITS.get(name, (name, name, ""))
    return f"left out (limit: {value:,})" if bare else f"left out (limit: {plural(value, one, many)}{per})"
