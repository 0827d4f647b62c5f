"""What must hold before edits are written: relationships are still as somebody saw them, and types are known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches

from docgraph.domain.edit import Edit, edge_words
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry, change_words, edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import ConflictError, UserError

LOOK_AGAIN = "nothing was written: check its current state and decide again"
NEAREST = 3
LIKE = 0.5
"""How alike two names are, 0–1, before one is proposed for the other."""

Newest = Callable[[EdgeKey], HistoryEntry | None]
"""The newest entry of the history that found or left a relationship; None = there is none."""


def check_expected(expected: Mapping[EdgeKey, str], there: Mapping[EdgeKey, Relationship], newest: Newest) -> None:
    """Raises ConflictError when a relationship has another state than somebody saw, saying who changed what.

    ``expected`` = key → ``edge_state`` ("" = not there); ``there`` holds all of these that are stored.
    """
    stale = sorted(key for key, state in expected.items() if edge_state(there.get(key)) != state)
    if not stale:
        return
    more = f"; {len(stale) - 1:,} more changed too" if len(stale) > 1 else ""
    key = stale[0]
    raise ConflictError(what_happened(key, there.get(key), newest(key), seen=expected[key]) + more, hint=LOOK_AGAIN)


def what_happened(key: EdgeKey, now: Relationship | None, entry: HistoryEntry | None, *, seen: str) -> str:
    """Why a relationship is not as somebody saw it: who did what and when, as far as the history knows.

    ``seen`` = the state that was seen. Holds ids and reasons: hostile data.
    """
    head = f"{edge_words(key)} {_difference(now, seen)}"
    if entry is None:
        return f"{head}: an import or a deleted document changed it; the history has no entry"
    left = entry.after if entry.after is not None and entry.after.key == key else None
    if edge_state(left) != edge_state(now):
        return f"{head}: an import or a deleted document changed it after entry {entry.entry_id} ({_said(entry)})"
    return f"{head}: {_said(entry)}, entry {entry.entry_id}"


def unknown_types(edits: Sequence[Edit], known: Collection[str]) -> tuple[str, ...]:
    """Types that edits would give to a relationship and that are not ``known``, by name."""
    given = {name for edit in edits if (name := given_type(edit)) is not None}
    return tuple(sorted(given - set(known)))


def given_type(edit: Edit) -> str | None:
    """The type that an edit gives to a relationship; None when it keeps the one that is there."""
    if edit.action == "add":
        return edit.key[1]
    return edit.relation_type if edit.action in ("retype", "flip") else None


def check_types(edits: Sequence[Edit], known: Collection[str]) -> None:
    """Raises UserError for a type that is not ``known``, naming the nearest ones: most often a typing mistake."""
    if strange := unknown_types(edits, known):
        more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        raise UserError(
            f"the vocabulary has no type {strange[0]!r}{more}",
            hint=f"{nearest_words(strange[0], known)}; to allow a new type use new_types=True, or --new-type",
        )


def nearest_types(name: str, known: Collection[str]) -> tuple[str, ...]:
    """Up to 3 known types that are written most like ``name``, the likest first."""
    spelled: dict[str, str] = {}
    for each in sorted(known):
        spelled.setdefault(_plain(each), each)
    return tuple(spelled[each] for each in get_close_matches(_plain(name), spelled, n=NEAREST, cutoff=LIKE))


def nearest_words(name: str, known: Collection[str]) -> str:
    """``nearest: explains, explained_by``; without any, all types that there are."""
    if nearest := nearest_types(name, known):
        return f"nearest: {', '.join(nearest)}"
    return f"types are: {', '.join(sorted(known)[:20]) or 'none yet'}"


def _difference(now: Relationship | None, seen: str) -> str:
    if now is None:
        return "no longer exists"
    return "has been added meanwhile" if not seen else "has changed since you saw it"


def _said(entry: HistoryEntry) -> str:
    reason = f" “{entry.reason}”" if entry.reason else ""
    return f"{entry.by} {change_words(entry)} at {entry.at}{reason}"


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
