"""Words as PostgreSQL's full text counts them in English: stems (Snowball's Porter2), without its stop words.

What PostgreSQL's parser makes of addresses, paths and versions is not repeated: there the store's own words count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import lru_cache

import Stemmer

_LISTED = """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing a an the and but if or because as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again further
    then once here there when where why how all any both each few more most other some such no nor not only own same so
    than too very s t can will just don should now
"""
STOP_WORDS = frozenset(_LISTED.split())
"""Those of PostgreSQL's dictionary ``english_stem``."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ENGLISH = Stemmer.Stemmer("english", 0)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a word in lower case: bookings, booking and booked → book. Empty for a stop word."""
    stemmed: str = "" if word in STOP_WORDS else _ENGLISH.stemWord(word)
    return stemmed


def lexemes(text: str) -> Counter[str]:
    """Lexeme → how often ``text`` holds it; a word with a hyphen counts as a whole and by its parts."""
    found: Counter[str] = Counter()
    for match in _WORD.finditer(text.lower()):
        word = match.group()
        for part in (word, *word.split("-")) if "-" in word else (word,):
            found[stem(part)] += 1
    del found[""]
    return found


class Finder:
    """Looks for ``wanted`` lexemes in texts, each at the place where its word begins."""

    def __init__(self, wanted: Collection[str]) -> None:
        self._wanted = frozenset(wanted)
        # Porter2 ends some stems with an i where the word has a y, and leaves all others a beginning of their word
        beginnings = sorted({re.escape(word[:-1] if word[-1:] == "i" and len(word) > 1 else word) for word in wanted})
        self._likely = re.compile(rf"(?<![^\W_])(?:{'|'.join(beginnings)})[^\W_]*") if beginnings else None

    def places(self, text: str) -> list[tuple[int, str]]:
        """(character, lexeme) of every word of ``text`` whose stem is wanted, in order."""
        if self._likely is None:
            return []
        found = ((match.start(), stem(match.group())) for match in self._likely.finditer(text.lower()))
        return [(place, word) for place, word in found if word in self._wanted]
