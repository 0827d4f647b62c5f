"""Who decides something about the data of a workspace, why, and until when: checked, and in the form that is kept."""

from __future__ import annotations

from datetime import date

from docgraph.boundary.text import clean, one_line
from docgraph.domain.person import MAX_BY, MAX_REASON
from docgraph.errors import UserError

UNSIGNED = "a change of relationships needs a name"


def checked_name(by: str, problem: str = UNSIGNED) -> str:
    """The name of the person who decides, on one line. Raises UserError with ``problem`` when there is none."""
    name = one_line(by, MAX_BY)
    if not name:
        raise UserError(problem, hint="give a name: by=…, or --by NAME")
    return name


def checked_reason(reason: str, noun: str = "reason") -> str:
    """A reason, or another text (``noun``), as it is kept. Raises UserError for one that is too long."""
    text = clean(reason).strip()
    if len(text) > MAX_REASON:
        raise UserError(
            f"the {noun} has {len(text):,} characters; at most {MAX_REASON:,} are kept", hint="say it shorter"
        )
    return text


def checked_day(text: str) -> str:
    """A day as ``YYYY-MM-DD``; empty stays empty. Raises UserError."""
    given = text.strip()
    if not given:
        return ""
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError as error:
        raise UserError(f"{given[:60]!r} is not a date", hint="write it as 2026-11-30") from error
