"""Calibrations that come with docgraph, used where a workspace has none of its own.

The default embedder's was fitted by ``benchmarks/calibration.py`` (Platt scaling, see ``retrieval.calibrating``) on the
20 most similar chunks of each question, in three corpora: the sample corpus (56 documents, 32 questions), the Python
Enhancement Proposals with header relations (130, 30) and 780 passages of 2WikiMultiHopQA (780, 101). Each corpus was
asked its own questions and those of the other two, which it cannot answer: 9,780 pairs, 812 of them relevant. Corpora
weigh alike, and so do relevant and irrelevant pairs.

Expected calibration error, cross-validated over questions: 0.191 with the cosine as confidence, 0.071 with these
constants. A confidence of 0.6 is a cosine of 0.392. On held-out questions the best candidate reaches 0.6 for 81 %
(sample), 100 % (proposals) and 96 % (2Wiki) of those that the corpus can answer, and stays below for 95 to 100 % of
those that it cannot, two more corpora (86 notes, 38 decision records) included. Fitted without a corpus altogether,
the first three are 53, 100 and 87 %: a corpus of one's own is worth calibrating.
"""

from __future__ import annotations

from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import Calibration


def calibration_id(embedder_id: str, score_kind: str, slope: float, intercept: float) -> str:
    """``wordllama:l2_supercat:256/cosine@1a2b3c4d``: whose scores, and a fingerprint of the constants."""
    print_ = fingerprint([embedder_id, score_kind, repr(float(slope)), repr(float(intercept))])
    return f"{embedder_id}/{score_kind}@{print_[:8]}"


def shipped_calibrations(embedder_id: str) -> dict[str, Calibration]:
    """Score kind → calibration for an embedder; empty for one that nobody fitted."""
    return {each.score_kind: each for each in SHIPPED if each.embedder_id == embedder_id}


_WORDLLAMA = "wordllama:l2_supercat:256"
SHIPPED: tuple[Calibration, ...] = (
    Calibration(
        calibration_id=calibration_id(_WORDLLAMA, "cosine", 9.3594, -3.2639),
        embedder_id=_WORDLLAMA,
        score_kind="cosine",
        slope=9.3594,
        intercept=-3.2639,
        n_pairs=9780,
        n_relevant=812,
        error_before=0.191,
        error_after=0.071,
        source="shipped: sample corpus, PEPs with header relations, 780 passages of 2WikiMultiHopQA",
    ),
)
