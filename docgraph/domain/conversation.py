"""A conversation as values: what was understood of each turn, what came of it, and what is remembered for the next."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationError, model_validator

from docgraph.domain.content_words import MAX_WORD
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import MAX_ID_LENGTH, DocumentRef
from docgraph.domain.packet import Action, PacketRequest, RetrievalResponse
from docgraph.errors import UserError

MAX_TEXT = 10_000
"""Characters that a person may say in one turn."""
MAX_TURNS = 20
"""Turns that a state keeps; older ones leave it, oldest first."""
MAX_CHOICES = 5
MAX_FOCUS = 10
MAX_TOPIC = 12
MAX_KEPT = 500
"""Characters of a text or a question that a state keeps."""
MAX_TITLE = 200
MAX_STATE_BYTES = 2_000_000

Intent = Literal["lookup", "explain", "compare", "decide", "troubleshoot", "smalltalk"]
Link = Literal[
    "opening", "new_topic", "same_topic", "ellipsis", "reference", "repeat", "choice", "rejection", "smalltalk"
]
"""How a turn relates to those before it.

``opening`` there is none · ``new_topic`` nothing is carried over · ``same_topic`` it stands by itself, on the same
topic · ``ellipsis`` says little by itself: asked with the earlier question · ``reference`` points back · ``repeat``
the earlier question under another channel · ``choice`` and ``rejection`` answer a clarifying question.
"""
StepKind = Literal[
    "retrieve",
    "as_typed",
    "widen_channel",
    "other_provider",
    "lexical",
    "say_what_is_missing",
    "answer",
    "ask",
    "hand_over",
    "reply",
]
KeptText = Annotated[str, StringConstraints(max_length=MAX_KEPT)]
TopicWord = Annotated[str, StringConstraints(min_length=1, max_length=MAX_WORD)]
Channel = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class FocusDocument(DocumentRef):
    """A document that the last packet was made from, as later turns may mean it: by title, place or type."""

    title: str = Field(max_length=MAX_TITLE)
    doc_type: str = Field(default="", max_length=MAX_TITLE)


class Choice(Frozen):
    """One way to answer a clarifying question: what the button says, and what is asked when it is taken.

    A query that was longer than a state keeps is cut; the label of two choices of one question is never the same.
    ``document_id`` = the document that the choice means, empty for one that means none.
    """

    label: str = Field(min_length=1, max_length=MAX_TITLE)
    query: str = Field(min_length=1, max_length=2 * MAX_KEPT)
    channel: Channel | None = None
    doc_type: str = Field(default="", max_length=MAX_TITLE)
    document_id: str = Field(default="", max_length=MAX_ID_LENGTH)


class Understanding(Frozen):
    """What planning makes of a person's words, before anything is retrieved.

    ``query`` = the rewritten question; ``why`` = one sentence for each change, empty when nothing was changed.
    ``link`` = how it relates to the earlier turns; ``is_follow_up`` = it needs those to be understood.
    ``carried`` = what was carried over from them: titles, questions, words. ``channel`` = where the answer has to come
    from: named in words, or before on the same topic. ``question`` = what short follow-ups go back to from now on.
    ``answers_turn`` = the clarifying turn that it answers, ``chosen`` = the document that was chosen there.
    ``by_itself`` = the same text without what was said before, where that may be meant as well: both are searched, and
    what is surer counts.
    ``notices`` = what was cut.
    """

    text: str
    query: str
    intent: Intent
    intent_why: str = ""
    link: Link = "opening"
    why: tuple[str, ...] = ()
    is_follow_up: bool = False
    new_topic: bool = False
    carried: tuple[str, ...] = ()
    channel: Channel | None = None
    question: KeptText = ""
    answers_turn: int | None = None
    chosen: str = Field(default="", max_length=MAX_ID_LENGTH)
    by_itself: Understanding | None = None
    notices: tuple[str, ...] = ()


class Step(Frozen):
    """One step of the action sequence: what was done, or is left to do, and how it ended.

    ``done=False``: left out because it was not possible here, or left to a person (``hand_over``); ``outcome`` says
    which. Steps that retrieved have the ``request`` and the ``branch_code`` of its answer.
    """

    kind: StepKind
    what: str
    outcome: str = ""
    done: bool = True
    request: PacketRequest | None = None
    branch_code: str = ""


class HandOver(Frozen):
    """What a person gets who takes over: whom to ask, why, and what to give along."""

    to: str = Field(min_length=1)
    why: str = Field(min_length=1)
    what: tuple[str, ...] = ()


class Turn(Frozen):
    """One turn, whole: from the words to what happens next; ``number`` counts from 1.

    ``response`` = the packet that counts: the surer of two readings, else the last of the sequence (None for smalltalk:
    nothing was retrieved); ``attempts`` = all of them, in order. ``action`` = what planning decided: that of the
    response, or ``escalate`` after too many turns without an answer, or ``fallback`` when all that was found had been
    turned down, or ``proceed`` when the document that the person has chosen was found, though not with enough
    confidence. ``reply`` = what is said to the person (for ``proceed``: which documents and passages the answer is to
    be made from; no language model is asked). ``question`` and ``choices`` belong to ``clarify``, ``hand_over`` to
    ``escalate``.
    """

    number: int = Field(ge=1)
    understanding: Understanding
    action: Action
    steps: tuple[Step, ...] = Field(default=(), min_length=1)
    response: RetrievalResponse | None = None
    attempts: tuple[RetrievalResponse, ...] = ()
    reply: str = ""
    question: str = ""
    choices: tuple[Choice, ...] = Field(default=(), max_length=MAX_CHOICES)
    hand_over: HandOver | None = None
    state: ConversationState


class PastTurn(Frozen):
    """What is kept of a turn for the next ones; texts longer than ``MAX_KEPT`` end with an ellipsis.

    ``topic`` and ``documents`` are those after it.
    """

    number: int = Field(ge=1)
    text: KeptText
    query: KeptText
    intent: Intent
    link: Link = "opening"
    action: Action
    topic: tuple[TopicWord, ...] = Field(default=(), max_length=MAX_TOPIC)
    documents: tuple[FocusDocument, ...] = Field(default=(), max_length=MAX_FOCUS)
    question: KeptText = ""
    choices: tuple[Choice, ...] = Field(default=(), max_length=MAX_CHOICES)


class ConversationState(Frozen):
    """Everything a conversation carries from turn to turn; same turns, same state.

    ``n_turns`` counts all turns, ``turns`` holds the last ``MAX_TURNS``, oldest first. ``topic`` = content words of the
    current topic, newest first; ``question`` = the last question that stands by itself, which short follow-ups go back
    to; ``documents`` = those that the last packet was made from; ``channel`` = the one that was asked for in words;
    ``pending`` = the clarifying turn that waits for an answer; ``n_failures`` = turns in a row without an answer; the
    third one hands over, and counting begins anew.
    """

    schema_version: Literal["1"] = "1"
    conversation_id: str = Field(default="", max_length=100)
    workspace: str = Field(default="", max_length=200)
    n_turns: int = Field(default=0, ge=0)
    turns: tuple[PastTurn, ...] = Field(default=(), max_length=MAX_TURNS)
    topic: tuple[TopicWord, ...] = Field(default=(), max_length=MAX_TOPIC)
    question: KeptText = ""
    documents: tuple[FocusDocument, ...] = Field(default=(), max_length=MAX_FOCUS)
    channel: Channel | None = None
    pending: int | None = None
    n_failures: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _counts_add_up(self) -> ConversationState:
        if len(self.turns) != min(self.n_turns, MAX_TURNS):
            raise ValueError(f"n_turns is {self.n_turns}, but {len(self.turns)} turns are kept")
        first = self.n_turns - len(self.turns) + 1
        if [turn.number for turn in self.turns] != list(range(first, self.n_turns + 1)):
            raise ValueError(f"the kept turns are not numbered {first} to {self.n_turns}")
        if self.pending is not None and self.waiting is None:
            raise ValueError(f"turn {self.pending} waits for an answer, but it is not kept with choices")
        return self

    @property
    def waiting(self) -> PastTurn | None:
        """The clarifying turn that waits for an answer."""
        return next((turn for turn in self.turns if turn.number == self.pending and turn.choices), None)


Turn.model_rebuild()


def parse_state(text: str | bytes) -> ConversationState:
    """Read a state from JSON that may come from anywhere.

    Raises UserError with one line that names the first thing wrong; a state that comes back is within all its limits.
    """
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    if size > MAX_STATE_BYTES:
        message = f"the conversation has {size:,} bytes; at most {MAX_STATE_BYTES:,} are read"
        raise UserError(message, hint="export it again, or start a new one")
    try:
        return ConversationState.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in first["loc"]) or "state"
        reason = first["msg"].removeprefix("Value error, ")[:300]
        raise UserError(
            f"this is not a valid conversation: {where}: {reason}", hint="export it again, or start a new one"
        ) from error
