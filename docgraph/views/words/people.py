"""Words for sign-ins: the same counts and moments on the page for admins and on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.person import SignIn
from docgraph.views.words.counts import plural

UNKNOWN_BROWSER = "unknown browser"


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
