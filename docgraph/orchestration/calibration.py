"""Fits how raw scores become confidences, from questions whose answers are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from docgraph.domain.calibration import CalibrationReport, LabelledQuestion, ThresholdRates
from docgraph.domain.packet import Calibration, PacketRequest, ProviderHit
from docgraph.errors import UserError
from docgraph.orchestration.confidences import confidence_in, known_calibrations, own_calibrations, weights_of
from docgraph.orchestration.packets import found_for
from docgraph.orchestration.session import Namespace, Session
from docgraph.retrieval import calibration as platt
from docgraph.retrieval.calibration import calibration_id, shipped_calibrations
from docgraph.retrieval.confidence import share_found, share_near

CANDIDATES = 20
"""Hits of a question that are looked at: those that could be shown, and some behind them."""
SHOWN: int = PacketRequest.model_fields["top_k"].default
"""Hits of each provider that a case is made of."""
THRESHOLD: float = PacketRequest.model_fields["threshold"].default
SCORE_KIND = "cosine"
MAX_QUESTIONS = 10_000
MIN_GAIN = 0.005
"""By how much a fit's error has to be below that of what it would replace."""

GivenQuestion = LabelledQuestion | Mapping[str, Any]


@dataclass(frozen=True)
class LabelledScores:
    """One row a case: a question with the best score of what is found, the share of its words, and the label.

    ``questions`` = which question it belongs to, ``asked`` = it is the question as it was asked; the other cases are
    questions that have an answer, as though its documents were not there. ``answerable`` is by question: whether the
    workspace holds one of its documents.
    """

    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    questions: NDArray[np.int64]
    asked: NDArray[np.bool_]
    answerable: NDArray[np.bool_]


class Calibrations(Namespace):
    """Calibration of raw scores as confidences: fit it to labelled questions, list it, reset it."""

    confidence = confidence_in

    def fit(
        self, questions: Iterable[GivenQuestion], *, dry_run: bool = False, candidates: int = CANDIDATES
    ) -> CalibrationReport:
        """Fit confidences to labelled questions; stored for the workspace and its embedder unless ``dry_run``.

        ``questions`` = LabelledQuestion or mappings with ``query`` and ``relevant`` (document ids; empty = the corpus
        has no answer). A case is a question with its best hit, positive when that is one of its relevant documents.
        With fewer than 5 questions without an answer, every other question is asked again as if its documents were
        missing (``candidates`` hits are examined). Questions whose documents are all unknown are left out. With few
        cases the result stays near the shipped constants; a fit that does no better on held-out questions is reported
        and not stored. Raises UserError for no or invalid questions, too few cases, and scores that do not rise with
        relevance.
        """
        if not 1 <= candidates <= 1_000:
            raise UserError(f"candidates = {candidates} is not possible", hint="1 to 1000 chunks of each question")
        asked = _checked(questions)
        kept, found = _labelled(self.session, asked, candidates)
        report = _report(found, self.session.embedder.embedder_id, workspace=self.session.workspace)
        keeps = not (dry_run or report.why_not)
        stored = {c.score_kind: c for c in own_calibrations(self.session)} if keeps else {}
        report = report.model_copy(
            update={
                "n_questions": len(kept),
                "n_left_out": len(asked) - len(kept),
                "candidates": candidates,
                "calibration": report.calibration.model_copy(update={"fitted_at": self.session.now()}),
                "replaced": stored[SCORE_KIND].calibration_id if SCORE_KIND in stored else None,
                "stored": keeps,
            }
        )
        if keeps:
            self.session.store().set_calibration(report.calibration)
        return report

    def list(self) -> tuple[Calibration, ...]:
        """Calibrations in use for the configured embedder: the workspace's own, else the shipped ones."""
        known = known_calibrations(self.session)
        return tuple(known[kind] for kind in sorted(known))

    def reset(self) -> int:
        """Delete the workspace's own calibrations; returns the number. The shipped ones apply again."""
        return self.session.store().remove_calibrations()


def _labelled(
    session: Session, questions: Sequence[LabelledQuestion], candidates: int
) -> tuple[list[LabelledQuestion], LabelledScores]:
    """The questions that say something about this workspace, and their pairs, on one snapshot."""
    kept: list[LabelledQuestion] = []
    rows: list[tuple[float, float, bool, int, bool]] = []
    with session.reading() as snapshot:
        ids = sorted({document_id for question in questions for document_id in question.relevant})
        known = set(snapshot.documents_by_id(ids))
        asked = [each for each in questions if not each.relevant or known.intersection(each.relevant)]
        weights = [weights_of(question.query, snapshot) for question in asked]
    for question, weighed in zip(asked, weights, strict=True):
        lists = found_for(session, question.query, limit=candidates)
        if case := _case(question, lists, weighed):
            rows.append((*case, len(kept), True))
            others = [[hit for hit in hits if hit.key[0] not in question.relevant] for hits in lists]
            if question.relevant and (left := _case(question, others, weighed)):
                rows.append((*left, len(kept), False))
            kept.append(question)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    found = LabelledScores(
        scores=np.asarray(columns[0], dtype=np.float64),
        shares=np.asarray(columns[1], dtype=np.float64),
        relevant=np.asarray(columns[2], dtype=bool),
        questions=np.asarray(columns[3], dtype=np.int64),
        asked=np.asarray(columns[4], dtype=bool),
        answerable=np.asarray([bool(question.relevant) for question in kept], dtype=bool),
    )
    return kept, found


