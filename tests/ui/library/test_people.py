"""People: who is signed in, for admins, in the numbers of the command line; an end that is asked for twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from docgraph.domain.person import Person, Role, SignIn
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import quotas as module
from docgraph.ui.frame import signing
from docgraph.ui.frame.quotas import Limits, Quotas
from docgraph.ui.library import people
from docgraph.views.words.moments import counted
from tests.ui.conftest import Open, page_text

HOSTILE = "Evil <img src=x onerror=alert(1)> [x](https://evil.example)"


def sign_in(number: int, name: str, **fields: Any) -> SignIn:
    moments = {"created": f"2026-01-01T0{number}:15:00+00:00", "last_seen": "2026-01-02T07:30:00+00:00"}
    given = {"subject": name, "claims": "c" * 64, "browser": "Firefox 128 on Linux", "role": "viewer"}
    return SignIn(sign_in_id=f"{number:x}" * 64, name=name, **{**given, **moments, "expires": "9999", **fields})


ALL = (sign_in(1, "ann", role="admin"), sign_in(2, "ann"), sign_in(3, "ben"), sign_in(4, HOSTILE, browser=""))

As = Callable[..., None]


@pytest.fixture
def signed_in(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> As:
    """Four sign-ins of three people, of which the first is this browser's, as whoever is named."""
    log = harbor.session.adapters.database.sign_ins
    for each in (*ALL, sign_in(5, "gone", expires="2026-01-01T00:00:00+00:00")):
        log.begin_sign_in(each)
    monkeypatch.setattr(signing, "sign_in_id", lambda: ALL[0].sign_in_id)

    def as_role(role: Role) -> None:
        monkeypatch.setattr(signing, "person", lambda *_: Person(name="ann", role=role))

    return as_role


def test_where_nobody_signs_in_one_line_says_how_to_set_it_up(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", show="People")
    assert "DOCGRAPH_OIDC_METADATA_URL" in page_text(at)
    assert len(at.dataframe) == 0


@pytest.mark.parametrize("role", ["viewer", "curator"])
def test_nobody_but_admins_sees_who_is_signed_in(signed_in: As, open_page: Open, role: Role) -> None:
    signed_in(role)
    at = open_page("library", show="People")
    assert "Only admins see who is signed in" in page_text(at)
    assert len(at.dataframe) == 0
    assert "ben" not in page_text(at)


def test_the_table_and_the_sentence_are_those_of_the_command_line(signed_in: As, open_page: Open) -> None:
    signed_in("admin")
    at = open_page("library", show="People")
    assert "4 sign-ins of 3 people" in page_text(at)
    table = at.dataframe[0].value
    assert list(table["Person"]) == [HOSTILE, "ben", "ann", "ann"]
    assert list(table["Signed in"])[-1] == "2026-01-01 01:15"
    assert next(iter(table["Last seen"])) == "2026-01-02 07:30"
    assert next(iter(table["Browser"])) == "unknown browser"
    assert "<img" not in page_text(at)
    at.text_input(key="person").set_value("BE").run()
    assert list(at.dataframe[0].value["Person"]) == ["ben"]
    assert "1 of 4 shown" in page_text(at)
    at.text_input(key="person").set_value("nobody").run()
    assert "Nobody with that name is signed in" in page_text(at)


def test_what_is_in_use_stands_beside_what_is_allowed(
    signed_in: As, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = {"session": 25_000_000}
    kept = Quotas(lambda: held)
    kept._owners["session"] = "ben"
    for where in (module, people):
        monkeypatch.setattr(where, "quotas", lambda: kept)
    limits = Limits.of(people.resources.settings())
    signed_in("admin")
    with (
        kept.socket("ben", "192.0.2.1", limits, sign_in_id=ALL[2].sign_in_id),
        kept.socket(None, "192.0.2.9", limits),
    ):
        at = open_page("library", show="People", sign_in=ALL[2].short_id)
    text = page_text(at)
    assert "<b>2</b> of 2,000" in text
    assert "<b>25 MB</b> of 1.6 GB" in text
    assert "1 open page asks for the sign-in" in text
    assert "1 <small>of 50</small>" in text
    assert "25 MB <small>of 800 MB</small>" in text
    assert list(at.dataframe[0].value["Pages"]) == [0, 1, 0, 0]


def test_an_admin_ends_one_and_all_of_somebody_and_the_table_goes_on(
    signed_in: As, harbor: Docgraph, open_page: Open
) -> None:
    signed_in("admin")
    at = open_page("library", show="People", sign_in=ALL[1].short_id)
    at.button(key="docgraph.library.people_end_now").click().run()
    assert "Ended 1 sign-in of ann." in page_text(at)
    assert "3 sign-ins of 3 people" in page_text(at)
    session = harbor.session
    assert counted(session.sign_ins.open_sign_ins(session.now())) == "3 sign-ins of 3 people"
    at = open_page("library", show="People", sign_in=ALL[2].short_id)
    at.button(key="docgraph.library.people_all_now").click().run()
    assert "Ended 1 sign-in of ben." in page_text(at)
    (ended,) = session.sign_ins.sign_ins([ALL[2].sign_in_id])
    assert ended.ended_by == "ann"
    assert ended.ended_at


def test_this_browser_s_own_sign_in_is_left_by_signing_out(signed_in: As, open_page: Open) -> None:
    signed_in("admin")
    at = open_page("library", show="People", sign_in=ALL[0].short_id)
    assert "this browser" in page_text(at)
    keys = {button.key for button in at.button}
    assert "docgraph.library.people_out" in keys
    assert "docgraph.library.people_end_now" not in keys


def test_everybody_finds_their_own_under_their_name_and_ends_one_after_a_question(
    signed_in: As, harbor: Docgraph, open_page: Open
) -> None:
    signed_in("viewer")
    at = open_page("library", show="Limits")
    at.button(key="docgraph.own_sign_ins").click().run()
    text = page_text(at)
    assert "You are signed in 2 times" in text
    assert "ben" not in text
    other = ALL[1].short_id
    at.button(key=f"docgraph.own_end.{other}").click().run()
    log = harbor.session.adapters.database.sign_ins
    assert len(log.open_sign_ins(harbor.session.now())) == 4, "nothing ends before it is confirmed"
