"""Questions with known answers, and what a calibration fitted on them says about itself."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.packet import Calibration
from docgraph.domain.request import MAX_QUERY_LENGTH


class LabelledQuestion(Frozen):
    """A question with the documents that answer it; none of them = a question that this corpus cannot answer."""

    query: str = Field(min_length=1, max_length=MAX_QUERY_LENGTH)
    relevant: tuple[str, ...] = ()


class ReliabilityBin(Frozen):
    """Pairs whose confidence lies from ``lower`` to ``upper`` (the last bin holds 1 too).

    ``confidence`` = their mean confidence, ``relevant`` = the share of them that is relevant, both weighted so that
    relevant and irrelevant pairs count alike over all bins; None without a pair.
    """

    lower: float
    upper: float
    n_pairs: int = Field(ge=0)
    confidence: float | None = None
    relevant: float | None = None


class ThresholdRates(Frozen):
    """What a threshold does to questions: the shares of them that the best candidate decides rightly.

    ``answerable_met`` = questions with an answer here whose best candidate reaches it, ``unanswerable_below`` =
    questions without one whose best candidate does not; None without such questions.
    """

    threshold: float = Field(ge=0.0, le=1.0)
    n_answerable: int = Field(ge=0)
    answerable_met: float | None = None
    n_unanswerable: int = Field(ge=0)
    unanswerable_below: float | None = None


class CalibrationReport(Frozen):
    """A fitted calibration, and how far it can be trusted.

    Errors, bins and rates *after* are cross-validated over questions: every pair is judged by constants that were
    fitted without its question. *Before* takes the raw score, clipped to 0…1, for the confidence.
    ``error_shipped`` = the error with the constants that come with docgraph, where there are some for the embedder.
    ``stored`` = retrieval uses it from now on; ``replaced`` = the id of the calibration that was stored before.
    ``why_not`` = why it is not worth keeping: it judges questions that it never saw no better than what counts without
    it. Such a fit is never stored.
    """

    calibration: Calibration
    workspace: str
    n_questions: int
    n_left_out: int = 0
    n_unanswerable: int = 0
    candidates: int
    n_folds: int
    error_before: float
    error_after: float
    error_shipped: float | None = None
    reliability_before: tuple[ReliabilityBin, ...]
    reliability_after: tuple[ReliabilityBin, ...]
    rates: ThresholdRates
    why_not: str = ""
    replaced: str | None = None
    stored: bool = False
