"""Web sockets at the edge: whose they are, how much one carries without a sign-in, and their end with the sign-in."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from docgraph.ui.frame.sign_ins import id_of
from docgraph.ui.frame.signing import HEADER
from docgraph.ui.shell.edge import House
from docgraph.ui.shell.sockets import UNKNOWN_BYTES
from tests.ui.shell.asking import (
    NOBODY,
    ORIGIN,
    OTHER_TOKEN,
    TOKEN,
    Asked,
    People,
    asked,
    cookies,
)


def message(n_bytes: int) -> dict[str, Any]:
    return {"type": "websocket.receive", "bytes": b"x" * n_bytes}


GONE = {"type": "websocket.disconnect", "code": 1000}


def test_a_socket_says_to_the_pages_whose_it_is(house: House) -> None:
    answer = asked(
        house, "", "/_stcore/stream", kind="websocket", cookie=cookies("ann"), origin=ORIGIN, comes=iter([GONE])
    )
    assert (answer.seen or {})[HEADER] == [id_of(TOKEN)]


@pytest.mark.parametrize("cookie", [*NOBODY, cookies("ann", OTHER_TOKEN)])
def test_a_socket_without_a_sign_in_brings_no_cookie_of_one(house: House, cookie: str) -> None:
    answer = asked(
        house,
        "",
        "/_stcore/stream",
        kind="websocket",
        cookie=f"_streamlit_xsrf=2|a|b; {cookie}",
        origin=ORIGIN,
        comes=iter([GONE]),
    )
    assert HEADER not in (answer.seen or {})
    assert "_streamlit_user" not in str(answer.seen)
    if not cookie.startswith(";") and "\xff" not in cookie:
        assert "_streamlit_xsrf=2|a|b" in str(answer.seen)


def test_a_socket_without_a_sign_in_carries_what_the_sign_in_page_needs_and_no_more(house: House) -> None:
    few = iter([message(200), message(2_000), GONE])
    assert len(asked(house, "", "/_stcore/stream", kind="websocket", comes=few).received) == 3
    much = iter([message(UNKNOWN_BYTES), message(1), message(1)])
    answer = asked(house, "", "/_stcore/stream", kind="websocket", comes=much)
    assert [each["type"] for each in answer.received] == ["websocket.receive", "websocket.disconnect"]
    assert answer.sent == [{"type": "websocket.close", "code": 1009}]


@pytest.mark.parametrize("cookie", ["", cookies("ann")])
def test_a_client_that_leaves_before_a_word_is_closed_so_that_the_handshake_ends(house: House, cookie: str) -> None:
    def came(*messages: Any) -> list[dict[str, Any]]:
        comes = iter([{"type": "websocket.connect"}, *messages, GONE])
        return asked(house, "", "/_stcore/stream", kind="websocket", cookie=cookie, origin=ORIGIN, comes=comes).sent

    assert came() == [{"type": "websocket.close", "code": 1000}]
    assert came(message(5)) == []


def test_sockets_without_a_sign_in_are_few_for_one_address(house: House) -> None:
    async def many() -> list[int]:
        opened = [
            asyncio.create_task(Asked(house, "", "/_stcore/stream", kind="websocket").run())
            for _ in range(house.limits.unknown_sockets)
        ]
        await asyncio.sleep(0)
        refused = await Asked(house, "", "/_stcore/stream", kind="websocket", comes=iter([{}])).run()
        signed_in = Asked(
            house,
            "",
            "/_stcore/stream",
            kind="websocket",
            comes=iter([GONE]),
            headers=(("cookie", cookies("ann")), ("origin", ORIGIN)),
        )
        await signed_in.run()
        for each in opened:
            each.cancel()
        await asyncio.gather(*opened, return_exceptions=True)
        assert "DOCGRAPH_SOCKETS_BEFORE_SIGN_IN" in refused.line
        again = await Asked(house, "", "/_stcore/stream", kind="websocket", comes=iter([GONE])).run()
        return [refused.status, len(signed_in.received), len(again.received)]

    assert asyncio.run(many()) == [429, 1, 1]


def test_an_open_page_is_closed_when_its_sign_in_ends(house: House, people: People) -> None:
    async def open_and_end() -> Asked:
        headers = (("cookie", cookies("ann")), ("origin", ORIGIN))
        page = Asked(house, "", "/_stcore/stream", kind="websocket", headers=headers, comes=iter([message(9)]))
        task = asyncio.create_task(page.run())
        while not page.received:
            await asyncio.sleep(0.001)
        assert house.sockets.ids() == (id_of(TOKEN),)
        assert house.sockets.close_unless(lambda _: True) == 0
        assert house.sockets.close_unless(lambda one: people.person(one.sign_in_id, one.claims) is not None) == 0
        people.tokens.clear()
        assert house.sockets.close_unless(lambda one: people.person(one.sign_in_id, one.claims) is not None) == 0
        assert house.sockets.close_unless(lambda one: people.person(one.sign_in_id, one.claims) is not None) == 1
        return await asyncio.wait_for(task, 5)

    page = asyncio.run(open_and_end())
    assert page.received[-1] == {"type": "websocket.disconnect", "code": 1008}
    assert [each["type"] for each in page.sent] == ["websocket.send", "websocket.close"]
    told = ForwardMsg()
    told.ParseFromString(page.sent[0]["bytes"])
    assert (told.auth_redirect.url, page.sent[1]["code"]) == ("./", 1008), "it is loaded anew, and shows the sign-in"
    assert house.sockets.ids() == ()


@pytest.mark.parametrize("cookie", ["", cookies("ann")])
def test_a_text_closes_the_socket_before_the_framework_sees_it(house: House, cookie: str) -> None:
    """It failed by a text, and whoever reached the port filled the log with tracebacks."""
    text = {"type": "websocket.receive", "text": "{}"}
    for each in (house, replace(house, sign_ins=None)):
        answer = asked(each, "", "/_stcore/stream", kind="websocket", cookie=cookie, origin=ORIGIN, comes=iter([text]))
        assert answer.received == [{"type": "websocket.disconnect", "code": 1003}]
        assert answer.sent == [{"type": "websocket.close", "code": 1003}]
