"""How an answer was found, as plain data: the rewritten question, sources searched, packet, steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docgraph.domain.conversation import Step, Turn
from docgraph.domain.packet import RetrievalResponse
from docgraph.views.conversation.words import BRANCHES
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.highlight import Piece, word_diff

MAX_STEPS = 12


@dataclass(frozen=True)
class ProviderLine:
    """One provider in one attempt: whether it may be asked, how it is, and what became of it.

    ``state`` = ``found``, ``empty``, ``failed``, ``left out`` or ``off``; ``why`` is told beside it.
    """

    name: str
    state: str
    why: str = ""


@dataclass(frozen=True)
class Scale:
    """Confidence against the threshold, both 0 to 1; ``top`` is None where there is no candidate.

    ``passage`` = how likely the passage that answers is read (None: not known).
    """

    top: float | None
    threshold: float
    met: bool
    passage: float | None = None

    @property
    def words(self) -> str:
        """``0.71 ≥ 0.60``; ``--`` for an unknown confidence."""
        if self.top is None:
            return f"{UNKNOWN} against {self.threshold:.2f}"
        top, threshold = f"{self.top:.2f}", f"{self.threshold:.2f}"
        if top == threshold and not self.met:
            top, threshold = f"{self.top:.4f}", f"{self.threshold:.4f}"
        return f"{top} {'≥' if self.met else '<'} {threshold}"


@dataclass(frozen=True)
class StepLine:
    """One step of the sequence; ``state`` = ``done``, ``waits`` or ``left out``."""

    what: str
    outcome: str
    state: str
    branch: str = ""


@dataclass(frozen=True)
class Origin:
    """Everything between a person's words and the reply; empty parts where nothing was retrieved."""

    pieces: tuple[Piece, ...]
    rewritten: bool
    providers: tuple[ProviderLine, ...] = ()
    providers_why: str = ""
    notes: tuple[str, ...] = ()
    mode: str = ""
    scale: Scale | None = None
    branch: str = ""
    branch_words: str = ""
    n_candidates: int = 0
    found_by: str = ""
    rerank: str = ""
    rerank_why: str = ""
    reason: str = ""
    suggestion: str = ""
    decided: str = ""
    trace: str = ""
    steps: tuple[StepLine, ...] = ()
    n_attempts: int = 0


def origin(turn: Turn) -> Origin:
    """How ``turn`` was made; the packet is that of its last attempt."""
    heard = turn.understanding
    pieces = word_diff(heard.text, heard.query)
    steps = tuple(_step(step) for step in turn.steps[:MAX_STEPS])
    response = turn.response
    if response is None:
        return Origin(pieces, heard.text != heard.query, steps=steps)
    said, summary = response.routing_metadata, response.context_packet.summary
    branch = summary.branch
    return Origin(
        pieces,
        heard.text != heard.query,
        providers=_providers(response),
        providers_why=_text(said.get("why")),
        notes=_notes(said),
        mode=_text(said.get("mode")),
        scale=_scale(turn, response),
        branch=branch,
        branch_words=BRANCHES[branch],
        n_candidates=summary.candidate_count,
        found_by=response.context_packet.provider,
        rerank=_rerank(response),
        rerank_why=_text(said.get("rerank_why")),
        reason=response.next_action.reason,
        suggestion=response.next_action.suggestion or "",
        decided=_decided(turn, response),
        trace=_text(said.get("trace_id")),
        steps=steps,
        n_attempts=len(turn.attempts),
    )


def _scale(turn: Turn, response: RetrievalResponse) -> Scale:
    asked = [step.request for step in turn.steps if step.request is not None]
    summary = response.context_packet.summary
    threshold = asked[-1].threshold if asked else 0.0
    top = summary.top_confidence if summary.candidate_count else None
    return Scale(top, threshold, summary.threshold_met, summary.passage_confidence)


def _providers(response: RetrievalResponse) -> tuple[ProviderLine, ...]:
    """Those that were asked first, in order; then those that were not, with the reason."""
    said = response.routing_metadata
    asked = [str(name) for name in _list(said.get("selected_providers"))]
    flags, statuses, failures = (_dict(said.get(key)) for key in ("flags", "statuses", "failures"))
    found = set(response.context_packet.provider.split("+"))
    lines = []
    for name in asked:
        if name in failures:
            lines.append(ProviderLine(name, "failed", _failure(failures[name])))
        else:
            lines.append(ProviderLine(name, "found" if name in found else "empty", ""))
    for name, on in flags.items():
        if name in asked:
            continue
        status = str(statuses.get(name, "available"))
        why = "switched off" if on is not True else (status if status != "available" else "not searched")
        lines.append(ProviderLine(str(name), "off" if on is not True else "left out", why))
    return tuple(lines)


def _failure(value: Any) -> str:
    told = _dict(value)
    kind, message = _text(told.get("error_type")) or "failed", _text(told.get("message"))
    return f"{kind}: {message}" if message else kind


def _notes(said: dict[str, Any]) -> tuple[str, ...]:
    notes = [_text(said.get("override_note"))]
    malformed = _dict(said.get("malformed"))
    notes += [f"{plural(int(n), 'hit')} of {name} could not be used" for name, n in malformed.items()]
    if failed := _dict(said.get("rerank_failure")):
        notes.append(f"the reranker failed: {_failure(failed)}")
    return tuple(note for note in notes if note)


def _rerank(response: RetrievalResponse) -> str:
    kind = _text(response.routing_metadata.get("rerank_type")) or "none"
    if kind == "none":
        return "not reranked"
    applied = "applied" if response.context_packet.rerank_applied else "not applied"
    return f"{kind} rerank {applied}"


def _decided(turn: Turn, response: RetrievalResponse) -> str:
    """Why planning decided otherwise than the packet; empty where it did not."""
    own = response.next_action.action
    if turn.action == own:
        return ""
    if turn.action == "proceed":
        return f"the search suggests {own}, but the chosen document was found"
    if turn.action == "escalate":
        return f"the search suggests {own}, but too many turns had no answer"
    return f"the search suggests {own}, but everything found had been rejected"


def _step(step: Step) -> StepLine:
    left_out = not step.done and step.outcome.startswith("left out")
    state = "left out" if left_out else ("done" if step.done else "waits")
    outcome = step.outcome.removeprefix("left out: ")
    return StepLine(step.what[:1].upper() + step.what[1:], outcome, state, step.branch_code)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