def _case(
    question: LabelledQuestion, lists: Sequence[Sequence[ProviderHit]], weights: Mapping[str, float]
) -> tuple[float, float, bool] | None:
    """Best score, share of words, and whether an answer is among the hits that would be shown; None without hits."""
    hits = [hit for found in lists for hit in found[:SHOWN]]
    scores = [hit.score for hit in hits if hit.score is not None]
    if not scores:
        return None
    holds = any(hit.key[0] in question.relevant for hit in hits)
    return max(scores), share_found(share_near(hit, weights) for hit in hits), holds


def _fitted_on(found: LabelledScores) -> LabelledScores:
    """The cases that count: without the second ones where enough questions have no answer here."""
    if int((~found.answerable).sum()) < platt.MIN_OF_EACH:
        return found
    columns = {name: column[found.asked] for name, column in vars(found).items() if name != "answerable"}
    return LabelledScores(**columns, answerable=found.answerable)


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
    """Everything that follows from the cases alone."""
    ours = shipped_calibrations(embedder_id).get(SCORE_KIND)
    cases = _fitted_on(found)
    options: dict[str, Any] = {
        "shares": cases.shares,
        "answerable": platt.ANSWERABLE,
        "start": None if ours is None else platt.Constants(ours.slope, ours.intercept, ours.words),
    }
    platt.check_enough(cases.relevant)
    platt.check_rises(cases.scores, cases.relevant)  # the start alone would make any labels a fit
    constants = platt.Constants(*(round(value, 4) for value in platt.fit(cases.scores, cases.relevant, **options)))
    after, n_folds = platt.out_of_fold(cases.scores, cases.relevant, cases.questions, **options)
    before = np.clip(cases.scores, 0.0, 1.0)
    errors = {name: _error(cases, given) for name, given in (("b", before), ("a", after))}
    calibration = Calibration(
        calibration_id=calibration_id(embedder_id, SCORE_KIND, *constants),
        embedder_id=embedder_id,
        score_kind=SCORE_KIND,
        **constants._asdict(),
        n_pairs=len(cases.scores),
        n_relevant=int(cases.relevant.sum()),
        error_before=errors["b"],
        error_after=errors["a"],
        source=f"docgraph calibrate, workspace {workspace}",
    )
    shipped = None if ours is None else _error(cases, _as_shipped(cases, ours))
    return CalibrationReport(
        calibration=calibration,
        workspace=workspace,
        n_questions=len(found.answerable),
        n_unanswerable=int((~found.answerable).sum()),
        candidates=CANDIDATES,
        n_folds=n_folds,
        error_before=errors["b"],
        error_after=errors["a"],
        error_shipped=shipped,
        why_not=_why_not(errors["a"], errors["b"], shipped, few=cases is found),
        reliability_before=platt.reliability(before, cases.relevant, answerable=platt.ANSWERABLE),
        reliability_after=platt.reliability(after, cases.relevant, answerable=platt.ANSWERABLE),
        rates=_rates(cases, after),
    )


def _why_not(after: float, before: float, shipped: float | None, *, few: bool) -> str:
    """Why a fit is not worth keeping; empty where it is. ``few`` = there were few questions without an answer."""
    other = before if shipped is None else shipped
    if after <= other - MIN_GAIN:
        return ""
    name = "the score itself" if shipped is None else "the shipped constants"
    more = f"give {platt.MIN_OF_EACH} questions or more that have no answer here" if few else "give more questions"
    return f"the fit is no better than {name} on questions it never saw ({after:.3f}, {other:.3f}): {more}"


def _error(cases: LabelledScores, given: NDArray[np.float64]) -> float:
    return platt.calibration_error(given, cases.relevant, answerable=platt.ANSWERABLE)


def _as_shipped(cases: LabelledScores, ours: Calibration) -> NDArray[np.float64]:
    return platt.confidences(cases.scores, ours.slope, ours.intercept, ours.words, shares=cases.shares)


def _rates(found: LabelledScores, given: NDArray[np.float64]) -> ThresholdRates:
    """What the contract's default threshold does to these questions."""
    best = np.zeros(len(found.answerable))
    best[found.questions[found.asked]] = given[found.asked]
    met, answerable = best >= THRESHOLD, found.answerable
    return ThresholdRates(
        threshold=THRESHOLD,
        n_answerable=int(answerable.sum()),
        n_unanswerable=int((~answerable).sum()),
        answerable_met=round(float(met[answerable].mean()), 6) if answerable.any() else None,
        unanswerable_below=round(float((~met)[~answerable].mean()), 6) if (~answerable).any() else None,
    )
