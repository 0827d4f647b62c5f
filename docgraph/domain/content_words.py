"""The words of a text that carry its content, and the stem under which two forms of a word count as one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from docgraph.domain.spelling import plain_letters

MAX_WORD = 60
"""Characters of a word that count."""
_WORD = re.compile(r"[^\W_]+(?:['’./+-][^\W_]+)*")
QUESTION = re.compile(
    r"(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|"
    r"has|have|had|tell|show|list|explain|compare)\b",
    re.IGNORECASE,
)
"""How whole questions begin."""
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")

_LISTED = """
    a about above after again all almost already also although always am an and another any anybody anyone anything are
    aren't as at be because been before being below between both but by can can't cannot could couldn't did didn't do
    does doesn't doing don't done down during each either else enough even ever every everybody everyone everything few
    first for from further get gets got had has hasn't have haven't having he hello help her here hers hey hi him his
    how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just know last least less let let's
    like long look many may maybe me mean means meant might mine more most much must my need neither never no nobody
    none nor not nothing now of off ok okay on once one ones only or other others our ours out over own per perhaps
    please quite rather really said same say says second see shall she should shouldn't show since so some somebody
    someone something still such sure take tell than thank thanks that that's the their theirs them then there these
    they thing things third this those though through till to together too under until up upon us use used uses very
    want wants was wasn't way we we'd we'll we're we've were weren't what what's when where whether which while who
    who's whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're your yours
    ask asks asked question questions
    compare difference differ differences explain describe versus vs decide reason happen happens happened
"""
FUNCTION_WORDS = frozenset(_LISTED.split())
"""Words that say how something is asked rather than what about."""


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case, with their inner hyphens, dots and apostrophes."""
    found = _WORD.finditer(text if text.isascii() else unicodedata.normalize("NFKC", plain_letters(text)))
    return [word.group().casefold().replace("’", "'")[:MAX_WORD] for word in found]


def content_words(text: str, *, limit: int | None = None) -> tuple[str, ...]:
    """The words that carry content, each once, in order; ``limit`` at most."""
    kept = dict.fromkeys(word for word in words(text) if word not in FUNCTION_WORDS)
    return tuple(kept)[:limit]


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """``word`` without its ending: bookings, booking and booked are one. Rough on purpose, and stable."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            word = _DOUBLED.sub(r"\1", word.removesuffix(ending))
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def stems(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stem(word) for word in content_words(text))


def held_stems(text: str) -> frozenset[str]:
    """The stems of every word of a text, and of the parts of those with a hyphen."""
    said = words(text)
    return frozenset(map(stem, {*said, *(part for word in said for part in word.split("-"))}))


def count_holding(wanted: Iterable[str], documents: Iterable[Iterable[str]]) -> dict[str, int]:
    """Word → how many of the documents, each of them texts, hold a word of the same stem; function words are absent."""
    counts = {word: 0 for word in wanted if words(word) and word not in FUNCTION_WORDS}
    for texts in documents:
        held = frozenset[str]().union(*map(held_stems, texts))
        for word in counts:
            counts[word] += stem(word) in held
    return counts


def clipped(text: str, limit: int) -> str:
    """``text`` with at most ``limit`` characters; one that is cut ends with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def on_one_line(text: str, limit: int) -> str:
    """``text`` on one line without control characters, at most ``limit`` characters."""
    flat = "".join(" " if not character.isprintable() else character for character in text[: 4 * limit])
    return clipped(" ".join(flat.split()), limit)


SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[A-Z0-9À-ÞА-Я])")
"""The space between two sentences, with the quotes and brackets that close the first one."""

_BLOCK_END = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•>#|]|\d{1,3}[.)])[ \t])")
"""An empty line, or a line that begins an item of a list, a heading, a quotation or a row of a table."""

_CLOSING = re.compile(r"[\"')\]]*")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each sentence of ``text`` in order, without the space around it; together they hold every word.

    A sentence may go on over lines, and ends with its paragraph or its list item at the latest.
    """
    position = 0
    for block in (*_BLOCK_END.finditer(text), None):
        end = block.start() if block else len(text)
        start = position
        for found in SENTENCE_END.finditer(text, position, end):
            closing = _CLOSING.match(text, found.start(), found.end())
            yield from _trimmed(text, start, closing.end() if closing else found.start())
            start = found.end()
        yield from _trimmed(text, start, end)
        position = block.end() if block else end


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    stripped = part.strip()
    if stripped:
        start += len(part) - len(part.lstrip())
        yield start, start + len(stripped)
