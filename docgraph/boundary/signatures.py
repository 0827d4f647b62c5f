"""Who decides something about the data of a workspace, and why: checked, and in the form that is kept."""

from __future__ import annotations

from docgraph.boundary.text import clean, one_line
from docgraph.domain.history import MAX_BY, MAX_REASON
from docgraph.errors import UserError

UNSIGNED = "a change of relationships needs a name"


def checked_name(by: str, problem: str = UNSIGNED) -> str:
    """The name of the person who decides, on one line. Raises UserError with ``problem`` when there is none."""
    name = one_line(by, MAX_BY)
    if not name:
        raise UserError(problem, hint="say who: by=…, or --by NAME")
    return name


def checked_reason(reason: str) -> str:
    """A reason as it is kept. Raises UserError for one that is too long."""
    text = clean(reason).strip()
    if len(text) > MAX_REASON:
        raise UserError(
            f"the reason has {len(text):,} characters; at most {MAX_REASON:,} are kept", hint="say it shorter"
        )
    return text
