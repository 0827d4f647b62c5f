"""The sequence of actions in a turn: what is asked next, when to stop, and the turn that results."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from docgraph.conversation.replies import (
    Asked,
    answer_reply,
    asked_providers,
    clarify,
    documents,
    failures,
    hand_over,
    hand_over_reply,
    missing_reply,
    passages,
    ready_providers,
    small_reply,
    turned_down_reply,
)
from docgraph.conversation.state import advanced
from docgraph.domain.content_words import QUESTION, held_stems, stems
from docgraph.domain.conversation import MAX_CHOICES, ConversationState, HandOver, Step, StepKind, Turn, Understanding
from docgraph.domain.packet import MAX_TOP_K, Action, PacketRequest, RetrievalResponse

SURE_ALONE = 0.3
"""Confidence from which a question on something else stands without the earlier one."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had)\b", re.IGNORECASE
)
"""What a whole question has, and “how fast?” and “why not 500?” have not."""
MAX_FAILURES = 3
"""Turns in a row without an answer after which a person is asked to take over."""
FALLBACKS: tuple[StepKind, ...] = ("widen_channel", "other_provider", "lexical")
LEXICAL = "lexical"


@dataclass(frozen=True)
class Trip:
    """What a turn has done so far: its steps, and the answers of those that retrieved."""

    request: PacketRequest
    steps: tuple[Step, ...] = ()
    responses: tuple[RetrievalResponse, ...] = ()
    rejected: frozenset[str] = frozenset()
    typed: PacketRequest | None = None
    departs: bool = False
    taken: int = -1

    @property
    def last(self) -> RetrievalResponse:
        """The answer that counts: the surer one of two readings, else the last."""
        return self.responses[self.taken]

    @property
    def is_as_typed(self) -> bool:
        """Whether the text counts as it was typed, without the earlier question."""
        return self.typed is not None and self.request == self.typed

    def with_skipped(self, step: Step) -> Trip:
        """After a step that there was nothing to do for."""
        return replace(self, steps=(*self.steps, step))

    def with_answer(self, step: Step, response: RetrievalResponse) -> Trip:
        """After a step that retrieved; the text as typed counts only where that is surer."""
        request, taken, outcome = self.request, -1, _outcome(response)
        if step.kind == "as_typed" and self.typed is not None:
            if is_surer_alone(self.typed.query, response, self.responses[-1], departs=self.departs):
                request, outcome = self.typed, f"{outcome}; surer than with the earlier question: it counts"
            else:
                taken, outcome = len(self.responses) - 1, f"{outcome}; the earlier question stays with it"
        branch = response.context_packet.summary.branch
        ended = step.model_copy(update={"branch_code": branch, "outcome": outcome, "done": True})
        return replace(
            self,
            request=request,
            steps=(*self.steps, ended),
            responses=(*self.responses, response),
            taken=taken,
        )


def begin(understanding: Understanding, state: ConversationState, request: PacketRequest) -> Trip:
    """The sequence of a question; one that turns choices down asks for more than was offered."""
    if understanding.link != "rejection":
        alone = understanding.by_itself
        if alone is None:
            return Trip(request)
        return Trip(request, typed=request_for(alone, request), departs=alone.new_topic)
    rejected = frozenset(document.document_id for document in state.documents[:MAX_CHOICES])
    more = min(MAX_TOP_K, request.top_k + 2 * len(rejected))
    return Trip(request.model_copy(update={"top_k": more}), rejected=rejected)


def next_step(sequence: Trip) -> Step | None:
    """What comes next: a step with a request has to be asked, one without is left out; None when it is over.

    The question first; after an answer that calls for fallback the channel is given up, then another provider is asked,
    then ``lexical``; each at most once, and nothing after the first answer of another kind.
    """
    if not sequence.responses:
        what = "ask the question"
        if sequence.rejected:
            what = f"ask for more, without the {_count(len(sequence.rejected), 'document')} that were offered"
        if sequence.typed is not None:
            what = "ask it with the earlier question"
        return Step(kind="retrieve", what=what, request=sequence.request, done=False)
    if sequence.typed is not None and len(sequence.responses) == 1:
        return Step(kind="as_typed", what="ask it as typed", request=sequence.typed, done=False)
    if settled(sequence):
        return None
    tried = {step.kind for step in sequence.steps}
    kind = next((kind for kind in FALLBACKS if kind not in tried), None)
    match kind:
        case "widen_channel":
            return _widened(sequence.request)
        case "other_provider":
            return _other(sequence)
        case "lexical":
            return _lexical(sequence)
    return None


