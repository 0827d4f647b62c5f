"""A run's review as it stands, and the history that led there, from its append-only lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.saved_run import CHECKLIST, ReviewEntry
from docgraph.views.words.moments import person

SENTENCES = dict(CHECKLIST)


@dataclass(frozen=True)
class Item:
    """One line of the checklist as it stands."""

    key: str
    sentence: str
    checked: bool = False
    text: str = ""


@dataclass(frozen=True)
class Standing:
    """The review as it stands. ``approved_by`` is empty while nobody approves; ``at`` belongs to it."""

    items: tuple[Item, ...]
    approved_by: str = ""
    approved_at: str = ""

    @property
    def n_checked(self) -> int:
        """Items that are ticked."""
        return sum(item.checked for item in self.items)


@dataclass(frozen=True)
class HistoryLine:
    """One step of the review: what was before and what is after it; ``at`` is UTC, ISO 8601."""

    at: str
    by: str
    what: str
    before: str
    after: str


def standing(entries: Sequence[ReviewEntry]) -> Standing:
    """Where the review stands after all its lines, oldest first."""
    items = {key: Item(key, sentence) for key, sentence in CHECKLIST}
    by = at = ""
    for entry in entries:
        if entry.kind == "item" and entry.item in items:
            items[entry.item] = _after(items[entry.item], entry)
        elif entry.kind in ("approved", "withdrawn"):
            by, at = (person(entry.by), entry.at) if entry.kind == "approved" else ("", "")
    return Standing(tuple(items.values()), by, at)


def history(entries: Sequence[ReviewEntry]) -> tuple[HistoryLine, ...]:
    """Every step, newest first; ``entries`` come oldest first."""
    items: dict[str, Item] = {}
    lines, approved = [], "not approved"
    for entry in entries:
        what, before, after = "Note", "", entry.text
        if entry.kind == "item":
            old = items.get(entry.item, Item(entry.item, SENTENCES.get(entry.item, entry.item)))
            new = items[entry.item] = _after(old, entry)
            what, before, after = new.sentence, _item(old), _item(new)
        elif entry.kind in ("approved", "withdrawn"):
            what, before = "Approval", approved
            after = approved = "approved" if entry.kind == "approved" else "not approved"
        lines.append(HistoryLine(entry.at, person(entry.by), what, before, after))
    return tuple(reversed(lines))


def _after(item: Item, entry: ReviewEntry) -> Item:
    checked = item.checked if entry.checked is None else entry.checked
    return Item(item.key, item.sentence, checked, entry.text)


def _item(item: Item) -> str:
    tick = "ticked" if item.checked else "not ticked"
    return f"{tick}, ‘{item.text}’" if item.text else tick
