"""What keeps sign-ins: beside the workspaces, for all processes of a database, so that each ends everywhere at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.person import Role, SignIn

KEPT_DAYS = 30
"""For so long after its time a sign-in is kept, to be looked up."""


class SignInLog(Protocol):
    """Sign-ins of a database (``Database.sign_ins``); moments are ISO 8601 in UTC, to the second."""

    def begin_sign_in(self, sign_in: SignIn) -> None:
        """Keep a new one. Raises ConflictError for an id that is taken."""
        ...

    def forget_sign_ins(self, before: str) -> None:
        """Remove those whose time was over before that moment, ended or not."""
        ...

    def sign_ins(self, ids: Sequence[str]) -> tuple[SignIn, ...]:
        """Those of these ids that are kept, ended ones too, in no order."""
        ...

    def open_sign_ins(self, at: str) -> tuple[SignIn, ...]:
        """Those that count at that moment, newest first, of one second by id."""
        ...

    def saw_sign_in(self, sign_in_id: str, *, at: str, role: Role) -> bool:
        """Note that somebody is still there, and as what; whether their role is another than before.

        Of several processes that say so at once one is told of the change. One that was ended stays as it is.
        """
        ...

    def end_sign_ins(self, sign_ins: Sequence[SignIn], *, at: str, by: str) -> tuple[SignIn, ...]:
        """End those that nobody has ended yet; as they are kept now, by id. From then on they let nobody in."""
        ...
