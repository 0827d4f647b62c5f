"""Decides how a text hangs together with the turns before it, and what of them it has to be asked with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.conversation.meaning import Embed, similarities
from docgraph.conversation.references import Resolved, first_document, names_a_place, points_back, resolve
from docgraph.conversation.slots import in_place
from docgraph.domain.content_words import QUESTION, content_words, stem, words
from docgraph.domain.conversation import MAX_KEPT, ConversationState, Link

NEAR = 0.35
"""Similarity to the earlier question from which two questions without a common word are on one topic.

With the default embedder 95 % of the pairs of unrelated questions of the sample corpus are below 0.28.
"""
MIN_OWN = 3
"""Content words from which a text stands by itself, and one that points back is a new topic all the same."""
MAX_WORDS = 12
"""A longer text stands by itself, unless it points back."""
MAX_PHRASE_WORDS = 6
"""A longer phrase behind “and” or “what about” is a text of its own."""
_CORRECTION = re.compile(
    r"(?:(?:no|nope|sorry|actually|wait|well)\b[,.;:\s–—-]*)+(?:not that\b[,;\s]*)?"
    r"(?:i (?:mean|meant|was asking about)|make (?:it|that)|rather)?\b[,:\s]*(?P<rest>\S.*)"
    r"|i (?:mean|meant|was asking about)\b[,:\s]*(?P<meant>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_LEAD = re.compile(
    r"(?:(?:and|or|also|but|so|ok|okay|then|even|only|just|again)\b[,\s]*)*"
    r"(?:(?:what|how) about|what of|(?:the )?same (?:for|with)|what if|and|or|also|but|even|only|just)\b[,\s]*"
    r"(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_MORE = re.compile(
    r"(?:(?:and|ok|okay|yes|please)[,\s]+)?(?:can you |could you )?(?:tell me (?:more|everything)|more(?: details?)?|"
    r"say more|go on|continue|what else|anything else|in (?:more )?detail|details?|explain(?: (?:more|further))?)"
    r"(?:\s+please)?[\s?.!…]*",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"(?:for|in|on|at|with|by|from|during|after|before|under|without|through|between|inside|outside|into|per|until|since)"
    r"\s+\S.*",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(
    r"(?:when|if)\s+(?!(?:is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|had)\b)\S",
    re.IGNORECASE,
)
"""“when the alarm rings”: a condition, and no question."""


@dataclass(frozen=True)
class Reading:
    """A text as it has to be read after the turns before it; ``why`` is empty when nothing was changed.

    ``question`` = what short follow-ups go back to after it. ``alone`` = the text as a question of its own, where
    that may be meant as well: both are searched, and what is surer counts.
    """

    query: str
    link: Link
    question: str
    why: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    alone: Reading | None = None


def read(text: str, state: ConversationState, embed: Embed) -> Reading:
    """``text`` as it is to be searched, and how it follows from the turns before.

    A bare noun phrase takes the place of one of its kind in the earlier question (“and the hotel rule?”, “no, I meant
    the hold queue”); what names a document found last is put to that document; any other text that cannot stand by
    itself, because it points back or says little, is asked behind the earlier question. Everything else stays as it
    was typed, on the same topic or on a new one.
    """
    if not state.question:
        return Reading(text, "opening", text)
    phrase = _phrase(text) or _preposition(text)
    if phrase and (asked := in_place(state.question, phrase)):
        why = f"“{phrase}” takes the place of “{asked.old}” in {_quoted(state.question)}"
        if asked.text == state.question:
            why = f"“{phrase}” is what was asked about already: {_quoted(state.question)} is asked again"
        return Reading(asked.text, "ellipsis", asked.text, (why,), (state.question,))
    if resolved := resolve(text, state.documents) or (
        first_document(state.documents) if _MORE.fullmatch(text) else None
    ):
        return _asked_of(resolved, state)
    own, pointing = content_words(text), points_back(text)
    goes_on = bool(phrase) or _answers_openly(text, state)
    if names_a_place(text) or not (goes_on or pointing or _says_little(text, own, state)):
        return _by_itself(text, state, embed)
    if pointing and not goes_on and len(own) >= MIN_OWN and _departs(text, state, embed):
        return Reading(text, "new_topic", text)
    before = _before(text, state)
    said = _corrected(text)
    why = f"{'it points back' if pointing else 'it says little by itself'}: asked behind {_quoted(before)}"
    link: Link = "reference" if pointing else "ellipsis"
    alone = None if goes_on or pointing or not own else _by_itself(text, state, embed)
    return Reading(f"{before} {said}", link, state.question, (why,), (before,), alone)


def _by_itself(text: str, state: ConversationState, embed: Embed) -> Reading:
    """A text as a question of its own."""
    return Reading(text, "new_topic" if _departs(text, state, embed) else "same_topic", text)


def _says_little(text: str, own: Sequence[str], state: ConversationState) -> bool:
    """Whether the content words of a short text are few, and do not merely say again what it is about."""
    if len(own) >= MIN_OWN or len(words(text)) > MAX_WORDS:
        return False
    known = {stem(word) for word in state.topic}
    return len(own) < 2 or not known.issuperset(map(stem, own))


def _before(text: str, state: ConversationState) -> str:
    """The earlier question, and behind it the last follow-up that was asked so: “who noticed it?” goes on with both.

    Of two that name something else (“and for lorries?”, “and for dogs?”) the second takes the place of the first.
    """
    question = state.question
    last = next((turn for turn in reversed(state.turns) if turn.intent != "smalltalk"), None)
    if last is None or last.link not in ("ellipsis", "reference") or not content_words(last.text):
        return question
    if not (last.query.startswith(f"{question} ") and last.query.endswith(f" {last.text}")):
        return question
    said, before = _phrase(text), _phrase(last.text)
    is_instead = said and before and bool(_preposition(said)) == bool(_preposition(before))
    return question if is_instead else f"{question} {last.text}"


def _phrase(text: str) -> str:
    """What a text of a few words puts differently, behind “and”, “what about”, “no, I meant”; empty where nothing."""
    found = _CORRECTION.fullmatch(text)
    if found is not None:
        rest = _trimmed(found["rest"] or found["meant"])
        return rest if len(words(rest)) <= MAX_PHRASE_WORDS and not QUESTION.match(rest) else ""
    found = _LEAD.fullmatch(text)
    rest = _trimmed(found["rest"]) if found else ""
    if not 0 < len(words(rest)) <= MAX_PHRASE_WORDS:
        return ""
    if _CLAUSE.match(rest):
        return rest
    asks = QUESTION.match(rest) is not None and (points_back(rest) or len(content_words(rest)) > 1)
    return "" if asks else rest


def _preposition(text: str) -> str:
    """“on Fridays?”, “in winter”, without the mark; empty for other texts."""
    rest = _trimmed(text)
    return rest if _PREPOSITION.fullmatch(rest) and len(words(rest)) <= MAX_PHRASE_WORDS else ""


def _corrected(text: str) -> str:
    """The text without “no, I meant” before it."""
    found = _CORRECTION.fullmatch(text)
    return text if found is None else (found["rest"] or found["meant"])


def _answers_openly(text: str, state: ConversationState) -> bool:
    """Whether a text is the name or the date that was asked for without anything to choose from."""
    last = next((turn for turn in reversed(state.turns) if turn.intent != "smalltalk"), None)
    asked = last is not None and last.action == "clarify" and not last.choices
    return asked and 0 < len(words(text)) <= MAX_PHRASE_WORDS and not QUESTION.match(text)


def _asked_of(resolved: Resolved, state: ConversationState) -> Reading:
    """A text that names documents; where it says nothing else about them, the earlier question is put to them."""
    if not resolved.is_bare:
        return Reading(resolved.text, "reference", resolved.text[:MAX_KEPT], (resolved.why,), resolved.carried)
    titles = " and ".join(resolved.carried)
    named = next((d.title for d in state.documents if d.title and d.title in state.question), None)
    if named is not None:
        why = (resolved.why, f"nothing else is said of it, so it takes the place of “{named}” in the earlier question")
        query = state.question.replace(named, titles)
        return Reading(query, "reference", query[:MAX_KEPT], why, (*resolved.carried, state.question))
    why = (resolved.why, "nothing else is said of it, so the earlier question is put to it")
    return Reading(f"{titles}: {state.question}", "reference", state.question, why, (*resolved.carried, state.question))


def _departs(text: str, state: ConversationState, embed: Embed) -> bool:
    """Whether a text shares no content word with the topic and is not near to its question either."""
    own = {stem(word) for word in content_words(text)}
    if not own or own & {stem(word) for word in state.topic}:
        return False
    near = similarities(text, [state.question], embed)
    return near is None or near[0] < NEAR


def _quoted(question: str) -> str:
    return f"“{question if len(question) <= 120 else question[:119].rstrip() + '…'}”"


def _trimmed(text: str) -> str:
    return text.strip().rstrip("?!.… ").strip()
