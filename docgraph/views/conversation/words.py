"""What the parts of a conversation are called, and the examples that begin one over the sample."""

from __future__ import annotations

from dataclasses import dataclass

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

SMALLTALK = ("Reply", "nothing was searched")

BRANCHES: dict[Branch, str] = {
    "EMPTY_SET": "no passage found",
    "LOW_CONFIDENCE": "below the threshold",
    "CHANNEL_MISMATCH": "another document type",
    "RERANK_BYPASSED": "the source's own order is kept",
    "SUCCESS": "enough confidence",
}

PACKET_MEANS = "how likely one of these passages answers the question"
PASSAGE_MEANS = "how similar the passage is, and how many of the question's words it contains"

INTENTS: dict[Intent, str] = {
    "lookup": "a fact is asked for",
    "explain": "an explanation is asked for",
    "compare": "a comparison is asked for",
    "decide": "a recommendation is asked for",
    "troubleshoot": "a problem is to be solved",
    "smalltalk": "small talk",
}

LINKS: dict[Link, str] = {
    "opening": "first question",
    "new_topic": "new topic, nothing carried over",
    "same_topic": "same topic, complete in itself",
    "ellipsis": "completed from the earlier question",
    "reference": "refers back to what was found",
    "repeat": "the earlier question, elsewhere",
    "choice": "answers the question asked back",
    "rejection": "rejects the choices",
    "smalltalk": "no question about the documents",
}


def action_words(turn: Turn | PastTurn) -> tuple[str, str]:
    """The action's word and meaning; smalltalk has its own."""
    intent = turn.understanding.intent if isinstance(turn, Turn) else turn.intent
    return SMALLTALK if intent == "smalltalk" else ACTIONS[turn.action]


def state_line(state: ConversationState | None) -> str:
    """``6 turns · topic: queue, bookings · 3 documents remembered``."""
    if state is None or not state.n_turns:
        return "nothing asked yet"
    parts = [plural(state.n_turns, "turn")]
    if state.topic:
        parts.append(f"topic: {', '.join(state.topic[:3])}")
    parts.append(f"{plural(len(state.documents), 'document')} remembered")
    if state.channel:
        parts.append(f"in {state.channel} documents")
    return " · ".join(parts)


def shown_line(shown: int, total: int) -> str:
    """``showing last 20 of 57``; empty where nothing is folded."""
    return f"showing last {shown:,} of {total:,} turns" if shown < total else ""


@dataclass(frozen=True)
class Starter:
    """What is said, turn by turn, and what it shows.

    ``words_only`` = only ``lexical`` is asked, so that a word that stands nowhere finds nothing.
    """

    title: str
    note: str
    texts: tuple[str, ...]
    words_only: bool = False


SAMPLE = (
    Starter(
        "Follow-ups",
        "“when …”, “that” and “the second one” refer back",
        (
            "Why do bookings get rejected when the queue is full?",
            "and when a sailing is cancelled?",
            "who decided that?",
            "what about the second one?",
        ),
    ),
    Starter(
        "A question about a decision",
        "“that” refers to a document found before",
        ("What is a fencing token?", "who decided that?", "is this decision still valid?"),
    ),
    Starter("Not sure enough", "asks back, with choices", ("How does it handle overload?",)),
    Starter(
        "Only in the policies",
        "found elsewhere: handed over to a person",
        ("Why is the queue limited to 400 bookings per route? Only in the policies",),
    ),
    Starter(
        "Nothing found",
        "a word that no document contains",
        ("Where are the zeppelins?",),
        words_only=True,
    ),
)
"""For the sample corpus; its own questions are taken from it."""
