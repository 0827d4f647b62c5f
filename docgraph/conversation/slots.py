"""Puts a noun phrase in the place of one of its kind: “the hold queue” for “the booking queue”, ADR-012 for ADR-011."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docgraph.domain.content_words import FUNCTION_WORDS, stem

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
