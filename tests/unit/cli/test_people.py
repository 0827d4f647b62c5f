"""``docgraph people``: who is signed in, ended by id, by name and by subject, and told to the audit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.person import SignIn
from docgraph.ports import Database
from tests.command_line import Command, filled_workspace, running

pytestmark = pytest.mark.integration
HOSTILE = "Evil \x1b[31m | <img src=x> \u202e"


def sign_in(number: int, name: str, **fields: Any) -> SignIn:
    moments = {"created": f"2026-01-01T0{number % 10}:00:00+00:00", "last_seen": "2026-01-02T00:00:00+00:00"}
    given = {"name": name, "subject": name.partition("@")[0], "claims": "c" * 64, "browser": "Firefox 128 on Linux"}
    return SignIn(sign_in_id=f"{number:064x}"[::-1], **{**given, **moments, "expires": "9999", **fields})


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def people(
    embedded_database_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, audit: Path
) -> Iterator[Command]:
    """Ann in two browsers, Ben in one, one of a name that is hostile, and one whose time is over."""
    with filled_workspace(embedded_database_url, "cli-people", (), ()):
        monkeypatch.setenv("DOCGRAPH_AUDIT_FILE", str(audit))
        database: Database = plugins.build("stores", "postgres", database_url=embedded_database_url)
        with closing(database):  # type: ignore[type-var]
            database.sign_ins.forget_sign_ins("99999")
            for number, name in (
                (1, "ann@docs.example"),
                (2, "ann@docs.example"),
                (3, "ben@docs.example"),
                (4, HOSTILE),
            ):
                database.sign_ins.begin_sign_in(sign_in(number, name))
            database.sign_ins.begin_sign_in(sign_in(5, "gone@docs.example", expires="2026-01-01T00:00:00+00:00"))
            yield running("people", capsys)
            database.sign_ins.forget_sign_ins("99999")


def names(people: Command) -> list[str]:
    return [each["name"] for each in json.loads(people("list", "--json")[1])["sign_ins"]]


def test_who_is_signed_in_is_listed_newest_first(people: Command) -> None:
    code, out, err = people()
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert "Firefox 128 on Linux" in out
    assert "4 sign-ins of 3 people" in out
    assert names(people) == [HOSTILE, "ben@docs.example", "ann@docs.example", "ann@docs.example"]
    assert "claims" not in json.loads(people("list", "--json")[1])["sign_ins"][0]


def test_all_of_somebody_are_ended_by_their_name_and_the_audit_has_the_line(people: Command, audit: Path) -> None:
    assert people("end", "--all", "ANN@docs.example", "--by", "the duty desk")[1].endswith("ended 2 sign-ins\n")
    assert names(people) == [HOSTILE, "ben@docs.example"]
    (line,) = [json.loads(each) for each in audit.read_text().splitlines()]
    assert (line["act"], line["by"], line["n"], line["outcome"]) == ("end_sign_ins", "the duty desk", 2, "done")
    assert [each.split()[0] for each in line["subjects"]] == ["ann@docs.example"] * 2
    assert people("end", "--all", "sub:ben", "--json")[0] == 0
    assert names(people) == [HOSTILE]


def test_one_is_ended_by_the_beginning_of_its_id(people: Command) -> None:
    shown = sign_in(3, "ben@docs.example").short_id
    assert people("end", shown)[1] == f"{shown}  ben@docs.example  Firefox 128 on Linux\nended 1 sign-in\n"
    assert "ben@docs.example" not in names(people)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("end",), "no sign-ins named"),
        (("end", "1000", "--all", "ann@docs.example"), "no sign-ins named"),
        (("end", "--all", "eve@docs.example"), "'eve@docs.example' is not signed in"),
        (("end", "--all", "sub:ANN"), "'sub:ANN' is not signed in"),
        (("end", "100"), "has the id '100'"),
        (("end", "5000"), "has the id '5000'"),
        (("end", "1000", "ffff"), "has the id 'ffff'"),
    ],
)
def test_what_means_nobody_ends_nothing(people: Command, given: tuple[str, ...], message: str) -> None:
    before = names(people)
    code, _, err = people(*given)
    assert code == 1
    assert message in err
    assert names(people) == before
