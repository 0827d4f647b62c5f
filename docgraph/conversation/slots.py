"""Finds what a question asks about – “the queue” in “Who owns the queue?” – so that a follow-up can take its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docgraph.domain.content_words import FUNCTION_WORDS, stem

MAX_SLOT_WORDS = 4
_TOKEN = re.compile(r"[^\W_]+(?:['’./+-][^\W_]+)*|[^\w\s]")
_DETERMINED = """
    the a an our my your their its his her this that these those every each any some all no
"""
_DETERMINERS = frozenset(_DETERMINED.split())
_BE = frozenset(("is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't"))
_DONE = """
    do does did can could may might must shall should will would has have had
    don't doesn't didn't can't cannot won't wouldn't shouldn't couldn't
"""
_DO = frozenset(_DONE.split())
_AUXILIARIES = _BE | _DO
_PREDICATED = frozenset(("why", "how", "since", "long", "often", "much", "many", "far", "old", "come"))
"""Words before “is” after which it is asked how the thing is, not which one it is: the last word belongs to that."""
_COMPLEMENTED = frozenset(("of", "about", "for"))
"""Words after which stands what a noun before them is about: of “the limit of the queue”, the queue is asked about."""
_LEADING_ON = _COMPLEMENTED | {"between"}
_DIRECTED = _COMPLEMENTED | {"to", "from", "by", "with"}
"""Words after which a thing without an article is what is asked about; “in” and “on” tell where or when."""
_PLACING = frozenset(("in", "on", "at", "during", "after", "before", "inside", "outside", "within"))
_FINITE = frozenset(
    ("get", "got", "do", "have", "need", "know", "mean", "say", "see", "want", "use", "go", "be", "take", "ask", "look")
)
"""Function words that are the verb of “What do stranded people get?”."""
_IRREGULAR = """
    kept sent held made run built written chosen fed taken found given done put set shown known lost paid read sold
    told thrown drawn broken begun bought brought caught cut driven fallen forgotten frozen gone grown hidden hit hurt
    laid led left lent met seen shut spent split spoken stolen stuck taught understood worn won
"""
_PARTICIPLES = frozenset(_IRREGULAR.split())
_ACTING = """
    accept add agree allow answer apply arrive ask begin belong break build buffer call cancel carry cause change
    charge check choose close come compare connect contain contradict cost create deal decide delete deliver depend
    detect differ drop emit end exist expect expire expose fail feed fetch fill find fix follow forward get give go
    handle happen help hold ignore improve include interact keep last lead learn leave listen live lock look lose make
    matter mean measure migrate move need notify offer open own pass pay prevent produce protect provide publish push
    put raise reach read receive recover refer refuse reject relate release rely remember remove replace reply require
    resolve respond restart retry return ring run save say scale sell send serve set shed ship show sign sit sleep
    solve speak start stay stop store support survive take talk tell throttle time trigger try turn update use verify
    wait want warn work write
