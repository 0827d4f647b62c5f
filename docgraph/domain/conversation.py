"""A conversation as values: what was understood of each turn, what came of it, and what is remembered for the next."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import DocumentRef
from docgraph.domain.packet import Action, PacketRequest, RetrievalResponse

MAX_TURNS = 20
"""Turns that a state keeps; older ones leave it, oldest first."""
MAX_CHOICES = 5
MAX_FOCUS = 10

Intent = Literal["lookup", "explain", "compare", "decide", "troubleshoot", "smalltalk"]
StepKind = Literal[
    "retrieve", "widen_channel", "other_provider", "lexical", "say_what_is_missing", "answer", "ask", "hand_over",
    "reply",
]  # fmt: skip


class Choice(Frozen):
    """One way to answer a clarifying question: what the button says, and what is asked when it is taken."""

    label: str = Field(min_length=1, max_length=200)
    query: str = Field(min_length=1, max_length=20_000)
    channel: str | None = None


class Understanding(Frozen):
    """What planning makes of a person's words, before anything is retrieved.

    ``query`` = the rewritten question; ``why`` = one sentence for each change, empty when nothing was changed.
    ``carried`` = words taken over from earlier turns. ``is_follow_up`` = it needs those turns to be understood;
    ``answers_turn`` = the clarifying turn that it answers.
    """

    text: str
    query: str
    intent: Intent
    intent_why: str = ""
    why: tuple[str, ...] = ()
    is_follow_up: bool = False
    new_topic: bool = False
    carried: tuple[str, ...] = ()
    answers_turn: int | None = None


class Step(Frozen):
    """One step of the action sequence: what was done (or is left to do), and how it ended."""

    kind: StepKind
    what: str
    done: bool = True
    request: PacketRequest | None = None
    branch_code: str = ""


class Turn(Frozen):
    """One turn, whole: from the words to what happens next; ``number`` counts from 1.

    ``response`` = the last packet of the sequence (None for smalltalk: nothing was retrieved); ``attempts`` = all of
    them, in order, the last one included. ``reply`` = what is said to the person (for ``proceed``: which documents the
    answer is to be made from; no language model is asked). ``question`` and ``choices`` belong to ``clarify``.
    """

    number: int = Field(ge=1)
    understanding: Understanding
    action: Action
    steps: tuple[Step, ...] = ()
    response: RetrievalResponse | None = None
    attempts: tuple[RetrievalResponse, ...] = ()
    reply: str = ""
    question: str = ""
    choices: tuple[Choice, ...] = Field(default=(), max_length=MAX_CHOICES)
    state: ConversationState


class PastTurn(Frozen):
    """What is kept of a turn for the next ones."""

    number: int = Field(ge=1)
    text: str
    query: str
    intent: Intent
    action: Action
    topic: tuple[str, ...] = ()
    documents: tuple[DocumentRef, ...] = Field(default=(), max_length=MAX_FOCUS)
    question: str = ""
    choices: tuple[Choice, ...] = Field(default=(), max_length=MAX_CHOICES)


class ConversationState(Frozen):
    """Everything a conversation carries from turn to turn; same turns, same state.

    ``n_turns`` counts all turns, ``turns`` holds the last ``MAX_TURNS``, oldest first. ``topic`` = content words of the
    current topic, ``documents`` = those that the last packet was made from, ``pending`` = the clarifying turn that
    waits for an answer, ``n_failures`` = turns in a row without an answer (the third one escalates).
    """

    schema_version: Literal["1"] = "1"
    conversation_id: str = Field(default="", max_length=100)
    workspace: str = ""
    n_turns: int = Field(default=0, ge=0)
    turns: tuple[PastTurn, ...] = Field(default=(), max_length=MAX_TURNS)
    topic: tuple[str, ...] = ()
    documents: tuple[DocumentRef, ...] = Field(default=(), max_length=MAX_FOCUS)
    channel: str | None = None
    pending: int | None = None
    n_failures: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _counts_add_up(self) -> ConversationState:
        if len(self.turns) != min(self.n_turns, MAX_TURNS):
            raise ValueError(f"n_turns is {self.n_turns}, but {len(self.turns)} turns are kept")
        return self


Turn.model_rebuild()
