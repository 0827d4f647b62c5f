"""A workspace embedded anew, in the words of every screen: how far it is, how long it takes, what it brought."""

from __future__ import annotations

import math

from docgraph.domain.embedding import EmbeddingGain, EmbeddingState, Share
from docgraph.domain.type_roles import signed


def state_sentence(state: EmbeddingState) -> str:
    """Where it stands, or how the last one ended."""
    new = state.embedder.embedder_id
    if state.finished:
        return f"Embedded anew with {new}, before that with {state.before.embedder_id}."
    if state.switched:
        return f"Switched to {new}; what search needs is made again, and the room of the old vectors freed."
    return (
        f"{state.n_done:,} of {state.n_total:,} texts are embedded with {new}; until all are, "
        f"{state.before.embedder_id} answers."
    )


def gain_sentences(gain: EmbeddingGain) -> tuple[str, str]:
    """What it brought on generated questions, passages first."""
    asked = f"Of {gain.n:,} generated questions" if gain.n != 1 else "Of 1 generated question"
    return (
        f"{asked} the passage is read for {_share(gain.passages)}.",
        f"The document is read for {_share(gain.documents)}.",
    )


def _share(share: Share) -> str:
    changed = f"{share.better:,} better, {share.worse:,} worse"
    return f"{share.after:.1f} %, before {share.before:.1f} % ({signed_points(share)}; {changed})"


def signed_points(share: Share) -> str:
    """``+19.0 points``, ``±0.0 points``."""
    return f"{signed(share.points)} points"


def pace(n: int, seconds: float, left: int) -> str:
    """``37/s, 4 min left``: by what was done since somebody looks, never by what was done before."""
    if n <= 0 or seconds <= 0:
        return ""
    rate = n / seconds
    shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
    return f"{shown}/s, {lasting(left / rate)} left" if left else f"{shown}/s"


def lasting(seconds: float) -> str:
    """``40 s``, ``4 min``, ``3 h 20 min``: rounded up, as nobody minds being done early."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
