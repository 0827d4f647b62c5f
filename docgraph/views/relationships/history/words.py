"""What was done to a relationship, in words: one sentence an entry, for the command line and for the page."""

from __future__ import annotations

from collections.abc import Callable

from docgraph.domain.edit import Edit
from docgraph.domain.history import HistoryEntry, changed_words, kept_words
from docgraph.domain.overrides import EdgeKey
from docgraph.views.words.moments import moment

Named = Callable[[str], str]
"""How a document is called: by its id, or by its title."""


def change_text(entry: HistoryEntry, *, named: Named = str) -> str:
    """``retyped a —explains→ b to implements``; an undo begins with what it takes back. Holds ids: hostile data."""
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
    """``Ann retyped a —explains→ b to implements, 22 Nov 2026, 02:04 UTC: “wrong type” (entry 12)``."""
    reason = f": “{entry.reason}”" if entry.reason else ""
    return f"{entry.by} {change_text(entry, named=named)}, {moment(entry.at)}{reason} (entry {entry.entry_id})"


def edit_text(edit: Edit, *, named: Named = str) -> str:
    """What an edit does: ``retype a —explains→ b to implements``."""
    result = edit.result
    if edit.action == "reanchor":
        return f"point {_words(edit.key, named)} at #{edit.to_anchor} instead of #{edit.anchor}"
    if result is None or result == edit.key:
        return f"{edit.action} {_words(edit.key, named)}"
    return f"{edit.action} {_moved(edit.key, result, named)}"


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
