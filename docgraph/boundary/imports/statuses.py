"""Reads the status that a decision record says in a section or a line of its own, as the field that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docgraph.domain.graph import Document
from docgraph.domain.imports.fields import STATUS_FROM, status_word
from docgraph.domain.standing import ENDED

KNOWN = frozenset(
    (
        *ENDED,
        *("accepted", "active", "adopted", "agreed", "amended", "approved", "closed", "decided", "done", "draft"),
        *("drafted", "final", "implemented", "implementable", "open", "pending", "proposal", "proposed", "provisional"),
    )
)
"""Words that begin the status of a record, whatever else stands in it."""
_RECORD = frozenset(("context", "decision", "decision outcome", "consequences", "considered options"))
_FIRST_SECTIONS, _FIRST_LINES, _MAX_LINE, _MAX_LINES = 5, 25, 300, 12
_MARKS = re.compile(r"[*_`~>]|^\s{0,8}[-+•]\s")
_CROSSED_OUT = re.compile(r"~~[^~]{0,200}~~")
_LINE = re.compile(r"\s{0,3}(?:[-*+>]\s{1,4})?(?:\*\*|__|\*|_)?status(?:\*\*|__|\*|_)?:(?:\*\*|__|\*|_)?\s(.+)", re.I)
_WORDS = re.compile(
    r"([^\W\d_]{2,30}(?:[ -][^\W\d_]{1,30}){0,3}?)"
    r"(\.?$| (?:on |since )?\(?\d.{0,30}$| by\b| in favou?r\b|(?=\s{0,3}(?:[(\[,;.!/\d\u2013\u2014]| - |:\s{0,3}\d)))"
)
"""Words, and what ends them: nothing, a date, *by*, a mark."""
_SINCE = re.compile(r" (?:on|since|at|as of)\b.*")
_SPACES = re.compile(r"\s+")


def with_status(document: Document) -> Document:
    """The document with ``status`` in its metadata where its text says one and no field does; else as it is.

    A section *Status* among the first, or a line ``Status: …`` above the second heading, with a status of a few words:
    ``Accepted``, ``Superseded by …`` (then the first word; what replaced it is a relationship). Of several lines one
    that ends it counts. A sentence is none. ``status_from`` says that the text was read, and no field.
    """
    if any(str(name).casefold() == "status" for name in document.metadata) or status_word(document.metadata):
        return document
    said = _in_section(document) or _in_line(document)
    if not said:
        return document
    return document.model_copy(update={"metadata": {**document.metadata, "status": said, STATUS_FROM: "text"}})


def _in_section(document: Document) -> str:
    names = [(section.heading_path or ("",))[-1].strip(" :").casefold() for section in document.sections]
    for place, name in enumerate(names[:_FIRST_SECTIONS]):
        if name == "status" and len(document.sections[place].heading_path) <= 2:
            return _status(document.sections[place].text, any_word=not _RECORD.isdisjoint(names))
    return ""


def _in_line(document: Document) -> str:
    for line in _top(document.text):
        if found := _LINE.fullmatch(line):
            return _status(found[1], any_word=False)
    return ""


def _top(text: str) -> Iterator[str]:
    n_headings = 0
    for line in text.split("\n", _FIRST_LINES)[:_FIRST_LINES]:
        n_headings += line.startswith("#")
        if n_headings > 1:
            return
        yield line[:_MAX_LINE]


def _status(text: str, *, any_word: bool) -> str:
    """The status that these lines say; "" for prose. The first line is one, or none of them is."""
    lines = [line for line in text.split("\n", _MAX_LINES)[:_MAX_LINES] if line.strip()]
    told = [_words(line, any_word=any_word) for line in lines]
    if not told or not told[0]:
        return ""
    return next((each for each in told if each and _first_word(each) in ENDED), told[0])


def _words(line: str, *, any_word: bool) -> str:
    """``**Superceded by** [2. Push](x.md)`` → ``Superseded``; a word that is not known has to stand alone."""
    if len(line) > _MAX_LINE:
        return ""
    plain = _SPACES.sub(" ", _MARKS.sub("", _CROSSED_OUT.sub("", line))).strip()
    found = _WORDS.match(plain)
    if found is None:
        return ""
    words = _SINCE.sub("", found[1].replace("uperced", "upersed"))
    is_known = _first_word(words) in KNOWN
    return words if is_known or (any_word and found.end() == len(plain) and len(words.split()) <= 3) else ""


def _first_word(words: str) -> str:
    return re.split(r"[ -]", words, maxsplit=1)[0].casefold()
