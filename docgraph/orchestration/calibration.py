"""Fits how raw scores become confidences, from questions whose answers are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from docgraph.domain.calibration import CalibrationReport, LabelledQuestion, ThresholdRates
from docgraph.domain.packet import Calibration, PacketRequest
from docgraph.errors import UserError
from docgraph.orchestration.packets import confidence_in, known_calibrations, own_calibrations
from docgraph.orchestration.session import Namespace, Session
from docgraph.retrieval import calibration as platt
from docgraph.retrieval.shipped import calibration_id, shipped_calibrations

CANDIDATES = 20
"""Chunks of a question that are labelled: those that could have been shown, and some behind them."""
THRESHOLD: float = PacketRequest.model_fields["threshold"].default
SCORE_KIND = "cosine"
MAX_QUESTIONS = 10_000

GivenQuestion = LabelledQuestion | Mapping[str, Any]


@dataclass(frozen=True)
class LabelledScores:
    """One row a pair: its score, whether it is relevant, which question it belongs to, and the best of a question."""

    scores: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    questions: NDArray[np.int64]
    answerable: NDArray[np.bool_]
    """By question: whether the workspace holds one of its documents."""


class Calibrations(Namespace):
    """How raw scores become confidences: fitted from labelled questions, listed, forgotten, and asked of a run."""

    confidence = confidence_in

    def fit(
        self, questions: Iterable[GivenQuestion], *, dry_run: bool = False, candidates: int = CANDIDATES
    ) -> CalibrationReport:
        """Fit the confidence of this workspace's scores; kept for it and its embedder unless ``dry_run``.

        ``questions`` = LabelledQuestion or mappings with ``query`` and ``relevant`` (document ids). A pair is a
        question with one of its ``candidates`` most similar chunks, relevant when its document is. A question with an
        empty ``relevant`` is one that this corpus cannot answer: all its pairs are irrelevant. One whose documents are
        all unknown here is left out. Raises UserError for no questions, for bad ones, for too few pairs, and when
        scores do not rise with relevance.
        """
        if not 1 <= candidates <= 1_000:
            raise UserError(f"candidates = {candidates} is not possible", hint="1 to 1000 chunks of each question")
        asked = _checked(questions)
        kept, found = _labelled(self.session, asked, candidates)
        report = _report(found, self.session.embedder.embedder_id, workspace=self.session.workspace)
        stored = {} if dry_run else {c.score_kind: c for c in own_calibrations(self.session)}
        report = report.model_copy(
            update={
                "n_questions": len(kept),
                "n_left_out": len(asked) - len(kept),
                "candidates": candidates,
                "calibration": report.calibration.model_copy(update={"fitted_at": self.session.now()}),
                "replaced": stored[SCORE_KIND].calibration_id if SCORE_KIND in stored else None,
                "stored": not dry_run,
            }
        )
        if not dry_run:
            self.session.store().set_calibration(report.calibration)
        return report

    def list(self) -> tuple[Calibration, ...]:
        """What retrieval uses here for the configured embedder: the workspace's own, else the shipped ones."""
        known = known_calibrations(self.session)
        return tuple(known[kind] for kind in sorted(known))

    def reset(self) -> int:
        """Forget the workspace's own calibrations, so that the shipped ones count again; how many there were."""
        return self.session.store().remove_calibrations()


def _labelled(
    session: Session, questions: Sequence[LabelledQuestion], candidates: int
) -> tuple[list[LabelledQuestion], LabelledScores]:
    """The questions that say something about this workspace, and their pairs, on one snapshot."""
    kept: list[LabelledQuestion] = []
    rows: list[tuple[float, bool, int]] = []
    with session.reading() as snapshot:
        ids = sorted({document_id for question in questions for document_id in question.relevant})
        known = set(snapshot.documents_by_id(ids))
        for question in questions:
            if question.relevant and not known.intersection(question.relevant):
                continue
            vector = session.probe(question.query).vector
            if not vector.any():
                continue
            for hit in snapshot.nearest_chunks(vector, limit=candidates):
                rows.append((hit.score, hit.chunk.document_id in question.relevant, len(kept)))
            kept.append(question)
    columns = list(zip(*rows, strict=True)) if rows else [(), (), ()]
    return kept, LabelledScores(
        scores=np.asarray(columns[0], dtype=np.float64),
        relevant=np.asarray(columns[1], dtype=bool),
        questions=np.asarray(columns[2], dtype=np.int64),
        answerable=np.asarray([bool(question.relevant) for question in kept], dtype=bool),
    )


