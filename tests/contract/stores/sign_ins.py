"""Rules for sign-ins: kept by the hash of their token, ended once and for everybody, forgotten in the end."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.person import SignIn
from docgraph.errors import ConflictError
from docgraph.ports import Database

MORNING, NOON, NIGHT = "2026-03-01T08:00:00+00:00", "2026-03-01T12:00:00+00:00", "2026-03-01T20:00:00+00:00"


def sign_in(number: int, **fields: Any) -> SignIn:
    """Ann's, in the morning, until the night."""
    given = {"name": "ann@docs.example", "subject": "ann", "claims": "c" * 64, "browser": "Firefox on Linux"}
    moments = {"created": MORNING, "last_seen": MORNING, "expires": NIGHT}
    return SignIn(sign_in_id=f"{number:064x}", **{**given, **moments, **fields})


class SignInRules:
    """``Database.sign_ins``."""

    def test_a_sign_in_is_found_by_its_id_as_it_was_kept(self, database: Database) -> None:
        """Whatever the provider and the browser call themselves."""
        kept = sign_in(1, name="Zoë “O'Brien”; --", browser="Safari on macOS", role="curator")
        database.sign_ins.begin_sign_in(kept)
        database.sign_ins.begin_sign_in(sign_in(2))
        assert database.sign_ins.sign_ins([kept.sign_in_id, "0" * 64]) == (kept,)
        assert database.sign_ins.sign_ins([]) == ()

    def test_no_two_have_one_token(self, database: Database) -> None:
        """The first one stands."""
        database.sign_ins.begin_sign_in(sign_in(1))
        with pytest.raises(ConflictError, match="kept already"):
            database.sign_ins.begin_sign_in(sign_in(1, name="Eve", subject="eve"))
        assert database.sign_ins.sign_ins([sign_in(1).sign_in_id]) == (sign_in(1),)

    def test_those_that_count_are_listed_newest_first(self, database: Database) -> None:
        """Neither those that were ended, nor those whose time is over."""
        log = database.sign_ins
        over, first, second = sign_in(1, expires=NOON), sign_in(2), sign_in(3, created="2026-03-01T09:00:00+00:00")
        for each in (over, first, second, sign_in(4)):
            log.begin_sign_in(each)
        log.end_sign_ins([sign_in(4)], at=NOON, by="boss")
        assert log.open_sign_ins(NOON) == (second, first)
        assert log.open_sign_ins(NIGHT) == ()

    def test_one_is_ended_once_and_says_by_whom(self, database: Database) -> None:
        """Who ends it again changes nothing."""
        log = database.sign_ins
        for number in (1, 2, 3):
            log.begin_sign_in(sign_in(number))
        (ended,) = log.end_sign_ins([sign_in(2), sign_in(9)], at=NOON, by="boss")
        assert ended == sign_in(2, ended_at=NOON, ended_by="boss")
        assert not ended.counts(MORNING)
        again = log.end_sign_ins([sign_in(1), sign_in(2), sign_in(3)], at=NIGHT, by="ann@docs.example")
        assert [each.sign_in_id for each in again] == [sign_in(1).sign_in_id, sign_in(3).sign_in_id]
        assert log.sign_ins([sign_in(2).sign_in_id]) == (ended,)
        assert log.end_sign_ins([], at=NIGHT, by="") == ()

    def test_who_is_seen_is_noted_and_a_new_role_is_told_once(self, database: Database) -> None:
        """Of one sign-in alone."""
        log, it = database.sign_ins, sign_in(1).sign_in_id
        log.begin_sign_in(sign_in(1))
        log.begin_sign_in(sign_in(2))
        assert not log.saw_sign_in(it, at=NOON, role="viewer")
        assert log.saw_sign_in(it, at=NOON, role="admin")
        assert not log.saw_sign_in(it, at=NOON, role="admin")
        assert log.sign_ins([it]) == (sign_in(1, last_seen=NOON, role="admin"),)
        assert log.sign_ins([sign_in(2).sign_in_id]) == (sign_in(2),)

    def test_one_that_was_ended_is_seen_no_more(self, database: Database) -> None:
        """It stays as it was ended."""
        log = database.sign_ins
        log.begin_sign_in(sign_in(1))
        ended = log.end_sign_ins([sign_in(1)], at=NOON, by="boss")
        assert not log.saw_sign_in(sign_in(1).sign_in_id, at=NIGHT, role="admin")
        assert log.sign_ins([sign_in(1).sign_in_id]) == ended

    def test_old_ones_are_forgotten(self, database: Database) -> None:
        """Those alone whose time was over."""
        log = database.sign_ins
        log.begin_sign_in(sign_in(1, expires=NOON))
        log.begin_sign_in(sign_in(2))
        log.forget_sign_ins(NIGHT)
        assert log.sign_ins([sign_in(1).sign_in_id, sign_in(2).sign_in_id]) == (sign_in(2),)
