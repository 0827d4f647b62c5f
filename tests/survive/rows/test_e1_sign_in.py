"""E1: every route by every method for everybody: signed in as something, not, not any more, or not quite."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from websockets.exceptions import InvalidStatus

from docgraph.settings import read_settings
from docgraph.ui.frame.quotas import Limits, Quotas
from docgraph.ui.frame.sign_ins import SignIns
from docgraph.ui.shell.edge import House
from tests import ROOT
from tests.e2e.test_known_hosts import ENDPOINTS, METHODS
from tests.survive.guarded import (
    MARKED,
    METRICS,
    ORIGIN,
    PATIENCE,
    PEOPLE,
    SECRET,
    Answer,
    Guarded,
    Signed,
    claims,
    user_cookie,
)
from tests.survive.open_pages import opened, text_of
from tests.survive.tally import Row, Tally
from tests.ui.shell.asking import asked

ROW = Row(
    row="E1",
    what="every route × method × who: three roles, and forged, cut, foreign, mixed, old, copied, ended cookies",
    rule="who may is what SECURITY.md says of the route; open pages go with their sign-in; roles are those of now",
    n=2_600,
    short=260,
    case="a route, a method and who asks",
)
READS, STREAM = ("GET", "HEAD", "OPTIONS"), "/_stcore/stream"
DOORS = dict(re.findall(r"^\| `(/\S*)` \| \*([\w -]+)\* \|", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE))
"""Route → who may, as the page says it."""
ASIDE = (
    "/_stcore/metrics/",
    "//_stcore/metrics",
    "/_stcore//metrics",
    "/_stcore%2Fmetrics",
    "/%5fstcore/metrics",
    "/_STCORE/metrics",
    "/x/../_stcore/metrics",
    "/_stcore/health/../metrics",
    "/auth/login/../../_stcore/metrics",
    "/_stcore/metrics;x",
    "/_stcore/metrics%00",
    "/_stcore/metrics?x=/_stcore/health",
    "/docgraph-health/../docgraph-assets/vis-network.min.js",
    "//docgraph-assets/vis-network.min.js",
    "/docgraph%2Dassets/vis-network.min.js",
    "/docgraph-assets/./vis-network.min.js",
    "/media/../_stcore/metrics",
    "/./_stcore/metrics",
    "http://docs.example/_stcore/metrics",
)
"""Addresses that a server might read otherwise than who stands at the door."""
INSIDE = (b"# TYPE", b"vis.js", b"vis-network", MARKED.encode())
"""What stands in answers that are for somebody."""


def _nobodies(house: Guarded) -> dict[str, str]:
    """Cookies that count for nobody, by why."""
    ann, ben = house.signed("ann"), house.signed("ben")
    ended, out, old = (
        house.signed("ann"),
        house.signed("ann"),
        house.signed("ann", hours=40, iat=time.time() - 30 * 3600),
    )
    assert house.ask("GET", "/media/x", Cookie=ended.cookie).status == 404, "as long as it counts"
    house.end(ended)
    latest = time.monotonic() + PATIENCE  # what another process ends counts here within moments
    while house.ask("GET", "/media/x", Cookie=ended.cookie).status != 401:
        assert time.monotonic() < latest, "an end by others is never heard of"
        time.sleep(0.05)
    assert house.ask("GET", "/auth/logout", Cookie=out.cookie).status in (302, 307)
    framework, token = ann.cookie.split("; ")
    later = claims("ann", nonce="another")
    return {
        "nobody": "",
        "no claims": token,
        "no token": framework,
        "forged claims": f"_streamlit_user=forged; {token}",
        "cut claims": f"{framework[:-9]}; {token}",
        "longer claims": f"{framework}A; {token}",
        "claims by another key": f"{user_cookie(ann.said, secret=SECRET[:-1] + 'y')}; {token}",
        "claims for another address": f"{user_cookie(ann.said, origin='https://other.example')}; {token}",
        "claims that say no": f"{user_cookie({**ann.said, 'is_logged_in': False})}; {token}",
        "claims of another sign-in": f"{user_cookie(later)}; {token}",
        "somebody else's token": f"{framework}; docgraph_sign_in={ben.token}",
        "somebody else's claims": f"{user_cookie(ben.said)}; {token}",
        "a cut token": f"{framework}; {token[:-1]}",
        "a longer token": f"{framework}; {token}A",
        "the id for the token": f"{framework}; docgraph_sign_in={ann.sign_in_id[:43]}",
        "bytes": f"{framework}; docgraph_sign_in=\xff\xfe",
        "ended by others": ended.cookie,
        "copied, then signed out": out.cookie,
        "of yesterday": old.cookie,
    }


def _checked(answer: Answer, door: str, method: str, who: str) -> None:
    """Whether an answer is what the table says."""
    assert answer.status < 500 or door == "everybody", answer.status  # the way to a provider that is not there
    assert b"Traceback" not in answer.body
    role = who if who in ("viewer", "curator", "admin") else ""
    if not role and (method not in READS or door not in ("everybody", "sign-in page")):
        assert answer.status == 401, answer.status
        assert len(answer.body) < 200
    elif door == "nobody":
        assert answer.status == 404, answer.status
    elif door == "admin" and role != "admin":
        assert answer.status == 403, answer.status
    else:
        assert answer.status != 401, answer.status
        assert answer.status != 403 or method not in READS, answer.status
    if not role:
        assert not [each for each in INSIDE if each in answer.body]


def _routes(tally: Tally, house: Guarded, who: dict[str, str]) -> None:
    asks = [(each, route, method) for method in METHODS for route in ENDPOINTS for each in who]
    for each, route, method in tally.some(asks):
        if (route, method) == ("/auth/logout", "GET") and each in ("viewer", "curator", "admin"):
            continue  # that ends it: below
        with tally.trying(f"{each}: {method} {route}"):
            answer = house.ask(method, ENDPOINTS[route], Cookie=who[each], Origin=ORIGIN)
            _checked(answer, DOORS[route], method, each)


def _aside(tally: Tally, house: Guarded) -> None:
    for path in ASIDE:
        for method in ("GET", "POST") if tally.whole else ("GET",):
            with tally.trying(f"nobody: {method} {path}"):
                answer = house.ask(method, path)
                assert answer.status in (200, 307, 400, 401, 404, 405), answer.status
                assert not [each for each in INSIDE if each in answer.body]
                assert method == "GET" or answer.status != 200


def _special(tally: Tally, house: Guarded, who: dict[str, str]) -> None:
    """Headers that claim something, a body of no page, and the token for metrics."""
    admin = house.signed("ann")
    cases: dict[str, Callable[[], bool]] = {
        "a header in the edge's name": lambda: (
            house.ask("GET", "/media/x", **{"X-Docgraph-Sign-In": admin.sign_in_id}).status == 401
        ),
        "the cookies as a header of another name": lambda: (
            house.ask("GET", "/media/x", Cookie2=admin.cookie).status == 401
        ),
        "a body without the page it is from": lambda: house.ask("POST", "/media/x", Cookie=admin.cookie).status == 401,
        "a body from another page": lambda: (
            house.ask("POST", "/media/x", Cookie=admin.cookie, Origin="https://evil.example").status == 403
        ),
        "an override of the method": lambda: house.ask("POST", "/", **{"X-HTTP-Method-Override": "GET"}).status == 401,
        "metrics with the token": lambda: (
            b"# TYPE" in house.ask("GET", "/_stcore/metrics", Authorization=f"Bearer {METRICS}").body
        ),
        "metrics with a cut token": lambda: (
            house.ask("GET", "/_stcore/metrics", Authorization=f"Bearer {METRICS[:-1]}").status == 401
        ),
        "metrics with the token as a cookie": lambda: (
            house.ask("GET", "/_stcore/metrics", Cookie=METRICS).status == 401
        ),
        "the token for something else": lambda: (
            house.ask("GET", "/media/x", Authorization=f"Bearer {METRICS}").status == 401
        ),
        "an address that nobody vouches for": lambda: (
            house.ask(
                "GET",
                "/docgraph-backup/word",
                Cookie=house.signed("eve", email="ann@docs.example", email_verified=False).cookie,
            ).status
            == 403
        ),
        "a subject that reads like an admin's": lambda: (
            house.ask(
                "GET", "/docgraph-backup/word", Cookie=house.signed("ann@docs.example", email_verified=False).cookie
            ).status
            == 403
        ),
        "a link on another page to sign out": lambda: (
            house.ask(
                "GET",
                "/auth/logout",
                Cookie=admin.cookie,
                **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
            ).status
            == 403
            and house.ask("GET", "/media/x", Cookie=admin.cookie).status == 404
        ),
    }
    for name, holds in cases.items():
        with tally.trying(name):
            assert holds()
    for role in ("viewer", "curator", "admin"):
        with tally.trying(f"{role}: signs out, and a copy of the cookies"):
            assert house.ask("GET", "/auth/logout", Cookie=who[role]).status in (302, 307)
            assert house.ask("GET", "/media/x", Cookie=who[role]).status == 401


def _sockets(tally: Tally, house: Guarded, who: dict[str, str]) -> None:
    """What a page shows to whom, and which sockets there are at all."""
    names = {"viewer": "vi@docs.example", "curator": "ben@docs.example", "admin": "ann@docs.example"}
    for each, cookie in who.items() if tally.whole else [*list(who.items())[:2], *list(who.items())[-5:]]:
        with tally.trying(f"{each}: a socket"), opened(house, cookie) as page:
            shown = text_of(page.show("library"))
            if each in names:
                assert f"Signed in as <b>{names[each]}</b>, {each}." in shown
                assert MARKED in shown
            else:
                assert "Sign in to docgraph" in shown
                assert MARKED not in shown
                assert "dg-account" not in shown
    for route, path in ENDPOINTS.items():
        if route != STREAM:
            with tally.trying(f"nobody: a socket on {route}"):
                try:
                    with opened(house, path=path):
                        raise AssertionError("a socket was opened")
                except InvalidStatus as refused:
                    assert refused.response.status_code in (403, 404), refused.response.status_code


def _meanwhile(tally: Tally, house: Guarded) -> None:
    """Sign-ins that end, and roles that change, while a page is open."""
    ways: dict[str, Callable[[Signed], object]] = {
        "ended by others": house.end,
        "signed out": lambda signed: house.ask("GET", "/auth/logout", Cookie=signed.cookie),
    }
    for name, way in ways.items():
        for who in ("ann", "ben", "vi") if tally.whole else ("ann",):
            with tally.trying(f"{who}: {name}, the page open"):
                signed = house.signed(who)
                with opened(house, signed.cookie) as page:
                    page.show()
                    session = page.session
                    way(signed)
                    assert page.closed() == 1008
                with opened(house, signed.cookie, again=session) as page:
                    shown = text_of(page.show("library"))
                    assert "Sign in to docgraph" in shown
                    assert MARKED not in shown
    with tally.trying("nobody takes over a page that was left"):
        signed = house.signed("ann")
        with opened(house, signed.cookie) as page:
            page.show("library")
            session = page.session
        with opened(house, again=session) as page:
            assert MARKED not in text_of(page.show("library"))
    for change, role, status in (
        ({"admins": ""}, "viewer", 403),
        ({"admins": "", "default_role": "none"}, None, 401),
        ({"sign_in_hours": 0.0001}, None, 401),
        ({"curators": "ann@docs.example", "admins": "ben@docs.example"}, "curator", 403),
        ({}, "admin", 200),
    ):
        with tally.trying(f"the settings change: {change}"):
            signed = house.signed("ann", iat=time.time() - 60)
            settings = read_settings(**{**PEOPLE, **change})
            known = SignIns(house.log, lambda _: None, settings)
            found = known.person(signed.sign_in_id, signed.said)
            assert (found.role if found else None) == role
            edge = replace(_edge(), sign_ins=lambda known=known: known)
            assert asked(edge, "GET", "/docgraph-backup/word", cookie=signed.cookie).status == status


def _edge() -> House:
    return House(Limits.of(read_settings(**PEOPLE)), Quotas(dict), origin=ORIGIN)


@pytest.mark.timeout(900)
def test_e1_who_may_is_what_the_page_on_security_says(
    tally: Tally, guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    from streamlit.web.server import server_util

    monkeypatch.setattr(server_util, "get_cookie_secret", lambda: SECRET)
    who = {
        **_nobodies(guarded),
        "viewer": guarded.signed("vi").cookie,
        "curator": guarded.signed("ben").cookie,
        "admin": guarded.signed("ann").cookie,
    }
    assert DOORS.keys() == ENDPOINTS.keys()
    _routes(tally, guarded, who)
    _aside(tally, guarded)
    _sockets(tally, guarded, who)
    _meanwhile(tally, guarded)
    _special(tally, guarded, who)
    with tally.trying("the log"):
        assert "Traceback" not in guarded.said(), guarded.said()[-3_000:]
        assert "marker-" not in guarded.said()
