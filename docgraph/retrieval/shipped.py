"""Calibrations that come with docgraph, used where a workspace has none of its own."""

from __future__ import annotations

from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import Calibration

SHIPPED: tuple[Calibration, ...] = ()


def calibration_id(embedder_id: str, score_kind: str, slope: float, intercept: float) -> str:
    """``wordllama:l2_supercat:256/cosine@1a2b3c4d``: whose scores, and a fingerprint of the constants."""
    print_ = fingerprint([embedder_id, score_kind, repr(float(slope)), repr(float(intercept))])
    return f"{embedder_id}/{score_kind}@{print_[:8]}"


def shipped_calibrations(embedder_id: str) -> dict[str, Calibration]:
    """Score kind → calibration for an embedder; empty for one that nobody fitted."""
    return {each.score_kind: each for each in SHIPPED if each.embedder_id == embedder_id}
