"""Sign-ins as rows: what every store does to them in the same way."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.person import SignIn
from docgraph.errors import ConflictError
from docgraph.plugins.stores._rows.writing import cleaned


def ready_sign_in(sign_in: SignIn) -> SignIn:
    """As it is kept: what comes from the provider and the browser is without NUL."""
    texts = {name: cleaned(getattr(sign_in, name)) for name in ("name", "subject", "browser", "ended_by")}
    return sign_in.model_copy(update=texts)


def newest_first(sign_ins: Iterable[SignIn]) -> tuple[SignIn, ...]:
    """The order in which they are listed."""
    return tuple(sorted(sign_ins, key=lambda each: (each.created, each.sign_in_id), reverse=True))


def taken(sign_in: SignIn) -> ConflictError:
    """Two sign-ins have the same token."""
    return ConflictError(f"a sign-in {sign_in.short_id} is kept already", hint="sign in once more")
