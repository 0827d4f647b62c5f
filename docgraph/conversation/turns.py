"""Makes the whole turn out of what was understood and what the sequence brought."""

from __future__ import annotations

from docgraph.conversation.clarifying import Asked, clarify
from docgraph.conversation.findings import documents, passages
from docgraph.conversation.sequencing import Trip, decided, found_as_chosen
from docgraph.conversation.state import advanced
from docgraph.conversation.wording import (
    answer_reply,
    hand_over,
    hand_over_reply,
    missing_reply,
    small_reply,
    turned_down_reply,
)
from docgraph.domain.conversation import ConversationState, HandOver, Step, Turn, Understanding
from docgraph.domain.packet import Action


def small_turn(understanding: Understanding, state: ConversationState) -> Turn:
    """The turn of smalltalk: a reply, and nothing retrieved."""
    reply = small_reply(understanding.text, state)
    step = Step(kind="reply", what="reply without retrieving", outcome="it is no question to the documents")
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
    return (Step(kind="say_what_is_missing", what="say what is missing", outcome="nobody found anything new"),)
