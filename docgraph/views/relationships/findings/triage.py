"""Assignments, due dates and comments in words, and the reasons that are given most often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime

from docgraph.domain.curation import Dismissal, Triage, TriageEntry
from docgraph.domain.edit import Action
from docgraph.domain.history import HistoryEntry
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import day, moment, person
from docgraph.views.words.texts import line


def today() -> str:
    """The day as ISO 8601, in UTC as everything that is kept."""
    return datetime.now(UTC).date().isoformat()


def due_words(due: str, now: str) -> str:
    """``due 30 Nov``, ``due today``, ``overdue since 20 Nov``; with the year where it is another one than ``now``'s."""
    if not due:
        return ""
    if due == now:
        return "due today"
    year = "" if due[:4] == now[:4] else f" {due[:4]}"
    return f"{'overdue since' if due < now else 'due'} {_day(due)}{year}"


def _day(iso: str) -> str:
    try:
        return day(datetime.combine(date.fromisoformat(iso), datetime.min.time(), UTC).isoformat())
    except ValueError:
        return iso


def triage_words(triage: Triage, now: str) -> str:
    """``Ann Lee, due 30 Nov, 2 comments``; empty when nothing was said."""
    n = len(triage.comments)
    parts = (triage.assignee, due_words(triage.due, now), plural(n, "comment") if n else "")
    return ", ".join(filter(None, parts))


def entry_words(entry: TriageEntry) -> str:
    """What an entry says: ``assigned to Ann``, ``to nobody``, ``due 2026-11-30``, the comment itself."""
    match entry.kind:
        case "assigned":
            return f"assigned to {entry.text}" if entry.text else "unassigned"
        case "due":
            return f"due {_day(entry.text)} {entry.text[:4]}" if entry.text else "no due date"
        case "decided":
            return f"decided: {entry.text}" if entry.text else "decided"
    return entry.text


def signed_words(entry: TriageEntry) -> str:
    """``Ann, 22 Nov 2026, 02:04 UTC``."""
    return f"{person(entry.by)}, {moment(entry.at)}"


OFFERED = 3
WRITTEN: Mapping[str, tuple[str, ...]] = {
    "accept": ("the text says so", "it is intended", "checked with the author"),
    "retype": ("the text means this type", "the other type was misspelt", "one name for one meaning"),
    "flip": ("the text says it in the other direction", "it was entered in the wrong direction", "as elsewhere"),
    "fix": ("this is the intended target", "the name was misspelt", "the other one is no longer valid"),
    "remove": ("the text does not say so", "its target no longer exists", "it is stated elsewhere"),
    "ignore": ("it is intended", "it is not worth a change", "the document will be added"),
}
"""Act → what is offered while the history of the workspace has fewer reasons."""
BY_ITSELF = frozenset(("accepted as it is",))
"""Reasons that nobody wrote."""


def common_reasons(
    act: str, actions: Iterable[Action], entries: Sequence[HistoryEntry], dismissals: Sequence[Dismissal]
) -> tuple[str, ...]:
    """The three most common reasons for a change, newest first among equals, filled up with built-in ones.

    ``actions`` = what the change does to relationships; findings that are ignored have their reasons in ``dismissals``.
    One save counts once, on however many relationships.
    """
    if act == "ignore":
        given = {(each.decision_id or each.subject_id): (each.at, each.reason) for each in dismissals}
    else:
        wanted = frozenset(actions)
        found = [each for each in entries if each.edit.action in wanted and each.undoes is None]
        given = {(each.act or str(each.entry_id)): (each.at, each.reason) for each in found}
    said = [(at, text) for at, reason in given.values() if (text := line(reason)) and text not in BY_ITSELF]
    counts = Counter(text for _, text in said)
    newest = {text: at for at, text in sorted(said)}
    often = sorted(sorted(counts), key=lambda text: (counts[text], newest[text]), reverse=True)
    return tuple(dict.fromkeys((*often, *WRITTEN.get(act, ()))))[:OFFERED]