def settled(sequence: Trip) -> bool:
    """Whether the last answer calls for no fallback, and has more than what was turned down before."""
    last = sequence.last
    if last.next_action.action == "fallback":
        return False
    return not sequence.rejected or bool(documents(passages(last), without=sequence.rejected))


def decided(understanding: Understanding, sequence: Trip, state: ConversationState) -> Action:
    """What the turn comes to: the action of the last answer, but for three cases.

    ``proceed`` when the document that the person has chosen was found: to ask for it again would be no help.
    ``fallback`` when everything was turned down; ``escalate`` for one more of too many turns without an answer.
    """
    if found_as_chosen(understanding, sequence):
        return "proceed"
    action: Action = sequence.last.next_action.action if settled(sequence) else "fallback"
    if action in ("clarify", "fallback") and state.n_failures + 1 >= MAX_FAILURES:
        return "escalate"
    return action


def found_as_chosen(understanding: Understanding, sequence: Trip) -> bool:
    """Whether the last answer is not sure enough, but has the document that was chosen when asked back."""
    last = sequence.last
    found = {document.document_id for document in documents(passages(last))}
    return last.next_action.action == "clarify" and understanding.chosen in found


def is_surer_alone(text: str, alone: RetrievalResponse, behind: RetrievalResponse, *, departs: bool) -> bool:
    """Whether a follow-up counts as a question of its own, and not behind the earlier one.

    It does where that is surer. What is found behind the earlier question answers that one too, and is sure for its
    sake: bare words, and a whole question, count alone where none of their content words stands in what was found
    behind the other, and from ``SURE_ALONE`` on where they depart from the topic.
    """
    sure = alone.context_packet.summary.top_confidence
    if sure > behind.context_packet.summary.top_confidence:
        return True
    own = stems(text)
    if QUESTION.match(text) and len(own) < 2 and not _VERB.search(text):
        return False
    found = frozenset[str]().union(*(held_stems(each.content) for each in behind.context_packet.candidates))
    return (departs and sure >= SURE_ALONE) or own.isdisjoint(found)


def request_for(understanding: Understanding, template: PacketRequest) -> PacketRequest:
    """The request of a turn: the rewritten query, and the channel that was named, else the template's."""
    everywhere = understanding.link == "repeat" and understanding.channel is None
    channel = None if everywhere else understanding.channel or template.channel
    return template.model_copy(update={"query": understanding.query, "channel": channel})


def _widened(request: PacketRequest) -> Step:
    if request.channel is None:
        return Step(kind="widen_channel", what="widen the channel", outcome="left out: no channel is set", done=False)
    widened = request.model_copy(update={"channel": None})
    return Step(kind="widen_channel", what=f"look beyond {request.channel} documents", request=widened, done=False)


def _other(sequence: Trip) -> Step:
    asked = asked_providers(sequence.responses)
    ready = ready_providers(sequence.responses[0])
    other = next((name for name in ready if name not in asked and name != LEXICAL), None)
    if other is None:
        return Step(
            kind="other_provider", what="ask another provider", outcome="left out: no other one is ready", done=False
        )
    return Step(kind="other_provider", what=f"ask {other}", request=_by(sequence.request, other), done=False)


def _lexical(sequence: Trip) -> Step:
    what, asked = "search by words", asked_providers(sequence.responses)
    if LEXICAL in asked:
        return Step(kind="lexical", what=what, outcome=f"left out: {LEXICAL} was asked already", done=False)
    if LEXICAL not in ready_providers(sequence.responses[0]):
        return Step(kind="lexical", what=what, outcome=f"left out: {LEXICAL} is not ready here", done=False)
    return Step(kind="lexical", what=what, request=_by(sequence.request, LEXICAL), done=False)


