"""Matches what a person says with the choices of a clarifying question: by number, place, label or part of a label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from docgraph.conversation.channels import spellings
from docgraph.domain.content_words import QUESTION, content_words, stem, words
from docgraph.domain.conversation import Choice

ORDINALS = {
    "first": 0,
    "1st": 0,
    "former": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "fifth": 4,
    "5th": 4,
    "sixth": 5,
    "6th": 5,
    "seventh": 6,
    "7th": 6,
    "eighth": 7,
    "8th": 7,
    "ninth": 8,
    "9th": 8,
    "tenth": 9,
    "10th": 9,
    "last": -1,
    "latter": -1,
}
CARDINALS = {"one": 0, "two": 1, "three": 2, "four": 3, "five": 4}
_THING = r"(?: (?:one|document|doc|option|choice|source|result|answer|page))?"
_POLITE = r"(?:(?:what about|how about|and|i (?:mean|meant|want|take)|let's take|take|it's|yes|the|ok) )*"
_ORDINAL = re.compile(rf"{_POLITE}({'|'.join(ORDINALS)}){_THING}(?: please)?")
_NUMBER = re.compile(rf"{_POLITE}(?:(?:number|no|option|choice|answer) )?(\d|{'|'.join(CARDINALS)}|[a-e])(?: please)?")
_NEITHER = re.compile(
    r"(?:no )?(?:neither|none)(?: of (?:these|those|them|the above|it))?(?: please)?|no(?:pe)?|something else|"
    r"(?:no )?not (?:these|those|any of (?:these|those|them))|neither one|none fits|no none"
)
_GOING_ON = frozenset(("and", "or", "also", "but", "for", "in", "on", "at", "with", "during", "when", "if"))
"""A text that begins so goes on with the question rather than answer it."""
MAX_WORDS = 12

Answer = Choice | Literal["neither"] | None


def answered(text: str, choices: Sequence[Choice]) -> Answer:
    """The choice that is meant, ``neither``, or None when the text is no answer to the question.

    The whole text has to be the answer: a label; a number, a letter or an ordinal, with polite words around it; or
    words that all stand in the label of exactly one choice. A whole question is none, whatever its words.
    """
    typed = text.strip().casefold()
    exact = [choice for choice in choices if choice.label.casefold() == typed]
    if exact:
        return exact[0]
    heard = words(text)
    if not heard or len(heard) > MAX_WORDS:
        return None
    line = " ".join(heard)
    if _NEITHER.fullmatch(line):
        return "neither"
    place = _place(line, len(choices))
    if place is not None:
        return choices[place]
    return None if QUESTION.match(text.strip()) or heard[0] in _GOING_ON else _by_words(text, choices)


def why_answered(choice: Choice, number: int) -> str:
    """The sentence that says why the query is the choice's."""
    return f"it answers the question of turn {number}: “{choice.label}”"


def _place(line: str, n: int) -> int | None:
    if found := _ORDINAL.fullmatch(line):
        if found[1] in ("former", "latter") and n != 2:
            return None
        place = ORDINALS[found[1]]
        return n - 1 if place < 0 else (place if place < n else None)
    if found := _NUMBER.fullmatch(line):
        said = found[1]
        place = CARDINALS.get(said, -1) if not said.isdigit() else int(said) - 1
        place = "abcde".index(said) if said in "abcde" else place
        return place if 0 <= place < n else None
    return None


def _by_words(text: str, choices: Sequence[Choice]) -> Choice | None:
    """The only choice whose label, or else whose type of document, has all the content words of the text.

    A text without content words has to be the beginning of the label.
    """
    said = {stem(word) for word in content_words(text)}
    if not said:
        line = " ".join(words(text))
        starts = [choice for choice in choices if f"{' '.join(words(choice.label))} ".startswith(f"{line} ")]
        return starts[0] if len(starts) == 1 and " " in line else None
    fitting = [choice for choice in choices if said <= {stem(word) for word in words(choice.label)}]
    if not fitting:
        forms = {form.casefold() for form in spellings(" ".join(content_words(text)))}
        fitting = [choice for choice in choices if choice.doc_type.casefold() in forms]
    return fitting[0] if len(fitting) == 1 else None
