"""Words for saved runs and sign-ins: moments, people, revisions and names as a reader sees them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from docgraph.domain.person import SignIn
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.views.words.counts import UNKNOWN, plural

SOMEBODY = "somebody"
"""Stands for a person who left their name out."""

UNKNOWN_BROWSER = "unknown browser"

REVISION_LENGTH = 6


def moment(iso: str) -> str:
    """``22 Nov 2026, 02:04 UTC`` of an ISO 8601 moment; ``--`` for an empty one, the text itself when it is none."""
    at = _at(iso)
    return f"{_day(at)} {at.year}, {at:%H:%M} UTC" if at is not None else iso or UNKNOWN


def day(iso: str) -> str:
    """``22 Nov`` of an ISO 8601 moment; ``--`` for an empty one, the text itself when it is none."""
    at = _at(iso)
    return _day(at) if at is not None else iso or UNKNOWN


def clock(iso: str) -> str:
    """``02:04`` of an ISO 8601 moment, UTC; the text itself when it is none."""
    at = _at(iso)
    return f"{at:%H:%M}" if at is not None else iso


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _at(iso: str) -> datetime | None:
    """The moment in UTC; ``None`` for a text that is none."""
    try:
        return datetime.fromisoformat(iso).astimezone(UTC)
    except ValueError:
        return None


def _day(at: datetime) -> str:
    # Not %b: month names must not follow the machine's language.
    return f"{at.day} {_MONTHS[at.month - 1]}"


def person(name: str) -> str:
    """A person's name, or ``somebody``."""
    return name.strip() or SOMEBODY


def revision(full: str) -> str:
    """The short form of a corpus revision; ``--`` for none."""
    return full[:REVISION_LENGTH] or UNKNOWN


def documents(row: RunSummary) -> str:
    """``2 + 3``: seeds and expanded documents."""
    return f"{row.n_seeds:,} + {row.n_expanded:,}"


def name_of(saved: SavedRun | RunSummary) -> str:
    """What a run is called; one that was saved without any name goes by its id."""
    return saved.name.strip() or saved.run_id


def counted(sign_ins: Sequence[SignIn]) -> str:
    """``3 sign-ins of 2 people``."""
    n_people = len({each.subject for each in sign_ins})
    return f"{plural(len(sign_ins), 'sign-in')} of {plural(n_people, 'person', 'people')}"


def minute(moment: str) -> str:
    """As in ``2026-03-01 08:15``, UTC."""
    return moment[:16].replace("T", " ")


def browser(sign_in: SignIn) -> str:
    """What the browser says that it is."""
    return sign_in.browser or UNKNOWN_BROWSER
