"""Completes questions that are cut short – “why?”, “and for ferries?”, “what about lorries?” – by the one before."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docgraph.conversation.slots import slot_for
from docgraph.domain.content_words import QUESTION, content_words, words
from docgraph.domain.conversation import ConversationState

_BARE = re.compile(
    r"(?:(?:and|but|so|ok|okay|then|yes)[,\s]+)?"
    r"(?P<word>why not|why|how so|how come|how|since when|until when|when|who|where|which ones?|how many|how long|"
    r"how often|how much|for example|such as|an example)(?:\s+(?:exactly|then|though|please))?[\s?.!…]*",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:(?:and|ok|okay|yes|please)[,\s]+)?(?:can you |could you )?(?:tell me (?:more|everything)|more(?: details?)?|"
    r"say more|go on|continue|what else|anything else|in (?:more )?detail|details?|explain(?: (?:more|further))?)"
    r"(?:\s+please)?[\s?.!…]*",
    re.IGNORECASE,
)
_PREPOSITIONS = "for|in|on|at|with|by|from|during|after|before|under|without|through|between|inside|outside|into"
_LEAD = re.compile(
    r"(?P<lead>(?:(?:and|or|also|but|so|ok|okay|then)[,\s]+)?(?:what about|how about|what of|same for|the same for)|"
    r"(?:and\s+)?(?:only|just)|(?:and|or|also)(?:\s+also)?)[,\s]+(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(
    r"(?:(?:and|or|but|what about|how about)[,\s]+)+(?P<clause>(?P<word>when|if)\s+"
    r"(?!(?:is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|had)\b)\S.*)",
    re.IGNORECASE | re.DOTALL,
)
MAX_CLAUSE_WORDS = 12
_PHRASE = re.compile(rf"(?P<preposition>{_PREPOSITIONS})\s+(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)
_ADDED = re.compile(r"(?<=[?.!…]) (?:And|Only) [^?]{1,200}\?$")
"""What an earlier follow-up has added: the next takes its place, so that a question never grows from turn to turn."""
MAX_REST_WORDS = 6
"""A longer rest is a question of its own."""
_LIMITING = frozenset(("only", "just"))
MAX_PHRASE_WORDS = 4
"""A longer phrase without “and” is no follow-up by its form alone."""


@dataclass(frozen=True)
class Completed:
    """A question made whole; ``carried`` = the earlier question or title, ``why`` in a sentence."""

    text: str
    carried: tuple[str, ...]
    why: str


def complete_bare(text: str, state: ConversationState) -> Completed | None:
    """“Why?” and “Tell me more”, which have no content of their own; None for other texts."""
    if not state.question:
        return None
    if found := _BARE.fullmatch(text):
        word = found["word"]
        new = f"{word[0].upper()}{word[1:].lower()}: {state.question}"
        return Completed(
            new, (state.question,), f"“{word}” has no content of its own: it asks on about {_quoted(state)}"
        )
    if _MORE.fullmatch(text):
        if state.documents:
            title = state.documents[0].title or state.documents[0].document_id
            why = f"more of the same: the document found first, “{title}”, and {_quoted(state)}"
            return Completed(f"{title}: {state.question}", (title, state.question), why)
        return Completed(state.question, (state.question,), f"more of the same: {_quoted(state)} is asked again")
    return None


def complete_clause(text: str, state: ConversationState) -> Completed | None:
    """“And when the alarm rings?”: another condition of the question before; None for other texts."""
    found = _CLAUSE.fullmatch(text)
    if not state.question or found is None or len(words(text)) > MAX_CLAUSE_WORDS:
        return None
    clause, word = _trimmed(found["clause"]), found["word"]
    end = re.search(r"[\s?.!…]*$", state.question)
    body, mark = (state.question[: end.start()], end.group().strip()) if end else (state.question, "")
    old = re.search(rf"\b{word}\s[^?.!;:]+$", body, re.IGNORECASE)
    if old is not None and old.start() > 0:
        new = f"{body[: old.start()]}{clause}{mark or '?'}"
        return Completed(new, (state.question,), f"“{clause}” takes the place of “{old.group()}” in {_quoted(state)}")
    return Completed(f"{body} {clause}{mark or '?'}", (state.question,), f"“{clause}” is added to {_quoted(state)}")


def complete_open(text: str, state: ConversationState) -> Completed | None:
    """A name or a date that was asked for without anything to choose from; None for other texts."""
    last = next((turn for turn in reversed(state.turns) if turn.intent != "smalltalk"), None)
    if not state.question or last is None or last.action != "clarify" or last.choices:
        return None
    if not 0 < len(words(text)) <= MAX_REST_WORDS or QUESTION.match(text):
        return None
    why = f"it answers the question of turn {last.number}, which had nothing to choose from"
    return Completed(f"{_trimmed(text)}: {state.question}", (state.question,), why)


def differs(text: str) -> bool:
    """Whether a text says by its form that only one thing is different: “and the notifier?”, “only on Fridays”."""
    lead = _LEAD.fullmatch(text)
    rest = _trimmed(lead["rest"]) if lead else ""
    return lead is not None and 0 < len(words(rest)) <= MAX_REST_WORDS and not _stands_alone(rest, lead["lead"])


def complete_short(text: str, state: ConversationState) -> Completed | None:
    """A rest that only names what is different this time; None for whole questions.

    The rest takes the place of what the question asks about; where that cannot be told, it is added. Nothing else of
    the question is lost.
    """
    if not state.question:
        return None
    lead = _LEAD.fullmatch(text)
    rest = _trimmed(lead["rest"] if lead else text)
    phrase = _PHRASE.fullmatch(rest)
    if lead is None:
        short = phrase is not None and 0 < len(words(rest)) <= MAX_PHRASE_WORDS
        return _with_phrase(rest, phrase["preposition"].lower(), state) if short and phrase else None
    if not differs(text):
        return None
    limiting = lead["lead"].split()[-1].lower() in _LIMITING
    if phrase is not None:
        return _with_phrase(f"only {rest}" if limiting else rest, phrase["preposition"].lower(), state)
    if limiting:
        return _added(f"Only {rest}", state, f"“only {rest}” restricts {_quoted(state)}")
    return _in_the_slot(rest, state) or _added(
        f"And {rest}", state, f"“{rest}” is only what differs: it is put to {_quoted(state)}"
    )


def _in_the_slot(rest: str, state: ConversationState) -> Completed | None:
    """``rest`` in the place of what the last follow-up named, else of what the question asks about."""
    question = _ADDED.sub("", state.question)
    place = _named_last(state, question)
    if place is None:
        slot = slot_for(question, rest)
        place = None if slot is None else (slot.start, slot.end)
    if place is None:
        return None
    old = question[place[0] : place[1]]
    new = f"{question[: place[0]]}{rest}{question[place[1] :]}"
    why = f"“{rest}” takes the place of “{old}” in {_quoted(state)}"
    if old == rest:
        why = f"“{rest}” is what was asked about already: {_quoted(state)} is asked again"
    return Completed(new, (state.question,), why)


def _named_last(state: ConversationState, question: str) -> tuple[int, int] | None:
    """Where the question holds what a follow-up put there just before."""
    last = next((turn for turn in reversed(state.turns) if turn.intent != "smalltalk"), None)
    if last is None or last.link != "ellipsis" or not differs(last.text):
        return None
    lead = _LEAD.fullmatch(last.text)
    rest = _trimmed(lead["rest"]) if lead else ""
    phrase = _PHRASE.fullmatch(rest)
    named = phrase["rest"] if phrase else rest
    found = list(re.finditer(rf"(?<!\w){re.escape(named)}(?!\w)", question)) if named else []
    return found[-1].span() if found else None


def _added(what: str, state: ConversationState, why: str) -> Completed:
    """The question with a short sentence behind it, in the place of the one that a follow-up added before."""
    before = _ADDED.sub("", _asked(state.question))
    return Completed(f"{before} {what}?", (state.question,), why)


def _stands_alone(rest: str, lead: str) -> bool:
    """Whether what follows “and” is a whole question; after “what about” it never is."""
    word = lead.split()[-1].lower()
    return (
        word in ("and", "or", "also", *_LIMITING)
        and QUESTION.match(rest) is not None
        and (word in _LIMITING or len(content_words(rest)) > 1)
    )


def _with_phrase(rest: str, preposition: str, state: ConversationState) -> Completed:
    old = re.compile(
        rf"\b{preposition}\s+[^,;:?!.]+?(?=\s+(?:{_PREPOSITIONS}|to|of|when|if|and|or|that|which)\b|[,;:?!.]|$)",
        re.IGNORECASE,
    )
    there = list(old.finditer(state.question))
    if there:
        last = there[-1]
        new = f"{state.question[: last.start()]}{rest}{state.question[last.end() :]}"
        why = f"“{rest}” takes the place of “{last.group()}” in {_quoted(state)}"
        return Completed(new, (state.question,), why)
    end = re.search(r"[\s?.!…]*$", state.question)
    cut = end.start() if end else len(state.question)
    new = f"{state.question[:cut]} {rest}{state.question[cut:].strip() or '?'}"
    return Completed(new, (state.question,), f"“{rest}” is added to {_quoted(state)}")


def _quoted(state: ConversationState) -> str:
    question = state.question
    return f"“{question if len(question) <= 120 else question[:119].rstrip() + '…'}”"


def _asked(question: str) -> str:
    return question if question.endswith(("?", ".", "!", "…")) else f"{question}?"


def _trimmed(text: str) -> str:
    return text.strip().rstrip("?!.… ").strip()
