"""Rewrites a follow-up as a question of its own, by rules or by a rewriter, and says what it carried over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.conversation.intents import Embed, similarities
from docgraph.conversation.references import Resolved, first_document, names_a_place, points_back, resolve
from docgraph.domain.content_words import (
    FUNCTION_WORDS,
    QUESTION,
    clipped,
    content_words,
    on_one_line,
    stem,
    stems,
    words,
)
from docgraph.domain.conversation import MAX_KEPT, ConversationState, Link, Understanding

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


_TOKEN = re.compile(r"[^\W_]+(?:['’./+-][^\W_]+)*")
_DETERMINED = """
    the a an our my your their its his her this that these those every each any some all no
"""
_DETERMINERS = frozenset(_DETERMINED.split())
_NAME = re.compile(r"[^\W_]*(?:\d|[^\W\d_][^\W_]*[A-Z])[^\W_]*(?:[-./][^\W_]+)*|[A-Z][^\W_]*(?:[-./][^\W_]+)*")
_LEADS = """
    for in on at with by from during after before under without through between when if
"""
_LEADING = frozenset(_LEADS.split())
"""How a phrase begins that says when, where, for whom or with what."""
MAX_MODIFIERS = 3
"""Words between a determiner and its noun that go with it."""


@dataclass(frozen=True)
class Replaced:
    """A question with another phrase in it; ``old`` = the words that gave way."""

    text: str
    old: str


def in_place(question: str, phrase: str) -> Replaced | None:
    """``question`` with ``phrase`` in the place of the words of the same kind; None where it holds none.

    Of one kind are two names of one shape (``ADR-012`` and ``ADR-011``, two capitalised words), two phrases with the
    same last word, and two that begin with the same preposition or with *when* or *if*. The article stays where the
    phrase has none.
    """
    said = _TOKEN.findall(phrase)
    if not said:
        return None
    if said[0].casefold() in _LEADING:
        return _beside(question, phrase, said[0].casefold())
    tokens = list(_TOKEN.finditer(question))
    if len(said) == 1 and _NAME.fullmatch(said[0]):
        named = next((each for each in tokens[1:] if _are_alike(each.group(), said[0])), None)
        return None if named is None else _replaced(question, named.start(), named.end(), said[0])
    content = [word for word in said if word.casefold() not in _DETERMINERS]
    if len(content) < 2 or any(word.casefold() in FUNCTION_WORDS for word in content):
        return None
    for place, token in enumerate(tokens):
        if stem(token.group().casefold()) == stem(content[-1].casefold()):
            first = _start(tokens, place, n=len(content) - 1)
            has_article = said[0].casefold() in _DETERMINERS
            if has_article and first and tokens[first - 1].group().casefold() in _DETERMINERS:
                first -= 1
            return _replaced(question, tokens[first].start(), token.end(), phrase)
    return None


def _beside(question: str, phrase: str, first: str) -> Replaced | None:
    """The last words of a question that begin with ``first``, to where other words of the kind begin, give way."""
    if len(_TOKEN.findall(phrase)) < 2:
        return None
    stop = rf"\s+(?:{'|'.join(sorted(_LEADING))}|to|of|and|or|that|which)\b|[,;:?!.]|$"
    old = re.compile(rf"(?<=\s){first}\s[^,;:?!.]+?(?={stop})", re.IGNORECASE)
    there = list(old.finditer(question))
    return _replaced(question, there[-1].start(), there[-1].end(), phrase) if there else None


def _start(tokens: list[re.Match[str]], place: int, *, n: int) -> int:
    """Where the phrase that ends with a noun begins: behind its determiner, else as many words before as ``n``."""
    for first in range(place, max(-1, place - MAX_MODIFIERS - 1), -1):
        if first and tokens[first - 1].group().casefold() in _DETERMINERS:
            return first
        if tokens[first].group().casefold() in FUNCTION_WORDS:
            break
    first = place
    while first and place - first < n and tokens[first - 1].group().casefold() not in FUNCTION_WORDS:
        first -= 1
    return first


def _are_alike(one: str, other: str) -> bool:
    """Whether two names are of one shape: letters and digits in the same order, as capitals stand."""
    return _NAME.fullmatch(one) is not None and _shape(one) == _shape(other)


def _shape(name: str) -> str:
    shape = re.sub(r"\d+", "0", name)
    return re.sub(r"[^\W\d_]+", lambda found: found[0] if "0" in shape else "A", shape)


def _replaced(question: str, start: int, end: int, new: str) -> Replaced:
    return Replaced(f"{question[:start]}{new}{question[end:]}", question[start:end])


MAX_QUERY = 500
MIN_TYPED = 0.5
"""Part of an answer's content words that the person has to have typed; a model adds forms and a word or two."""
_LINKS = frozenset(("ellipsis", "reference"))
"""Follow-ups whose words are incomplete. A choice, a rejection and a repetition say exactly what is meant."""
_MARKUP = re.compile(r"<[/!?a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class Rewritable:
    """A follow-up that a rewriter may see: ``text`` and the ``turns`` before it as typed, oldest first."""

    text: str
    turns: tuple[str, ...]
    rules_query: str


def rewritable(understood: Understanding, state: ConversationState) -> Rewritable | None:
    """What a rewriter is told of a follow-up; None when it is not asked.

    It is not asked for a text that stands by itself, or may, for one that is longer than an answer may be, and where
    the rules' question holds a content word that nobody typed: that comes from a title or a heading, and nothing that
    was retrieved is given away. The rules know which document is meant there; a model could only guess.
    """
    if not understood.is_follow_up or understood.link not in _LINKS or len(understood.text) > MAX_QUERY:
        return None
    if understood.by_itself is not None:
        return None
    turns = tuple(turn.text for turn in state.turns)
    typed = {word for text in (*turns, understood.text) for word in content_words(text)}
    if not typed.issuperset(content_words(understood.query)):
        return None
    return Rewritable(understood.text, turns, understood.query)


def rewritten(understood: Understanding, asked: Rewritable, *, answer: Any, name: str) -> Understanding:
    """The understanding with the rewriter's question; with the rules' and a notice when the answer is unusable.

    Intent, channel and link stay the rules': they are read from the typed words alone.
    """
    reason = _unusable(answer, asked)
    if reason:
        return _kept(understood, f"what the language model ({_shown(name)}) wrote is not used: {reason}")
    query = answer.strip()
    if query == understood.query:
        return understood
    why = (
        f"a language model ({_shown(name)}) rewrote the question",
        f"the rules alone would ask “{clipped(understood.query, MAX_QUERY)}”",
    )
    bare = not content_words(understood.text)  # “why?” leaves the question that short follow-ups go back to
    question = understood.question if bare else clipped(query, MAX_KEPT)
    return understood.model_copy(update={"query": query, "why": why, "question": question})


def not_rewritten(understood: Understanding, *, error_type: str, name: str) -> Understanding:
    """The rules' understanding, with a notice that the rewriter failed; of the failure only its type is told."""
    return _kept(understood, f"the language model ({_shown(name)}) gave no question ({_shown(error_type)})")


def _kept(understood: Understanding, what: str) -> Understanding:
    notice = f"{what}; the question is as the rules read it"
    return understood.model_copy(update={"notices": (*understood.notices, notice)})


def _unusable(answer: Any, asked: Rewritable) -> str:
    """Why an answer is no question for a search; empty when it is one."""
    if not isinstance(answer, str):
        return "it is no text"
    query = answer.strip()
    if len(query) > MAX_QUERY:
        return f"it has more than {MAX_QUERY} characters"
    if not query.isprintable():
        return "it has several lines" if len(query.splitlines()) > 1 else "it has control characters in it"
    if _MARKUP.search(query):
        return "it is markup"
    own = stems(query)
    if not own:
        return "there is no word in it that says what about"
    typed = stems("\n".join((*asked.turns, asked.text)))
    return "" if len(own & typed) >= MIN_TYPED * len(own) else "most of its words were never typed"


def _shown(name: str) -> str:
    return on_one_line(name.lstrip("_"), 60) or "unnamed"
