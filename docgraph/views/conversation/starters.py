"""Ways to begin a conversation over the sample corpus: each shows another thing that can happen."""

from __future__ import annotations

from dataclasses import dataclass


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
