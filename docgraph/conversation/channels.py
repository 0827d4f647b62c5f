"""Finds the words that say where an answer has to come from: “only in the runbooks”, “everywhere”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.content_words import words
from docgraph.domain.conversation import FocusDocument

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
