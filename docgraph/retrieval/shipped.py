"""Calibrations that come with docgraph, used where a workspace has none of its own.

The default embedder's was fitted by ``benchmarks/calibration.py`` (see ``retrieval.calibration``) on what is found for
410 questions of eight corpora: the sample (56 documents), 780 passages of 2WikiMultiHopQA, 130 Python Enhancement
Proposals, 949 Ethereum, 650 Kubernetes and Bitcoin ones, Rust's RFCs and Swift's proposals. Each of them, and two more
without questions, was asked its own questions, those of the others, which it cannot answer, and 30 of three own fields
that nothing answers: 4,187 cases, 383 of which hold an answer. Corpora weigh alike; of the questions without an answer
those from a neighbouring field weigh three quarters; and 45 in 100 questions are taken to have one.

A corpus left out altogether, documents and questions (means over all): 79 % of its own questions reach 0.6, 5 % of
those of a neighbouring field and 2 of the 30 of its own field that nothing answers, and none of 1,251 of a far one.
Both errors are of own and near questions, each judged by constants that saw neither the corpus nor its questions.
docs/calibration.md has them one by one, the losses too.
"""

from __future__ import annotations

from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import Calibration


def calibration_id(embedder_id: str, score_kind: str, slope: float, intercept: float, words: float = 0.0) -> str:
    """``wordllama:l2_supercat:256/cosine@1a2b3c4d``: whose scores, and a fingerprint of the constants."""
    said = [repr(float(constant)) for constant in (slope, intercept, *([words] if words else []))]
    print_ = fingerprint([embedder_id, score_kind, *said])
    return f"{embedder_id}/{score_kind}@{print_[:8]}"


def shipped_calibrations(embedder_id: str) -> dict[str, Calibration]:
    """Score kind → calibration for an embedder; empty for one that nobody fitted."""
    return {each.score_kind: each for each in SHIPPED if each.embedder_id == embedder_id}


_WORDLLAMA = "wordllama:l2_supercat:256"
SHIPPED: tuple[Calibration, ...] = (
    Calibration(
        calibration_id=calibration_id(_WORDLLAMA, "cosine", 0.1, -5.1878, 30.7675),
        embedder_id=_WORDLLAMA,
        score_kind="cosine",
        slope=0.1,
        intercept=-5.1878,
        words=30.7675,
        n_pairs=4187,
        n_relevant=383,
        error_before=0.244,
        error_after=0.036,
        source="shipped: sample corpus, 2WikiMultiHopQA, PEPs, EIPs, KEPs, BIPs, Rust RFCs and Swift proposals",
    ),
)
