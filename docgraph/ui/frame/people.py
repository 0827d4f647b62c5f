"""Sign-ins for pages: everybody's for admins, one's own for each, and an end to them; roles hold below the screen."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.person import SignIn
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources, signing


def everybody() -> tuple[SignIn, ...]:
    """All sign-ins that count now, newest first. Raises ForbiddenError for who is no admin, StoreError."""
    session = _here().session
    return session.sign_ins.open_sign_ins(session.now())


def end(sign_ins: Sequence[SignIn]) -> tuple[SignIn, ...]:
    """End sign-ins of anybody; those that had not ended yet. Raises ForbiddenError for who is no admin, StoreError."""
    session, who = _here().session, resources.person()
    ended = session.sign_ins.end_sign_ins(tuple(sign_ins), at=session.now(), by=who.name if who else "")
    resources.sign_ins().forget(sign_ins)
    return ended


def mine() -> tuple[SignIn, ...]:
    """This session's reader's own, newest first. Raises ForbiddenError for who has none that counts, StoreError."""
    return () if resources.person() is None else resources.sign_ins().mine(signing.sign_in_id())


def end_mine(sign_in_id: str) -> tuple[SignIn, ...]:
    """End one of one's own; nothing happens to anybody else's. Raises ForbiddenError, StoreError."""
    who = resources.person()
    return () if who is None else resources.sign_ins().end_mine([sign_in_id], signing.sign_in_id(), who)


def is_here(sign_in: SignIn) -> bool:
    """Whether this session began with it."""
    return sign_in.sign_in_id == signing.sign_in_id()


def _here() -> Docgraph:
    return resources.docgraph(resources.settings().workspace)
