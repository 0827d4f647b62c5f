"""Finds the one stored document that an id of no document most likely means: renamed, moved or mistyped."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from difflib import SequenceMatcher

from docgraph.domain.graph import StoredDocument

MIN_RATIO = 0.9
MIN_STEM = 8
MAX_MISSING = 5_000
"""With more missing ids than this a part of the corpus is not imported: then letters are not compared one by one."""
MAX_CANDIDATES = 64
"""Names with one half in common that are compared letter by letter; where there are more, none is *the* close one."""

_MARKS = re.compile(r"[\W_]+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS = re.compile(rf"\d+|\b(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\b(?=[ _-]?\d)", re.IGNORECASE)
"""Digits, and the month of a date: the 15th of June is no mistyped 15th of January."""
_LABEL = re.compile(r"([^\W\d_]+[-_ ]?0*\d+)(?=$|[-_ ]+[^\W\d_])")
"""A number at the front, as in ``adr-013-terminal-pull``; not the year in ``postmortem-2026-03``."""
_EXTENSION = re.compile(r"\.[a-z]{1,4}$")

Numbers = tuple[int, ...]


class CloseIds:
    """Ids and titles of documents, ordered so that a look-up compares few of them whatever their number.

    Two names are never close when they hold other numbers: ``adr-013`` is not a mistyped ``adr-014``. Kept is only what
    can be close to one of the ids that will be asked for, ``missing``.
    """

    def __init__(self, documents: Iterable[StoredDocument], missing: Collection[str]) -> None:
        self._names = {_plain(each) for each in missing}
        self._wanted = {_stem(each) for each in missing} | {_label(each) for each in missing}
        self._exact: dict[str, set[str]] = {}
        self._stems: dict[str, set[str]] = {}
        self._labels: dict[str, set[str]] = {}
        compared = missing if len(missing) <= MAX_MISSING else ()
        self._forward: dict[Numbers, list[tuple[str, str]]] = {_numbers(each): [] for each in compared}
        self._backward: dict[Numbers, list[tuple[str, str]]] = {_numbers(each): [] for each in compared}
        for document in documents:
            self._add(document)
        for order in (*self._forward.values(), *self._backward.values()):
            order.sort()

    def one(self, missing: str) -> str | None:
        """The id of the one document that ``missing`` most likely means; None when there is none, or several."""
        name, label, stem = _plain(missing), _label(missing), _stem(missing)
        for found in (
            self._exact.get(name) if name else None,
            self._labels.get(label) if label else None,
            self._stems.get(stem) if stem else None,
            set(self._close(name, _numbers(missing))),
        ):
            if found:
                return next(iter(found)) if len(found) == 1 else None
        return None

    def _add(self, document: StoredDocument) -> None:
        own = document.document_id
        for text in {own, document.title or own}:
            name, numbers = _plain(text), _numbers(text)
            if name in self._names:
                self._exact.setdefault(name, set()).add(own)
            if name and numbers in self._forward:
                self._forward[numbers].append((name, own))
                self._backward[numbers].append((name[::-1], own))
        if (stem := _stem(own)) in self._wanted:
            self._stems.setdefault(stem, set()).add(own)
        if (label := _label(own)) in self._wanted:
            self._labels.setdefault(label, set()).add(own)

    def _close(self, name: str, numbers: Numbers) -> Iterator[str]:
        """Documents with the same numbers, one half of the name, and nearly all of its letters."""
        half = len(name) // 2
        if half < 2:
            return
        ahead = _starting(self._forward.get(numbers, []), name[:half])
        behind = [(text[::-1], own) for text, own in _starting(self._backward.get(numbers, []), name[::-1][:half])]
        matcher = SequenceMatcher(b=name, autojunk=False)
        for text, own in {*ahead, *behind}:
            matcher.set_seq1(text)
            if matcher.real_quick_ratio() >= MIN_RATIO and matcher.ratio() >= MIN_RATIO:
                yield own


def _starting(order: list[tuple[str, str]], start: str) -> list[tuple[str, str]]:
    first = bisect_left(order, (start, ""))
    found = order[first : first + MAX_CANDIDATES + 1]
    rows = [row for row in found if row[0].startswith(start)]
    return rows if len(rows) <= MAX_CANDIDATES else []


def _plain(text: str) -> str:
    return _MARKS.sub("", text.casefold())


def _numbers(text: str) -> Numbers:
    found = (each.casefold() for each in _NUMBERS.findall(text))
    return tuple(
        int(each[:18]) if each.isdecimal() else _MONTHS.index(each[:3]) + 1
        for each in found
        if each.isdecimal() or each[:3] in _MONTHS
    )


def _stem(text: str) -> str:
    """The last part of a path without its extension; empty when it is too short to say anything."""
    last = _EXTENSION.sub("", text.casefold().rstrip("/").rsplit("/", 1)[-1])
    name = _plain(last)
    return name if "/" in text and len(name) >= MIN_STEM else ""


def _label(text: str) -> str:
    """``adr13`` for ``adr-013-terminal-pull`` and ``adr-13``; empty without a number at the front."""
    found = _LABEL.match(text.casefold())
    if found is None or re.search(r"(?:19|20)\d\d$", found[1]):
        return ""
    name = _plain(found[1])
    letters = name.rstrip("0123456789")
    return letters + name[len(letters) :].lstrip("0")
