"""Assignments, due dates and comments of a file against those that are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.curation import TriageEntry, TriageKind
from docgraph.domain.exchange import ExchangeRow

_Said = tuple[str, TriageKind, str, str, str]
_STANDS: tuple[TriageKind, ...] = ("assigned", "due")
"""Kinds of which the last one stands: two people cannot both be right."""
_WORDS: dict[TriageKind, str] = {"assigned": "assigned to", "due": "due", "comment": "comment:", "decided": "decided:"}

Lines = Sequence[tuple[int, TriageEntry]]


def said_compared(asked: Lines, here: Iterable[TriageEntry]) -> tuple[Lines, int, list[ExchangeRow]]:
    """What is new here, how many are said here already, and conflicts: who has it, or until when, is said otherwise.

    What is said here and not in the file is kept. A comment never meets another one.
    """
    there = list(here)
    known, in_file = {_of(each) for each in there}, {_of(each) for _, each in asked}
    stands = {(each.decision_id, each.kind): each for each in there if each.kind in _STANDS}
    wants = {(each.decision_id, each.kind): each for _, each in asked if each.kind in _STANDS}
    new: list[tuple[int, TriageEntry]] = []
    conflicts: list[ExchangeRow] = []
    for line, entry in asked:
        if _of(entry) in known:
            continue
        known.add(_of(entry))
        place = (entry.decision_id, entry.kind)
        other = stands.get(place)
        if other is not None and _of(other) not in in_file and wants[place].text != other.text:
            conflicts.append(_conflict(line, entry, other))
        else:
            new.append((line, entry.model_copy(update={"entry_id": 0})))
    return new, len(asked) - len(new) - len(conflicts), conflicts


def said_row(line: int, entry: TriageEntry) -> ExchangeRow:
    """The row that is listed of an entry."""
    return ExchangeRow(line=line, kind="triage", sentence=f"{entry.label or entry.decision_id}: {_words(entry)}")


def _conflict(line: int, entry: TriageEntry, other: TriageEntry) -> ExchangeRow:
    said = f"{other.by} said at {other.at}: {_words(other)}"
    return said_row(line, entry).model_copy(update={"conflict": said, "hint": "set it here again, or leave it"})


def _words(entry: TriageEntry) -> str:
    nobody = {"assigned": "nobody", "due": "on no day"}.get(entry.kind, "")
    return f"{_WORDS[entry.kind]} {entry.text or nobody}".strip(" :")


def _of(entry: TriageEntry) -> _Said:
    return (entry.decision_id, entry.kind, entry.text, entry.by, entry.at)
