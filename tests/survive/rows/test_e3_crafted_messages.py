"""E3: messages that no browser sends, into the web socket of an open page, as a viewer, a curator and an admin."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from tests.survive.guarded import MARKED, Guarded
from tests.survive.open_pages import BROKEN, OpenPage, opened, rerun, text_of
from tests.survive.tally import Case, Row, Tally
from tests.survive.workspaces import stored

ROW = Row(
    row="E3",
    what="messages into an open page's socket: foreign, unknown widgets, wrong types, NaN, huge, cut, replayed, text",
    rule="the page lives or its socket alone is closed; nothing is written, nothing of the inside is shown",
    n=900,
    short=40,
    case="a page, its widgets and what they are said to hold",
)
PAGES = {
    "library": "",
    "library#imports": "show=Import",
    "plan": "query=queue",
    "relationships": "",
    "compare": "query=queue",
    "conversation": "",
    "runs": "",
    "query_sets": "",
    "": "",
}
INSIDE = ("Traceback", 'File "', "site-packages", "psycopg", "exception {")
"""What no page shows."""
WIDGET = re.compile(r'\bid: "(\$\$[^"]+)"')
BIG = 200_000


def _values(case: Case) -> dict[str, Callable[[WidgetState], Any]]:
    """What a widget may be said to hold."""
    rng = case.rng
    texts = (
        "",
        "\x00",
        "../../etc/passwd",
        "<script>alert(1)</script>",
        "\u202e",
        "x" * BIG,
        "' OR 1=1 --",
        "{",
        "[1]",
    )
    numbers = (0, -1, 2**31, -(2**63), 2**63 - 1)
    doubles = (float("nan"), float("inf"), -1e308, 1e-320, 0.5)
    jsons = (
        "{",
        "null",
        "[]",
        "1e999",
        "NaN",
        '{"a":' * 500,
        json.dumps({"selection": {"rows": [10**9, -1]}}),
        '"x"',
        "{}",
    )

    def arrow(state: WidgetState) -> None:
        state.arrow_value.data = b"ARROW1\0\0" + rng.randbytes(20)

    def files(state: WidgetState) -> None:
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = "x", rng.choice(texts), 7

    return {
        "a trigger": lambda s: setattr(s, "trigger_value", True),
        "a bool": lambda s: setattr(s, "bool_value", bool(rng.randrange(2))),
        "a text": lambda s: setattr(s, "string_value", rng.choice(texts)),
        "a number": lambda s: setattr(s, "int_value", rng.choice(numbers)),
        "a fraction": lambda s: setattr(s, "double_value", rng.choice(doubles)),
        "numbers": lambda s: s.int_array_value.data.extend(
            rng.choice(numbers) for _ in range(rng.choice((0, 1, 5_000)))
        ),
        "fractions": lambda s: s.double_array_value.data.extend(rng.choice(doubles) for _ in range(rng.choice((0, 2)))),
        "texts": lambda s: s.string_array_value.data.extend(rng.choice(texts) for _ in range(rng.choice((0, 1, 3)))),
        "json": lambda s: setattr(s, "json_value", rng.choice(jsons)),
        "a trigger with json": lambda s: setattr(s, "json_trigger_value", rng.choice(jsons)),
        "a trigger with text": lambda s: setattr(s.string_trigger_value, "data", rng.choice(texts)),
        "bytes": lambda s: setattr(s, "bytes_value", rng.randbytes(rng.choice((0, 9, BIG)))),
        "arrow": arrow,
        "files": files,
        "chat": lambda s: setattr(s.chat_input_value, "data", rng.choice(texts)),
        "nothing": lambda s: None,
    }


def _state(widget: str, fill: Callable[[WidgetState], Any]) -> WidgetState:
    state = WidgetState(id=widget)
    fill(state)
    return state


def _widgets(messages: Sequence[ForwardMsg]) -> list[str]:
    return sorted(set(WIDGET.findall(text_of(messages).replace('\\"', ""))))


def _calm(said: str) -> None:
    found = [each for each in INSIDE if each in said]
    assert not found, f"{found}: {said[max(0, said.find(found[0]) - 700) :][:1_500]}"


def _kept(watching: psycopg.Connection[Any]) -> dict[str, Any]:
    """Everything in the database but when somebody was last seen."""
    return {name: each for name, each in stored(watching).items() if "sign_ins" not in name}


def _crafted(tally: Tally, house: Guarded, watching: psycopg.Connection[Any]) -> None:
    """Nothing that a viewer says writes."""
    before = _kept(watching)
    cookie = house.signed("vi").cookie
    known: dict[str, list[str]] = {}
    with opened(house, cookie) as page:
        for name, query in PAGES.items():
            known[name] = _widgets(page.show(name.partition("#")[0], query))
    everywhere = sorted({widget for widgets in known.values() for widget in widgets})
    assert len(everywhere) > 20
    page, leave = _again(house, cookie)
    n_broken = 0
    for case in tally.cases():
        with tally.trying(case):
            name = case.rng.choice(list(PAGES))
            own, fills = known[name] or everywhere, _values(case)
            states = []
            for _ in range(case.rng.choice((1, 1, 2, 8))):
                where = case.rng.choice((own, own, own, everywhere, _unknown(case, everywhere)))
                states.append(_state(case.rng.choice(where), fills[case.rng.choice(list(fills))]))
            said = ", ".join(f"{each.id[:60]} {each.WhichOneof('value')}" for each in states)
            try:
                page.show(name.partition("#")[0], PAGES[name], states)
                broken = BROKEN in text_of(page.show(name.partition("#")[0], PAGES[name]))
            except ConnectionClosed:
                broken = True
            n_broken += broken
            _calm(text_of(page.came))
            if broken:  # a session keeps what it was told of widgets: theirs alone, and until it is left
                leave()
                page, leave = _again(house, cookie)
            shown = page.show(name.partition("#")[0], PAGES[name])
            try:
                _calm(text_of(page.came))
                assert BROKEN not in text_of(shown), "the page does not come back"
                assert _kept(watching) == before, "something was written"
            except AssertionError as error:
                raise AssertionError(f"{name}: {said}: {error}") from None
            finally:
                page.came.clear()
    leave()
    tally.more["sessions_broken_by_themselves"] = n_broken


def _again(house: Guarded, cookie: str) -> tuple[OpenPage, Callable[[], Any]]:
    manager = opened(house, cookie)
    page = manager.__enter__()
    page.show()
    return page, lambda: manager.__exit__(None, None, None)


def _unknown(case: Case, everywhere: Sequence[str]) -> list[str]:
    one = case.rng.choice(everywhere)
    return ["", "x", "$$ID-", "$$WIDGET_ID-deadbeef-None", one[:-1], one + "x", one.upper(), "\u202e" * 9, "y" * BIG]


def _frames(tally: Tally, house: Guarded) -> None:
    """Frames that are no messages, and messages that only developers send."""
    frames: dict[str, bytes | BackMsg] = {
        "no bytes": b"",
        "noise": b"\xff" * 100,
        "a cut message": rerun("plan", "query=queue").SerializeToString()[:-3],
        "a message twice in one": rerun("plan").SerializeToString() * 2,
        "nested to death": b"\x0a" + b"\xff\xff\xff\xff\x07" + b"\x0a" * 500,
        "a page that is none": rerun("../../etc/passwd"),
        "a page with a hash that is none": _with_hash("0" * 32),
        "an address of 100 kB": rerun("plan", "query=" + "x" * 100_000),
        "an address that is none": rerun("plan", "%ff%fe&&==&query=%00&workspace=[]&workspace=x"),
        "shut the runtime down": BackMsg(debug_shutdown_runtime=True),
        "leave": BackMsg(debug_disconnect_websocket=True),
        "clear the cache": BackMsg(clear_cache=True),
        "rerun on save": BackMsg(set_run_on_save=True),
        "load git": BackMsg(load_git_info=True),
        "stop": BackMsg(stop_script=True),
    }
    for who in ("vi", ""):
        cookie = house.signed(who).cookie if who else ""
        for name, frame in frames.items():
            with tally.trying(f"{who or 'nobody'}: {name}"):
                with opened(house, cookie) as page:
                    page.show()
                    try:
                        page.send(frame)
                        page.show("library")
                    except ConnectionClosed:
                        pass
                    _calm(text_of(page.came))
                    assert who or MARKED not in text_of(page.came)
                with opened(house, cookie) as page:
                    assert (MARKED in text_of(page.show("library"))) == bool(who)
        with tally.trying(f"{who or 'nobody'}: text instead of bytes"), opened(house, cookie) as page:
            page.show()
            page.socket.send("{}")
            assert page.closed() == 1003


def _replayed(tally: Tally, house: Guarded, watching: psycopg.Connection[Any]) -> None:
    """What an admin's page could press, pressed by a viewer and a curator; nobody takes a page over."""
    before = _kept(watching)
    with opened(house, house.signed("ann").cookie) as page:
        admins = {name: _widgets(page.show(name.partition("#")[0], query)) for name, query in PAGES.items()}
        session = page.session
        for who in ("vi", ""):
            cookie = house.signed(who).cookie if who else ""
            asks = f"{who or 'nobody'} asks for an admin's session"
            with tally.trying(asks), opened(house, cookie, again=session) as other:
                other.show("library", "show=Workspaces")
                assert other.session != session
                assert "Signed in as <b>ann" not in text_of(other.came)
    with opened(house, house.signed("vi").cookie) as page:
        page.show()
        for name, widgets in admins.items():
            for widget in widgets if tally.whole else widgets[::6]:
                with tally.trying(f"vi presses {widget[:60]} of an admin's {name or 'first page'}"):
                    page.came.clear()
                    page.show(
                        name.partition("#")[0],
                        PAGES[name],
                        [_state(widget, lambda s: setattr(s, "trigger_value", True))],
                    )
                    _calm(text_of(page.came))
                    assert _kept(watching) == before


@pytest.mark.timeout(1_800)
def test_e3_what_no_browser_sends_changes_nothing_and_ends_no_page(tally: Tally, guarded: Guarded) -> None:
    url = guarded.database_url
    with psycopg.connect(url, autocommit=True) as watching:
        _crafted(tally, guarded, watching)
        _frames(tally, guarded)
        _replayed(tally, guarded, watching)
    with tally.trying("the log"):
        assert "ASGI" not in guarded.said(), guarded.said()[-2_000:]
        assert "marker-" not in guarded.said()
        assert {each["act"] for each in guarded.acts()} <= {"sign_in", "sign_out", "end_sign_ins", "role_change"}


def _with_hash(page: str) -> BackMsg:
    message = rerun()
    message.rerun_script.page_script_hash = page
    return message
