"""Resolves what a text refers to: types of document, choices of a clarifying question, documents found last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.content_words import QUESTION, content_words, stem, words
from docgraph.domain.conversation import Choice, FocusDocument

_DOCUMENTS = r"(?: (?:documents?|docs?|pages?|files?|articles?|papers?|sources?))"
_WHERE = r"(?:the |our |your )?(?:(?:documents?|docs?) of (?:the )?(?:type|kind) )?"
_END = r"(?=(?:\W+please)?\W*$)"
_NAMED = re.compile(
    r"\b(?:(?:look|search|ask|and|but) ){0,3}(?:only|just) (?:in|from|among) "
    rf"{_WHERE}(?P<after>[\w-]{{2,60}}){_DOCUMENTS}?(?![\w-])"
    rf"|\b(?:in|from|among) {_WHERE}(?P<before>[\w-]{{2,60}}){_DOCUMENTS}? only\b"
    rf"|\b(?:restrict|limit|narrow)(?: (?:it|this|that))?(?: down)? to {_WHERE}(?P<to>[\w-]{{2,60}}){_DOCUMENTS}?{_END}"
    rf"|\b(?:only|just) {_WHERE}(?P<kind>[\w-]{{2,60}}){_DOCUMENTS}{_END}"
    rf"|\bonly {_WHERE}(?P<end>[\w-]{{2,60}}){_END}"
    rf"|^\W*(?:and )?(?:in|from|among) {_WHERE}(?P<bare>[\w-]{{2,60}}){_DOCUMENTS}?{_END}",
    re.IGNORECASE,
)
_EVERYWHERE = re.compile(
    r"(?:(?:please|then|ok|okay|so|and|now|look|search|try|ask)[,\s]+)*"
    r"(?:everywhere|anywhere|in (?:all|any|every)(?: of)?(?: the)?(?: \w+)?|all (?:documents|types|channels))"
    r"(?:[,\s]+please)?\W*",
    re.IGNORECASE,
)
_ONLY_ASKING = """
    show me give list look search please now then ok okay and but the no yes well so thanks can could you
"""
_ASKING = frozenset(_ONLY_ASKING.split())
"""Words that only ask to look there."""
SPOKEN = {
    "adr": "decision",
    "post-mortem": "postmortem",
    "incident": "postmortem",
    "interface": "api",
    "spec": "design",
    "how-to": "guide",
    "rule": "policy",
    "definition": "glossary",
    "term": "glossary",
    "play": "runbook",
}
"""What people call a type of document, besides its own name."""
ANY_DOCUMENT = frozenset(
    ("document", "doc", "page", "file", "article", "paper", "source", "result", "one", "two", "both")
)


@dataclass(frozen=True)
class Named:
    """A place that a text names: the spellings that a type of document may have, and the text without those words.

    ``surely`` = the words can mean nothing but a place: “only in …”, “… documents”; “only lorries” can.
    """

    spellings: tuple[str, ...]
    words: str
    rest: str
    surely: bool = True


def named_channel(text: str) -> Named | None:
    """The place that a text limits itself to; None when it names none."""
    found = _NAMED.search(text)
    if found is None:
        return None
    name = next(each for each in found.groups() if each)
    before, after = text[: found.start()].rstrip(" ,:"), text[found.end() :].lstrip(" ,:")
    rest = f"{before}{'' if after[:1] in ('?', '!', '.', '') else ' '}{after}".strip()
    surely = not (found["end"] or found["bare"]) and singular(name) not in ANY_DOCUMENT
    return Named(spellings(name), found.group(), rest if set(words(rest)) - _ASKING else "", surely)


def wants_everywhere(text: str) -> bool:
    """Whether the whole text asks to look in documents of every type."""
    return _EVERYWHERE.fullmatch(text.strip()) is not None


def spellings(name: str) -> tuple[str, ...]:
    """The names that a type of document called ``name`` may have in the data: ``policies`` → policies, policy …"""
    lower = name.casefold()
    single = singular(lower)
    meant = SPOKEN.get(single, single)
    forms = (
        name,
        lower,
        single,
        meant,
        single.replace("-", ""),
        single.replace("-", "_"),
        single.capitalize(),
        single.upper(),
    )
    return tuple(dict.fromkeys(form for form in forms if form))


def singular(noun: str) -> str:
    """``policies`` → ``policy``, ``runbooks`` → ``runbook``; lower case."""
    noun = noun.casefold()
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > 3 else noun


def of_type(noun: str, documents: Sequence[FocusDocument]) -> tuple[FocusDocument, ...]:
    """Those of the documents that a noun may mean: all for “document”, else those of the type it names."""
    if singular(noun) in ANY_DOCUMENT:
        return tuple(documents)
    forms = {form.casefold() for form in spellings(noun)}
    return tuple(
        d for d in documents if d.doc_type and (d.doc_type.casefold() in forms or singular(d.doc_type) in forms)
    )


_NTH = """
    first 1st second 2nd third 3rd fourth 4th fifth 5th sixth 6th seventh 7th eighth 8th ninth 9th tenth 10th
"""
ORDINALS = {name: n // 2 for n, name in enumerate(_NTH.split())} | {"former": 0, "last": -1, "latter": -1}
CARDINALS = {"one": 0, "two": 1, "three": 2, "four": 3, "five": 4}
_ITEM = r"(?: (?:one|document|doc|option|choice|source|result|answer|page))?"
_POLITE = r"(?:(?:what about|how about|and|i (?:mean|meant|want|take)|let's take|take|it's|yes|the|ok) )*"
_ORDINAL_ANSWER = re.compile(rf"{_POLITE}({'|'.join(ORDINALS)}){_ITEM}(?: please)?")
_NUMBER_ANSWER = re.compile(
    rf"{_POLITE}(?:(?:number|no|option|choice|answer) )?(\d|{'|'.join(CARDINALS)}|[a-e])(?: please)?"
)
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
    if found := _ORDINAL_ANSWER.fullmatch(line):
        return None if found[1] in ("former", "latter") and n != 2 else _at(found[1], n)
    if found := _NUMBER_ANSWER.fullmatch(line):
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
    if name in ("former", "latter"):
        return None if n < 2 else int(name == "latter")
    return _at(name, n)


def _at(ordinal: str, n: int) -> int | None:
    """Index of an ordinal among ``n``; None where there are not so many."""
    place = ORDINALS[ordinal]
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