def _by(request: PacketRequest, provider: str) -> PacketRequest:
    return request.model_copy(update={"provider_override": provider, "channel": None})


def _outcome(response: RetrievalResponse) -> str:
    summary = response.context_packet.summary
    who = response.context_packet.provider
    if summary.candidate_count:
        return f"{_count(summary.candidate_count, 'passage')} from {who}; {response.next_action.reason}"
    failed = failures([response])
    said = "; ".join(f"{name}: {kind}" for name, kind in failed.items())
    return f"{response.next_action.reason}{f' ({said})' if said else ''}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def small_turn(understanding: Understanding, state: ConversationState) -> Turn:
    """The turn of smalltalk: a reply, and nothing retrieved."""
    reply = small_reply(understanding.text, state)
    step = Step(kind="reply", what="reply without retrieving", outcome="not a question about the documents")
    return Turn(
        number=state.n_turns + 1,
        understanding=understanding,
        action="proceed",
        steps=(step,),
        reply=reply,
        state=advanced(state, understanding, "proceed"),
    )


def finished(understanding: Understanding, state: ConversationState, trip: Trip) -> Turn:
    """The turn of a question whose sequence is over."""
    if trip.is_as_typed and understanding.by_itself is not None:
        understanding = understanding.by_itself
    action = decided(understanding, trip, state)
    last = trip.last
    asked, given = Asked(""), None
    if action == "clarify":
        titles = [document.title for document in state.documents]
        asked = clarify(understanding.query, last, without=trip.rejected, offered=titles)
    if action == "escalate":
        given = _handed(understanding, state, trip)
    step, reply = _ending(understanding, trip, action=action, asked=asked, given=given)
    found = documents(passages(last), without=trip.rejected)
    return Turn(
        number=state.n_turns + 1,
        understanding=understanding,
        action=action,
        steps=(*trip.steps, *step),
        response=last,
        attempts=trip.responses,
        reply=reply,
        question=asked.question,
        choices=asked.choices,
        hand_over=given,
        state=advanced(state, understanding, action, documents=found, question=asked.question, choices=asked.choices),
    )


def _handed(understanding: Understanding, state: ConversationState, trip: Trip) -> HandOver:
    last = trip.last
    repeated = last.next_action.action != "escalate"
    meant = understanding.model_copy(update={"channel": trip.request.channel})
    return hand_over(meant, last, state, n_failures=state.n_failures + 1 if repeated else 0)


def _ending(
    understanding: Understanding, trip: Trip, *, action: Action, asked: Asked, given: HandOver | None
) -> tuple[tuple[Step, ...], str]:
    """The last steps of the sequence, and what is said."""
    last = trip.last
    match action:
        case "proceed":
            n = last.context_packet.summary.candidate_count
            what = f"answer from {n} passage{'' if n == 1 else 's'}"
            why = last.next_action.reason
            if found_as_chosen(understanding, trip):
                why = f"{why}, but the document is the one that was chosen"
            return (Step(kind="answer", what=what, outcome=why),), answer_reply(understanding, last)
        case "clarify":
            what = f"ask back, with {len(asked.choices)} choices" if asked.choices else "ask back"
            return (Step(kind="ask", what=what, outcome="waits for the answer"),), asked.question
        case "escalate":
            assert given is not None
            step = Step(kind="hand_over", what=f"hand over to {given.to}", outcome=given.why, done=False)
            return (*_missing(trip), step), hand_over_reply(given)
    if trip.rejected and last.context_packet.candidates:
        reply = turned_down_reply(understanding, len(trip.rejected))
    else:
        reply = missing_reply(understanding, trip.responses)
    return _missing(trip), reply


def _missing(trip: Trip) -> tuple[Step, ...]:
    """The step that ends a fallback sequence in which nobody found anything."""
    if trip.last.next_action.action != "fallback" and not trip.rejected:
        return ()
    return (Step(kind="say_what_is_missing", what="say what is missing", outcome="nothing new was found"),)
