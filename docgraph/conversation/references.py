"""Finds what points back: “the second one” and “this decision” to a document, “it” and “that” to the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.conversation.answering import ORDINALS
from docgraph.conversation.channels import of_type
from docgraph.domain.content_words import content_words, words
from docgraph.domain.conversation import FocusDocument

MAX_BEFORE = 1
"""Content words that may stand before a pronoun; after more of them it most likely means one of those."""
MAX_NAMED = 2
"""Documents that a plural stands for."""

_THING = r"(?:one|document|doc|source|result|hit|option|choice|answer|page)"
_PLACES = "|".join(ORDINALS)
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?(?P<a>{_PLACES})\s+{_THING}\b|\bthe\s+(?P<b>former|latter)\b|\bthe\s+(?P<d>{_PLACES})(?=[\s?.!,]*$)"
    rf"|\b(?:document|doc|source|result|option|choice)\s+(?:number\s+|no\.?\s*|#)?(?P<c>\d{{1,2}})\b",
    re.IGNORECASE,
)
_TYPED = re.compile(
    r"\b(?:this|that)\s+(?P<one>[\w-]{2,40})\b|\b(?:these|those)\s+(?P<many>[\w-]{2,40})\b"
    r"|\b(?:the|this|an?)\s+(?P<end>[\w-]{2,40})(?=(?:\s+(?:instead|please|then|too|now))*[\s?.!,]*$)",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|was|are|were|does|did|do|has|have|had|means?|works?|happens?|happened|appl(?:y|ies)|changed?|comes?|came|"
    r"causes?|caused|matters?|costs?|says?|contradicts?|agree|differs?|conflicts?|overlaps?|exists?|helps?|"
    r"so|now|then|too|again|anyway|exactly|still|not)"
)
_PRONOUN = re.compile(
    rf"\b(?P<its>its|their)\s|\b(?P<it>it|them|they)\b|\b(?P<that>this|that|these|those)(?=\s*(?:[?.!,;:]|$)|\s+{_VERB}\b)"
    rf"|\b(?:is|was|are|were|does|did|do|has|have|had|can|could|may|must|should|will|would)\s+(?P<done>this|that)\s",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"\bit(?:'s)?\s+(?:is\s+|was\s+)?(?:not\s+)?(?:possible|true|ok|okay|allowed|necessary|better|worth|enough|safe|"
    r"normal|fine|legal|rain\w*|snow\w*|take|takes|that)\b"
    r"|\bis it\s+(?:possible|true|ok|okay|allowed|necessary|better|worth)\b",
    re.IGNORECASE,
)
_FILLED = """
    and or also then ok what how about of please now in for instead rather the no i meant mean
"""
_FILLING = frozenset(_FILLED.split())


@dataclass(frozen=True)
class Resolved:
    """A text in which something that points back was replaced; ``carried`` = what came in, ``why`` in a sentence.

    ``rest`` = the text without what points back.
    """

    text: str
    carried: tuple[str, ...]
    why: str
    rest: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether the text says nothing besides what points back: “what about the second one?”"""
        return all(word in _FILLING for word in words(self.rest))


def resolve(text: str, documents: Sequence[FocusDocument]) -> Resolved | None:
    """The text with the first ordinal or typed mention replaced by titles; None when it names no document found last.

    “The second one” is the second document of the last packet, “this decision” its first decision.
    """
    return _ordinal(text, documents) or _typed(text, documents)


def first_document(documents: Sequence[FocusDocument]) -> Resolved | None:
    """The document found first, for a text that only asks for more; None where none was found."""
    titles = tuple(d.title or d.document_id for d in documents[:1])
    why = f"more of the same: the document found first, “{titles[0]}”" if titles else ""
    return Resolved(titles[0], titles, why) if titles else None


def names_a_place(text: str) -> bool:
    """Whether a text is only an ordinal: “the seventh one”."""
    found = _ORDINAL.search(text)
    return found is not None and all(word in _FILLING for word in words(text.replace(found.group(), " ")))


def points_back(text: str) -> bool:
    """Whether a pronoun of the text stands for something said before.

    One after two content words most likely means one of those; “it” in “is it possible” means nothing, and “that” in
    “the queue that is full” only joins a clause.
    """
    expletives = [found.span() for found in _EXPLETIVE.finditer(text)]
    for found in _PRONOUN.finditer(text):
        if any(start <= found.start() < end for start, end in expletives) or _is_relative(text, found):
            continue
        return len(content_words(text[: found.start()])) <= MAX_BEFORE
    return False


def _ordinal(text: str, documents: Sequence[FocusDocument]) -> Resolved | None:
    found = _ORDINAL.search(text)
    if found is None or not documents:
        return None
    place = _index(found, len(documents))
    if place is None:
        return None
    return _replaced(text, found, [documents[place]], f"number {place + 1} of the documents found last")


def _index(found: re.Match[str], n: int) -> int | None:
    if found["c"]:
        place = int(found["c"]) - 1
        return place if 0 <= place < n else None
    name = (found["a"] or found["b"] or found["d"]).casefold()
    if name == "former":
        return 0 if n > 1 else None
    if name == "latter":
        return 1 if n > 1 else None
    place = ORDINALS[name]
    return n - 1 if place < 0 else (place if place < n else None)


def _typed(text: str, documents: Sequence[FocusDocument]) -> Resolved | None:
    for found in _TYPED.finditer(text):
        noun = found["one"] or found["many"] or found["end"]
        fitting = of_type(noun, documents)
        if fitting:
            meant = fitting[:MAX_NAMED] if found["many"] else fitting[:1]
            return _replaced(text, found, meant, f"the {noun.casefold()} found last")
    return None


def _is_relative(text: str, found: re.Match[str]) -> bool:
    """Whether “that” only joins a clause to the word before it: “the queue that is full”."""
    before = words(text[: found.start()])[-1:]
    joined = (found["that"] or "").casefold() == "that" and bool(re.match(r"\s*\w", text[found.end() :]))
    return joined and bool(content_words(" ".join(before)))


def _replaced(text: str, found: re.Match[str], documents: Sequence[FocusDocument], what: str) -> Resolved:
    titles = tuple(d.title or d.document_id for d in documents)
    put = " and ".join(titles)
    said = found.group().strip()
    new = text[: found.start()] + put + text[found.end() :]
    why = f"“{said}” stands for {what}: {' and '.join(f'“{title}”' for title in titles)}"
    return Resolved(new, titles, why, rest=f"{text[: found.start()]} {text[found.end() :]}")
