"""Sign-ins in PostgreSQL, a row each: what one process ends, every other one sees ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from docgraph.domain.person import Role, SignIn
from docgraph.errors import StoreError
from docgraph.plugins.stores._rows.ready import newest_sign_ins, ready_sign_in, taken
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.connections import Connector

SQL = family("sign_ins")
_READ, _CHANGE = "read sign-ins", "change a sign-in"


@refusing_foreign_rows
class PostgresSignIns:
    """Sign-ins of a database (``ports.SignInLog``); safe to use from several threads.

    They are read where they are written: a replica that lags behind would still let somebody in.
    """

    def __init__(self, writer: Connector) -> None:
        self._writer = writer

    def begin_sign_in(self, sign_in: SignIn) -> None:
        """Keep a new one. Raises ConflictError for an id that is taken."""
        ready = ready_sign_in(sign_in)
        with self._writer.transaction("keep a sign-in") as connection:
            if connection.execute(SQL["begin"].encode(), ready.model_dump()).rowcount != 1:
                raise taken(ready)

    def forget_sign_ins(self, before: str) -> None:
        """Remove those whose time was over before that moment."""
        with self._writer.transaction("forget old sign-ins") as connection:
            connection.execute(SQL["forget"].encode(), {"before": before})

    def sign_ins(self, ids: Sequence[str]) -> tuple[SignIn, ...]:
        """Those of these ids that are kept."""
        return _read(self._writer.rows(_READ, SQL["of_ids"].encode(), {"ids": list(ids)})) if ids else ()

    def open_sign_ins(self, at: str) -> tuple[SignIn, ...]:
        """Those that count at that moment, newest first. Raises StoreError for a role that is shown none."""
        found = newest_sign_ins(_read(self._writer.rows(_READ, SQL["open"].encode(), {"at": at})))
        if not found and self._writer.rows(_READ, SQL["are_shown"].encode(), {}) == [(False,)]:
            raise StoreError(
                "the role of this connection may not see sign-ins: they are closed to roles that only read",
                hint="connect as the role of the dashboard: DOCGRAPH_DATABASE_URL",
            )
        return found

    def saw_sign_in(self, sign_in_id: str, *, at: str, role: Role) -> bool:
        """Note that somebody is still there; whether their role is another than before."""
        values = {"sign_in_id": sign_in_id, "at": at, "role": role}
        with self._writer.transaction(_CHANGE) as connection:
            changed = connection.execute(SQL["give_role"].encode(), values).rowcount == 1
            connection.execute(SQL["saw"].encode(), values)
        return changed

    def end_sign_ins(self, sign_ins: Sequence[SignIn], *, at: str, by: str) -> tuple[SignIn, ...]:
        """End those that nobody has ended yet; as they are kept now, by id."""
        values = {"ids": [each.sign_in_id for each in sign_ins], "at": at, "by": by}
        with self._writer.transaction(_CHANGE) as connection:
            ended = _read(connection.execute(SQL["end"].encode(), values).fetchall())
        return tuple(sorted(ended, key=lambda each: each.sign_in_id))


def _read(rows: Iterable[tuple[Any, ...]]) -> tuple[SignIn, ...]:
    return tuple(SignIn(**dict(zip(SignIn.model_fields, row, strict=True))) for row in rows)
