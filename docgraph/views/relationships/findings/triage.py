"""Words on who takes a decision on, until when, and what was said of it."""

from __future__ import annotations

from datetime import UTC, date, datetime

from docgraph.domain.curators.triage import Triage, TriageEntry
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import day, moment, person


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


def said_words(n: int, assignee: str | None, due: str, *, commented: bool) -> str:
    """What was said of ``n`` decisions at once: ``3 decisions: assigned to Ann, due 30 Nov 2026, commented``."""
    parts = [] if assignee is None else [f"assigned to {assignee or 'nobody'}"]
    parts += [f"due {_day(due)} {due[:4]}"] if due else []
    parts += ["commented"] if commented else []
    return f"{plural(n, 'item')}: {', '.join(parts)}"


def signed_words(entry: TriageEntry) -> str:
    """``Ann, 22 Nov 2026, 02:04 UTC``."""
    return f"{person(entry.by)}, {moment(entry.at)}"
