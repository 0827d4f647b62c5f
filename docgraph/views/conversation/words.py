"""What the parts of a conversation are called: actions, intents, links, and numbers about the state."""

from __future__ import annotations

from docgraph.domain.conversation import ConversationState, Intent, Link, PastTurn, Turn
from docgraph.domain.packet import Action, Branch
from docgraph.views.words.counts import plural

ACTIONS: dict[Action, tuple[str, str]] = {
    "proceed": ("Proceed", "answer from these passages"),
    "clarify": ("Clarify", "ask back before answering"),
    "fallback": ("Fallback", "nothing to answer from"),
    "escalate": ("Escalate", "hand over to a person"),
}
"""Action → its word and what it means for this turn."""

SMALLTALK = ("Reply", "nothing was retrieved")

BRANCHES: dict[Branch, str] = {
    "EMPTY_SET": "no candidate",
    "LOW_CONFIDENCE": "below the threshold",
    "CHANNEL_MISMATCH": "not of the channel",
    "RERANK_BYPASSED": "the provider's own rerank stands",
    "SUCCESS": "enough confidence",
}

PACKET_MEANS = "how likely a document that answers is among these passages"
PASSAGE_MEANS = "by its similarity and the question's words that it holds; the best passage has the packet's confidence"

INTENTS: dict[Intent, str] = {
    "lookup": "look something up",
    "explain": "have something explained",
    "compare": "compare",
    "decide": "decide",
    "troubleshoot": "solve a problem",
    "smalltalk": "polite words",
}

LINKS: dict[Link, str] = {
    "opening": "opens the conversation",
    "new_topic": "a new topic: nothing is carried over",
    "same_topic": "the same topic, stands by itself",
    "ellipsis": "completed by the earlier question",
    "reference": "goes back to what was found",
    "repeat": "the earlier question in another place",
    "choice": "answers the question before",
    "rejection": "turns the choices down",
    "smalltalk": "no question to the documents",
}


def action_words(turn: Turn | PastTurn) -> tuple[str, str]:
    """The action's word and meaning; smalltalk has its own."""
    intent = turn.understanding.intent if isinstance(turn, Turn) else turn.intent
    return SMALLTALK if intent == "smalltalk" else ACTIONS[turn.action]


def state_line(state: ConversationState | None) -> str:
    """``6 turns · topic: queue, bookings · 3 documents in mind``."""
    if state is None or not state.n_turns:
        return "no turn yet"
    parts = [plural(state.n_turns, "turn")]
    if state.topic:
        parts.append(f"topic: {', '.join(state.topic[:3])}")
    parts.append(f"{plural(len(state.documents), 'document')} in mind")
    if state.channel:
        parts.append(f"in {state.channel} documents")
    return " · ".join(parts)


def shown_line(shown: int, total: int) -> str:
    """``showing last 20 of 57``; empty where nothing is folded."""
    return f"showing last {shown:,} of {total:,} turns" if shown < total else ""
