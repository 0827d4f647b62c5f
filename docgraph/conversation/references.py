"""Replaces what points back – “the second one”, “this decision”, “it” – with the titles that it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.conversation.answering import ORDINALS
from docgraph.conversation.channels import of_type
from docgraph.domain.content_words import content_words, words
from docgraph.domain.conversation import ConversationState, FocusDocument

MAX_BEFORE = 1
"""Content words that may stand before a pronoun; after more of them it most likely means one of those."""
MAX_NAMED = 2
"""Documents that a plural stands for."""
MAX_WORDS_CARRIED = 6

_THING = r"(?:one|document|doc|source|result|hit|option|choice|answer|page)"
_PLACES = "|".join(ORDINALS)
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?(?P<a>{_PLACES})\s+{_THING}\b|\bthe\s+(?P<b>former|latter)\b|\bthe\s+(?P<d>{_PLACES})(?=[\s?.!,]*$)"
    rf"|\b(?:document|doc|source|result|option|choice)\s+(?:number\s+|no\.?\s*|#)?(?P<c>\d{{1,2}})\b",
    re.IGNORECASE,
)
_TYPED = re.compile(
    r"\b(?:this|that)\s+(?P<one>[\w-]{2,40})\b|\b(?:these|those)\s+(?P<many>[\w-]{2,40})\b"
    r"|\b(?:the|this)\s+(?P<end>[\w-]{2,40})(?=[\s?.!,]*$)",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|was|are|were|does|did|do|has|have|had|means?|works?|happens?|happened|appl(?:y|ies)|changed?|comes?|came|"
    r"causes?|caused|matters?|costs?|says?|contradicts?|agree|differs?|conflicts?|overlaps?|exists?|helps?|"
    r"so|now|then|too|again|anyway|exactly|still|not)"
)
_PRONOUN = re.compile(
    rf"\b(?P<its>its|their)\s|\b(?P<it>it|them|they)\b|\b(?P<that>this|that|these|those)(?=\s*(?:[?.!,;:]|$)|\s+{_VERB}\b)",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"\bit(?:'s)?\s+(?:is\s+|was\s+)?(?:not\s+)?(?:possible|true|ok|okay|allowed|necessary|better|worth|enough|safe|"
    r"normal|fine|legal|rain\w*|snow\w*|take|takes|that)\b"
    r"|\bis it\s+(?:possible|true|ok|okay|allowed|necessary|better|worth)\b",
    re.IGNORECASE,
)
_PLURAL = frozenset(("these", "those"))
_FILLING = frozenset(("and", "or", "also", "then", "ok", "what", "how", "about", "of", "please", "now", "in", "for"))
_IN_BRACKETS = re.compile(r"\b(?:it|its|they|them|their) \(([^()]{1,400})\)")
"""What an earlier pronoun stood for, as ``_thing`` writes it."""
_THINGS = frozenset(("it", "its", "they", "them", "their"))
"""Pronouns that stand for what is asked about; “this” and “that” stand for what was found."""
HINTS = {
    "decision": r"decid\w+|agreed?|chose|chosen|accepted|proposed|overrul\w+|superseded",
    "postmortem": r"happened|broke\w*|went wrong|outage|repaired",
    "runbook": r"alarm\w*|run|executed?",
    "policy": r"allowed|forbidden|permitted|approv\w+",
}
"""Type of document → words beside a pronoun that tell that a document of this type is meant."""


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


def resolve(text: str, state: ConversationState) -> Resolved | None:
    """The text with the first ordinal, typed mention or pronoun replaced; None when nothing points back.

    Documents of the last packet are meant by an ordinal, by “this decision”, “this” and “that”. “It” and “they” stand
    for what the earlier question is about: the document that it names, else its content words, in brackets.
    """
    return _ordinal(text, state.documents) or _typed(text, state.documents) or _pronoun(text, state)


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


def _pronoun(text: str, state: ConversationState) -> Resolved | None:
    expletives = [found.span() for found in _EXPLETIVE.finditer(text)]
    for found in _PRONOUN.finditer(text):
        if any(start <= found.start() < end for start, end in expletives) or _is_relative(text, found):
            continue
        if len(content_words(text[: found.start()])) > MAX_BEFORE:
            return None
        return _meant(text, found, state)
    return None


def _is_relative(text: str, found: re.Match[str]) -> bool:
    """Whether “that” only joins a clause to the word before it: “the queue that is full”."""
    before = words(text[: found.start()])[-1:]
    joined = (found["that"] or "").casefold() == "that" and bool(re.match(r"\s*\w", text[found.end() :]))
    return joined and bool(content_words(" ".join(before)))


def _meant(text: str, found: re.Match[str], state: ConversationState) -> Resolved | None:
    said = found.group().strip().casefold()
    if said in _THINGS or not state.documents:
        return _thing(text, found, state)
    if said in _PLURAL:
        what = "the documents found first" if len(state.documents) > 1 else "the document found first"
        return _replaced(text, found, state.documents[:MAX_NAMED], what)
    for doc_type, telling in HINTS.items():
        hint = re.search(rf"\b(?:{telling})\b", text, re.IGNORECASE)
        fitting = of_type(doc_type, state.documents) if hint else ()
        if hint and fitting:
            return _replaced(text, found, fitting[:1], f"the {doc_type} found last (“{hint.group()}” tells)")
    return _replaced(text, found, state.documents[:1], "the document found first")


def _thing(text: str, found: re.Match[str], state: ConversationState) -> Resolved | None:
    """What the earlier question is about, in place of “it”."""
    named = [d for d in state.documents if d.title and d.title.casefold() in state.question.casefold()]
    if named:
        meant = named[: 1 if found.group().strip().casefold() in ("it", "its") else MAX_NAMED]
        what = f"the document{'s' if len(meant) > 1 else ''} asked about"
        return _replaced(text, found, meant, what, possessive=bool(found["its"]))
    before = _IN_BRACKETS.search(state.question)
    carried = content_words(before[1] if before else state.question, limit=MAX_WORDS_CARRIED)
    carried = carried or state.topic[:MAX_WORDS_CARRIED]
    if not carried:
        return None
    said = found.group().strip()
    new = f"{text[: found.start()]}{said} ({' '.join(carried)}){' ' if found['its'] else ''}{text[found.end() :]}"
    why = f"“{said}” stands for what the earlier question is about: {' '.join(carried)}"
    return Resolved(new, carried, why, rest=f"{text[: found.start()]}{said}{text[found.end() :]}")


def _replaced(
    text: str, found: re.Match[str], documents: Sequence[FocusDocument], what: str, *, possessive: bool = False
) -> Resolved:
    titles = tuple(d.title or d.document_id for d in documents)
    put = " and ".join(titles) + ("'s " if possessive else "")
    said = found.group().strip()
    new = text[: found.start()] + put + text[found.end() :]
    why = f"“{said}” stands for {what}: {' and '.join(f'“{title}”' for title in titles)}"
    return Resolved(new, titles, why, rest=f"{text[: found.start()]} {text[found.end() :]}")
