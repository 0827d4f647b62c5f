"""Entries of a history as a reader looks for them: by person and text, and those of one call together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docgraph.domain.history import HistoryEntry
from docgraph.views.relationships.history.words import act_text
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment


@dataclass(frozen=True)
class Act:
    """Entries of one call that stand together in a list, newest first."""

    act: str
    entries: tuple[HistoryEntry, ...]

    @property
    def standing(self) -> int:
        """How many of them are not undone."""
        return sum(entry.undone_by is None for entry in self.entries)

    @property
    def words(self) -> str:
        """``14 relationships, one change, by Ann, 22 Nov 2026, 02:04 UTC``; says when some were undone since."""
        first = self.entries[0]
        undone = len(self.entries) - self.standing
        since = f"; {plural(undone, 'entry', 'entries')} undone since" if undone else ""
        return f"{act_text(len(self.entries))}, by {first.by}, {moment(first.at)}{since}"


def acts(entries: Iterable[HistoryEntry]) -> tuple[Act, ...]:
    """Neighbouring entries of one call as one; the order stays."""
    found: list[tuple[str, list[HistoryEntry]]] = []
    for entry in entries:
        if found and entry.act and found[-1][0] == entry.act:
            found[-1][1].append(entry)
        else:
            found.append((entry.act, [entry]))
    return tuple(Act(act, tuple(group)) for act, group in found)


def matches(entry: HistoryEntry, *, person: str, text: str, titles: Mapping[str, str]) -> bool:
    """Whether a part of the name is ``person``, and every word of ``text`` stands in reason, ids, types or titles."""
    if person.strip().casefold() not in entry.by.casefold():
        return False
    words = text.casefold().split()
    if not words:
        return True
    parts = {part for key in (*entry.keys, entry.edit.key) for part in key}
    named = {titles.get(part, "") for part in parts}
    said = "\n".join((entry.reason, *parts, *named)).casefold()
    return all(word in said for word in words)