"""
_VERBS = frozenset(stem(verb) for verb in _ACTING.split())
_NAME = re.compile(r"[^\W_]*(?:\d|[^\W\d_][^\W_]*[A-Z])[^\W_]*(?:[-./][^\W_]+)*|[A-Z][^\W_]*(?:[-./][^\W_]+)*")


@dataclass(frozen=True)
class Slot:
    """A place in a question: ``start`` to ``end`` are the words that may give way to others.

    ``head`` = its last word. ``leads`` = it leads to the thing asked about (“the limit of …”); ``placed`` = it tells
    where or when.
    """

    start: int
    end: int
    determiner: str = ""
    head: str = ""
    leads: bool = False
    placed: bool = False


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.casefold().replace("’", "'")

    @property
    def is_content(self) -> bool:
        return self.text[0].isalnum() and self.lower not in FUNCTION_WORDS


def slot_for(question: str, new: str) -> Slot | None:
    """The words of ``question`` that ``new`` takes the place of; None where none can be told for sure.

    A name (``ADR-011``, ``Corrin``) first gives way to a name, a thing to a thing: the one of the same kind (“the taxi
    rule” for “the hotel rule”), then the one with the same article, then the first one. Whatever else the question
    says stays, and something always does.
    """
    tokens = [_Word(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(question)]
    said = [found.group().casefold() for found in _TOKEN.finditer(new)]
    if not said:
        return None
    if _is_name(new):
        named = next((Slot(word.start, word.end) for word in tokens[1:] if _is_name(word.text)), None)
        if named is not None:
            return named
    there = [slot for slot in _slots(tokens) if _asks_still(tokens, slot)]
    alike = [slot for slot in there if len(said) > 1 and stem(slot.head) == stem(said[-1])]
    asked = [slot for slot in there if not slot.leads]
    same = [slot for slot in asked if slot.determiner == (said[0] if said[0] in _DETERMINERS else "")]
    return next(iter(alike or same or [slot for slot in asked if not slot.placed]), None)


def _asks_still(tokens: list[_Word], slot: Slot) -> bool:
    """Whether the question without the slot still asks something."""
    rest = [word for word in tokens if word.end <= slot.start or word.start >= slot.end]
    return any(word.text[0].isalnum() and word.lower not in _DETERMINERS | _PLACING | _LEADING_ON for word in rest)


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _slots(tokens: list[_Word]) -> Iterator[Slot]:
    """The things of a question, in order."""
    place = 0
    while place < len(tokens):
        word = tokens[place]
        opens = word.lower in _DETERMINERS
        if not (opens or _opens_bare(tokens, place)):
            place += 1
            continue
        first = place + opens
        n = _extent(tokens, first, subject=_auxiliary(tokens, place))
        end = first + n
        if n:
            yield Slot(
                word.start,
                tokens[end - 1].end,
                determiner=word.lower if opens else "",
                head=tokens[end - 1].lower,
                leads=end < len(tokens) and tokens[end].lower in _LEADING_ON and _is_thing(tokens, end + 1),
                placed=place > 0 and tokens[place - 1].lower in _PLACING,
            )
        place = max(end, place + 1)


def _opens_bare(tokens: list[_Word], place: int) -> bool:
    """Whether a thing without an article begins here: after an auxiliary, or where a noun or a verb leads to it."""
    return place > 0 and tokens[place].is_content and tokens[place - 1].lower in _AUXILIARIES | _DIRECTED


def _is_thing(tokens: list[_Word], place: int) -> bool:
    return place < len(tokens) and (tokens[place].is_content or tokens[place].lower in _DETERMINERS)


def _auxiliary(tokens: list[_Word], place: int) -> str:
    """The auxiliary before a subject (“is”, “does”), with “how” before it where it is asked how the thing is."""
    if place == 0 or tokens[place - 1].lower not in _AUXILIARIES:
        return ""
    word = tokens[place - 1].lower
    if word in _DO:
        return "do"
    asked = place == 1 or any(token.lower in _PREDICATED for token in tokens[: place - 1])
    return "be" if asked else ""


def _extent(tokens: list[_Word], first: int, *, subject: str) -> int:
    """How many words from ``first`` on name the thing; 0 where it cannot be told where they end."""
    run = 0
    while first + run < len(tokens) and tokens[first + run].is_content:
        if run and _ends_before(tokens[first + run].lower):
            return run if run <= MAX_SLOT_WORDS else 0
        run += 1
    after = tokens[first + run].lower if first + run < len(tokens) else ""
    if subject == "do" and after in _FINITE:
        return run if run <= MAX_SLOT_WORDS else 0
    if subject == "be" and run > 1:
        run -= 1
    elif subject == "do" and run > 1:
        run = 1 if run == 2 else 0
    return run if run <= MAX_SLOT_WORDS else 0


def _ends_before(word: str) -> bool:
    """Whether a word after the first one of a thing says what it does or what is done to it."""
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 4) or stem(word) in _VERBS
