"""The history of relationships in words: one sentence per entry, and the entries of one change together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from docgraph.domain.edit import Edit
from docgraph.domain.history import HistoryEntry, changed_words, kept_words
from docgraph.domain.overrides import EdgeKey
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment

_IMPERATIVE = {"retype": "change the type of", "flip": "reverse", "retarget": "change the target of"}
Named = Callable[[str], str]
"""How a document is called: by its id, or by its title."""


def change_text(entry: HistoryEntry, *, named: Named = str) -> str:
    """``changed the type of a —explains→ b to implements``; an undo names what it undoes. Holds ids: hostile data."""
    start = "" if entry.undoes is None else f"undid {entry.undoes}: "
    before, after = entry.before, entry.after
    if after is None:
        return f"{start}removed {_words(before.key if before else entry.edit.key, named)}"
    if before is None:
        return f"{start}added {_words(after.key, named)}"
    if before.key == after.key:
        return f"{start}{kept_words(entry)} {_words(after.key, named)}"
    return f"{start}{changed_words(entry)} {_moved(before.key, after.key, named)}"


def entry_text(entry: HistoryEntry, *, named: Named = str) -> str:
    """``Ann changed the type of a —explains→ b to implements, 22 Nov 2026, 02:04 UTC: “wrong type” (entry 12)``."""
    reason = f": “{entry.reason}”" if entry.reason else ""
    return f"{entry.by} {change_text(entry, named=named)}, {moment(entry.at)}{reason} (entry {entry.entry_id})"


def edit_text(edit: Edit, *, named: Named = str) -> str:
    """What an edit does: ``change the type of a —explains→ b to implements``."""
    result, verb = edit.result, _IMPERATIVE.get(edit.action, edit.action)
    if edit.action == "reanchor":
        return f"change the section of {_words(edit.key, named)} from #{edit.anchor} to #{edit.to_anchor}"
    if result is None or result == edit.key:
        return f"{verb} {_words(edit.key, named)}"
    return f"{verb} {_moved(edit.key, result, named)}"


def act_text(n: int) -> str:
    """``14 relationships, one change``."""
    return f"{n:,} relationships, one change"


def _moved(before: EdgeKey, after: EdgeKey, named: Named) -> str:
    """A relationship and what became of it, in as few words as are clear."""
    said = _words(before, named)
    if (before[0], before[2]) == (after[0], after[2]):
        return f"{said} to {after[1]}"
    if before[:2] == after[:2]:
        return f"{said} to {named(after[2])}"
    return f"{said} to {_words(after, named)}"


def _words(key: EdgeKey, named: Named) -> str:
    return f"{named(key[0])} —{key[1]}→ {named(key[2])}"


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
