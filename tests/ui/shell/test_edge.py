"""Who may come in by which door of the dashboard, and what a sign-in leaves on the server."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import ClientDisconnect

from docgraph.ui.frame.sign_ins import id_of
from docgraph.ui.frame.signing import HEADER
from docgraph.ui.shell.doors import ROUTES, door_of
from docgraph.ui.shell.edge import House
from tests.ui.shell.asking import (
    NOBODY,
    ORIGIN,
    OTHER_TOKEN,
    TOKEN,
    UPLOAD,
    Asked,
    People,
    asked,
    cookies,
    framework_cookie,
)

WRITES = ("PUT", "POST", "DELETE", "PATCH", "put", "ANYTHING")


# ---------------------------------------------------------------- doors


BARE = ("everybody", "sign-in page")


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_without_a_sign_in_there_is_the_sign_in_and_a_bare_answer_and_nothing_else(
    house: House, route: str, method: str
) -> None:
    path = route.replace("{path:path}", "a/b").replace("{", "").replace("}", "").replace(":path", "")
    if route == "/_stcore/stream":
        return
    only_get = method != "GET" and route in ("/auth/logout", "/oauth2callback")
    assert asked(house, method, path).status == (405 if only_get else 200 if ROUTES[route] in BARE else 401)


@pytest.mark.parametrize("path", ["/_stcore/anything-new", "/app/static/x.js", "/docgraph-new", "/media", "/auth/x"])
def test_a_route_that_nobody_has_looked_at_needs_a_sign_in(house: House, path: str) -> None:
    assert asked(house, "GET", path).status == 401


@pytest.mark.parametrize("route", ROUTES)
def test_who_has_signed_in_comes_in_by_every_door_that_is_theirs(house: House, route: str) -> None:
    path = route.replace("{path:path}", "a/b").replace("{", "").replace("}", "").replace(":path", "")
    viewer = asked(house, "GET", path, cookie=cookies("vi", OTHER_TOKEN)).status
    admin = asked(house, "GET", path, cookie=cookies("ann")).status
    assert (viewer, admin) == {"admin": (403, 200), "nobody": (404, 404)}.get(ROUTES[route], (200, 200))


@pytest.mark.parametrize("method", WRITES)
@pytest.mark.parametrize(
    "cookie",
    [
        *NOBODY,
        cookies("ann", secret="another" * 8),
        cookies("ann", OTHER_TOKEN),
        cookies("ben"),
        cookies("ann", origin="https://other.example"),
        framework_cookie({"sub": "ann", "is_logged_in": True}),
    ],
)
def test_whoever_is_not_signed_in_sends_nothing(house: House, method: str, cookie: str) -> None:
    for path in (UPLOAD, "/", "/_stcore/health"):
        assert asked(house, method, path, cookie=cookie, origin=ORIGIN).status == 401


def test_whoever_is_signed_in_sends_as_before(house: House) -> None:
    assert asked(house, "PUT", UPLOAD, cookie=f"other=1; {cookies('ann')}", origin=ORIGIN).status == 200
    assert asked(house, "PUT", UPLOAD, cookie=cookies("ann")).status == 401, "a browser says where a body is from"


def test_nobody_sends_into_the_page_of_somebody_else(house: House) -> None:
    theirs = replace(house, owner_of=lambda session: id_of(OTHER_TOKEN))
    assert asked(theirs, "PUT", UPLOAD, cookie=cookies("ann"), origin=ORIGIN).status == 403
    assert asked(theirs, "DELETE", UPLOAD, cookie=cookies("ann"), origin=ORIGIN).status == 403
    assert asked(theirs, "PUT", UPLOAD, cookie=cookies("vi", OTHER_TOKEN), origin=ORIGIN).status == 200


def test_an_upload_that_is_broken_off_is_no_failure(house: House) -> None:
    """Each ended in a traceback in the log."""

    class BrokenOff(Asked):
        async def _framework(self, scope: Any, receive: Any, send: Any) -> None:
            raise ClientDisconnect

    headers = (("origin", ORIGIN), ("cookie", cookies("ann")))
    assert asyncio.run(BrokenOff(house, "PUT", UPLOAD, headers=headers).run()).sent == []
    assert house.quotas.in_use() == {}


def test_where_nobody_signs_in_everything_is_open(house: House) -> None:
    home = replace(house, sign_ins=None)
    for method, path in (("PUT", UPLOAD), ("GET", "/media/x.csv"), ("GET", "/_stcore/metrics"), ("POST", "/")):
        assert asked(home, method, path, comes=iter(())).status == 200


def test_metrics_take_the_token_and_nothing_like_it(house: House) -> None:
    """As Prometheus sends it: ``authorization: credentials``."""
    for each in (replace(house, metrics_token="m" * 20), replace(house, metrics_token="m" * 20, sign_ins=None)):
        for given, status in (("Bearer " + "m" * 20, 200), ("Bearer ", 401), ("m" * 20, 401), ("bearer x\xff", 401)):
            answer = asked(each, "GET", "/_stcore/metrics", headers=(("authorization", given),))
            assert answer.status == status, given
        assert "DOCGRAPH_METRICS_TOKEN" in answer.line
        assert asked(each, "GET", "/media/x", headers=(("authorization", "Bearer " + "m" * 20),)).status == (
            401 if each.sign_ins else 200
        )
    assert asked(house, "GET", "/_stcore/metrics", headers=(("authorization", "Bearer "),)).status == 401


def test_what_a_client_says_of_its_sign_in_reaches_nothing(house: House) -> None:
    forged = ((HEADER, id_of(OTHER_TOKEN)), (HEADER.upper(), "x"))
    assert HEADER not in (asked(house, "GET", "/", headers=forged).seen or {})
    answer = asked(house, "GET", "/media/x", cookie=cookies("ann"), headers=forged)
    assert (answer.seen or {})[HEADER] == [id_of(TOKEN)]


def test_where_the_database_does_not_answer_nobody_is_taken_for_somebody(house: House, people: People) -> None:
    people.is_down = True
    answer = asked(house, "GET", "/media/x", cookie=cookies("ann"))
    assert (answer.status, "does not answer" in answer.line) == (503, True)
    assert asked(house, "GET", "/auth/logout", cookie=cookies("ann")).status == 503
    assert asked(house, "GET", "/").status == 200


def test_below_another_path_the_doors_are_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.config.get_option", lambda name: "/docs/" if name == "server.baseUrlPath" else None)
    assert asked(house, "GET", "/docs/media/x").status == 401
    assert asked(house, "GET", "/docs/_stcore/health").status == 200
    assert asked(house, "GET", "/docs").status == 200


def test_a_path_leads_through_the_door_of_its_route() -> None:
    assert door_of("/_stcore/upload_file/a/b") == "upload"
    assert door_of("/_stcore/upload_filed") == "signed in"
    assert door_of("/media/") == "signed in"
    assert door_of("/mediation") == "signed in"
    assert door_of("/library") == "sign-in page"
    assert door_of("/") == "sign-in page"


# ---------------------------------------------------------------- sign-ins


def test_a_sign_in_gets_a_token_beside_the_framework_s_cookie(house: House, people: People) -> None:
    made = (("set-cookie", framework_cookie({"sub": "ann", "is_logged_in": True}) + "; HttpOnly; Path=/"),)
    headers = (("user-agent", "Firefox"),)
    answer = asked(house, "GET", "/oauth2callback", answers=made, query=b"code=x&state=y", headers=headers)
    assert people.told == [("begin", "ann", "Firefox", "")]
    (framework, token) = answer.set_cookies()
    assert framework == made[0][1]
    assert token == f"docgraph_sign_in={TOKEN}; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200; Secure"


def test_over_plain_http_on_this_machine_the_cookie_is_kept_too(house: House) -> None:
    here = replace(house, origin="http://127.0.0.1:8501")
    made = (("set-cookie", framework_cookie({"sub": "ann", "is_logged_in": True}, origin=here.origin)),)
    assert not asked(here, "GET", "/oauth2callback", answers=made, query=b"code=x").set_cookies()[1].endswith("Secure")


def test_who_is_turned_away_gets_no_token(house: House, people: People) -> None:
    made = (("set-cookie", framework_cookie({"sub": "ben", "is_logged_in": True})),)
    answer = asked(house, "GET", "/oauth2callback", answers=made, query=b"code=x")
    assert answer.set_cookies()[1].startswith("docgraph_sign_in=; ")


@pytest.mark.parametrize("query", [b"code=x&state=forged", b"error=access_denied"])
def test_a_sign_in_that_fails_is_told_and_coming_back_from_signing_out_is_not(
    house: House, people: People, query: bytes
) -> None:
    gone = (("set-cookie", '_streamlit_user=""; Max-Age=0'),)
    assert len(asked(house, "GET", "/oauth2callback", answers=gone, query=query).set_cookies()) == 1
    assert [each[0] for each in people.told] == ["refused"]
    asked(house, "GET", "/oauth2callback", answers=gone)
    assert len(people.told) == 1


def test_a_sign_in_that_cannot_be_kept_signs_nobody_in(house: House, people: People) -> None:
    people.is_down = True
    made = (("set-cookie", framework_cookie({"sub": "ann", "is_logged_in": True})),)
    answer = asked(house, "GET", "/oauth2callback", answers=made, query=b"code=x")
    assert (answer.status, answer.set_cookies()) == (503, [])


def test_after_signing_out_a_copy_of_the_cookies_opens_nothing(house: House, people: People) -> None:
    copied = cookies("ann")
    assert asked(house, "GET", "/media/x", cookie=copied).status == 200
    answer = asked(house, "GET", "/auth/logout", cookie=copied)
    assert answer.set_cookies() == ["docgraph_sign_in=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure"]
    assert people.told == [("sign out", "ann", id_of(TOKEN))]
    assert asked(house, "GET", "/media/x", cookie=copied).status == 401


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_who_only_looks_at_the_link_signs_nobody_out(house: House, people: People, method: str) -> None:
    """Any of the three ended the sign-in, an OPTIONS too, that the framework then refused."""
    assert asked(house, method, "/auth/logout", cookie=cookies("ann")).status == 405
    assert people.told == []


def test_a_link_on_another_page_signs_nobody_out(house: House, people: People) -> None:
    headers = (("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"))
    assert asked(house, "GET", "/auth/logout", cookie=cookies("ann"), headers=headers).status == 403
    assert people.told == []
