"""What was done to a relationship, in words: one sentence an entry, for the command line and for the page."""

from __future__ import annotations

from collections.abc import Callable

from docgraph.domain.edit import Edit, edge_words
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.views.runs_words import moment

_DONE = {
    "retype": "retyped", "flip": "flipped", "retarget": "retargeted", "accept": "accepted", "restate": "restated",
}  # fmt: skip
Named = Callable[[EdgeKey], str]
"""How a relationship is called: by its ids, or by titles."""


def change_text(entry: HistoryEntry, *, named: Named = edge_words) -> str:
    """``flipped a —explains→ b to b —explains→ a``; an undo begins with what it takes back."""
    start = "" if entry.undoes is None else f"undid {entry.undoes}: "
    before, after = _words(entry.before, named), _words(entry.after, named)
    if not after:
        return f"{start}removed {before}"
    if not before:
        return f"{start}added {after}"
    if entry.before is not None and entry.after is not None and entry.before.key == entry.after.key:
        return f"{start}{_kept(entry)} {after}"
    return f"{start}{_DONE.get(entry.edit.action, 'changed')} {before} to {after}"


def entry_text(entry: HistoryEntry, *, named: Named = edge_words) -> str:
    """``Ann retyped a —explains→ b to a —implements→ b, 22 Nov 2026, 02:04 UTC: “wrong way round” (entry 12)``."""
    reason = f": “{entry.reason}”" if entry.reason else ""
    return f"{entry.by} {change_text(entry, named=named)}, {moment(entry.at)}{reason} (entry {entry.entry_id})"


def edit_text(edit: Edit, *, named: Named = edge_words) -> str:
    """What an edit does: ``retype a —explains→ b to a —implements→ b``."""
    result = edit.result
    if result is None or result == edit.key:
        return f"{edit.action} {named(edit.key)}"
    return f"{edit.action} {named(edit.key)} to {named(result)}"


def act_text(n: int) -> str:
    """``14 relationships, one act``."""
    return f"{n:,} relationships, one act"


def _kept(entry: HistoryEntry) -> str:
    """What became of a relationship that kept its key."""
    if entry.edit.action == "restate":
        return "restated"
    return "accepted" if entry.undoes is None else "took back a review of"


def _words(edge: Relationship | None, named: Named) -> str:
    return "" if edge is None else named(edge.key)
