"""What confidences are made of: calibrations and the weights of a question's words, asked for beside the providers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from docgraph.domain.packet import Calibration, ConfidenceSummary, PacketRequest
from docgraph.domain.run import Run
from docgraph.orchestration.session import HasSession, Session
from docgraph.orchestration.sources import Answered, Ask, SourceName
from docgraph.ports import Snapshot
from docgraph.retrieval.calibration import shipped_calibrations
from docgraph.retrieval.confidence import for_question, passage_of, question_words, word_weights
from docgraph.retrieval.evidence import evidence_hits
from docgraph.retrieval.merging import merge
from docgraph.retrieval.packets import branch_of

CALIBRATION = "calibration"
"""The role of the sources that are asked for them."""
CALIBRATIONS, SHIPPED = (CALIBRATION, "of the workspace"), (CALIBRATION, "shipped")
"""Sources asked beside the providers: for the workspace's calibrations, and for those that count when it has none."""


@dataclass(frozen=True)
class Known:
    """What the confidences of a question are made of: calibrations by kind of score, and the weights of its words."""

    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)


def confidence_in(
    self: HasSession, run: Run, *, threshold: float = PacketRequest.model_fields["threshold"].default
) -> ConfidenceSummary | None:
    """How sure the passages of a run are, and the branch that a packet of them would have; nobody is asked.

    ``threshold`` = confidence that is enough, 0 to 1. None for a run of another embedder than the configured one:
    nothing is known of its scores. Never raises for a failure: without a database the shipped calibration counts.
    """
    if run.plan.embedder_id != self.session.embedder.embedder_id:
        return None
    query, seconds = run.request.query, self.session.adapters.provider_timeout
    _, known = asked_with_calibrations(self.session, query, {}, seconds)
    hits = evidence_hits(run.plan, run.context, {})
    sure = for_question(known.calibrations, hits, known.weights)
    merged = merge([("graph", hits)], sure, limit=max(len(hits), 1), keeping={"graph"})
    asked = PacketRequest(query="", threshold=threshold)
    top = max((each.candidate.confidence for each in merged), default=0.0)
    return ConfidenceSummary(
        top_confidence=top,
        candidate_count=len(merged),
        threshold_met=bool(merged) and top >= threshold,
        branch=branch_of(asked, merged, native_rerank=False, schema_error=False),
        passage_confidence=passage_of([each.candidate for each in merged]),
    )


def asked_with_calibrations(
    session: Session, query: str, asks: Mapping[SourceName, Ask], timeout: float
) -> tuple[dict[SourceName, Answered], Known]:
    """The answers, and what confidences are made of, asked for beside them: the first that comes without an error."""
    known = {CALIBRATIONS: Ask(partial(_known, session, query)), SHIPPED: Ask(partial(_shipped_for, session, query))}
    answers = session.adapters.sources.ask_all({**asks, **known}, timeout=timeout)
    said = [answers.pop(source) for source in known]
    return answers, next((each.value for each in said if not each.error_type), Known())


def _known(session: Session, query: str) -> Known:
    with session.reading() as snapshot:
        weights = weights_of(query, snapshot)
    return Known(known_calibrations(session), weights)


def _shipped_for(session: Session, query: str) -> Known:
    """Without a database: all words weigh alike."""
    return Known(_shipped(session), word_weights(query, {}, n_documents=0))


def weights_of(query: str, snapshot: Snapshot) -> dict[str, float]:
    """Stem → weight of each word of a question, by the number of documents that hold it."""
    holding = snapshot.count_holding(question_words(query))
    return word_weights(query, holding, n_documents=snapshot.workspace.n_documents)


def known_calibrations(session: Session) -> dict[str, Calibration]:
    """Score kind → calibration of this workspace and embedder, the shipped ones where nobody fitted any."""
    return {**_shipped(session), **{each.score_kind: each for each in own_calibrations(session)}}


def own_calibrations(session: Session) -> tuple[Calibration, ...]:
    """The workspace's own for the configured embedder, by kind of score."""
    embedder_id = session.embedder.embedder_id
    return tuple(each for each in session.store().calibrations() if each.embedder_id == embedder_id)


def _shipped(session: Session) -> dict[str, Calibration]:
    return shipped_calibrations(session.embedder.embedder_id)