def _checked(questions: Iterable[GivenQuestion]) -> list[LabelledQuestion]:
    found: list[LabelledQuestion] = []
    for number, question in enumerate(questions, start=1):
        if number > MAX_QUESTIONS:
            raise UserError(f"there are more than {MAX_QUESTIONS:,} questions", hint="give fewer of them")
        found.append(question if isinstance(question, LabelledQuestion) else labelled(question, f"question {number}"))
    if not found:
        raise UserError("there are no questions to fit on", hint="each needs a query and the ids of its documents")
    return found


def labelled(record: Mapping[str, Any], place: str) -> LabelledQuestion:
    """A record with ``query`` and ``relevant`` as a question; other fields are ignored. Raises UserError."""
    try:
        missing = [name for name in ("query", "relevant") if name not in record]
        if missing:
            raise UserError(
                f"{place} has no {missing[0]!r}", hint='write {"query": "…", "relevant": ["document id"]} on each line'
            )
        return LabelledQuestion.model_validate({"query": record["query"], "relevant": record["relevant"]})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(
            f"{place}: {where}: {first['msg']}", hint="query is a text, relevant a list of document ids"
        ) from None


def _report(found: LabelledScores, embedder_id: str, *, workspace: str) -> CalibrationReport:
    """Everything that follows from the pairs alone."""
    slope, intercept = (round(value, 4) for value in platt.fit(found.scores, found.relevant.tolist()))
    after, n_folds = platt.out_of_fold(found.scores, found.relevant, found.questions)
    before = np.clip(found.scores, 0.0, 1.0)
    errors = {name: platt.calibration_error(given, found.relevant) for name, given in (("b", before), ("a", after))}
    ours = shipped_calibrations(embedder_id).get(SCORE_KIND)
    calibration = Calibration(
        calibration_id=calibration_id(embedder_id, SCORE_KIND, slope, intercept),
        embedder_id=embedder_id,
        score_kind=SCORE_KIND,
        slope=slope,
        intercept=intercept,
        n_pairs=len(found.scores),
        n_relevant=int(found.relevant.sum()),
        error_before=errors["b"],
        error_after=errors["a"],
        source=f"docgraph calibrate, workspace {workspace}",
    )
    return CalibrationReport(
        calibration=calibration,
        workspace=workspace,
        n_questions=len(found.answerable),
        n_unanswerable=int((~found.answerable).sum()),
        candidates=CANDIDATES,
        n_folds=n_folds,
        error_before=errors["b"],
        error_after=errors["a"],
        error_shipped=None
        if ours is None
        else platt.calibration_error(platt.confidences(found.scores, ours.slope, ours.intercept), found.relevant),
        reliability_before=platt.reliability(before, found.relevant),
        reliability_after=platt.reliability(after, found.relevant),
        rates=_rates(found, after),
    )


def _rates(found: LabelledScores, given: NDArray[np.float64]) -> ThresholdRates:
    """What the contract's default threshold does to these questions."""
    best = np.zeros(len(found.answerable))
    np.maximum.at(best, found.questions, given)
    met, answerable = best >= THRESHOLD, found.answerable
    return ThresholdRates(
        threshold=THRESHOLD,
        n_answerable=int(answerable.sum()),
        n_unanswerable=int((~answerable).sum()),
        answerable_met=round(float(met[answerable].mean()), 6) if answerable.any() else None,
        unanswerable_below=round(float((~met)[~answerable].mean()), 6) if (~answerable).any() else None,
    )
