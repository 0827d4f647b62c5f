"""Which tracebacks in the log of a dashboard count as faults of ours."""

from __future__ import annotations

import pytest

from tests.e2e.server_log import faults

HEAD = "Traceback (most recent call last):\n"
ENDPOINT = '  File "/x/streamlit/web/server/starlette/starlette_websocket.py", line 524, in _websocket_endpoint\n'
CLOSED = 'starlette.websockets.WebSocketDisconnected: Cannot call "send" once a close message has been sent.\n'
OURS = '  File "/x/docgraph/ui/plan/page.py", line 3, in plan_page\n'


def test_a_browser_that_went_away_is_no_fault() -> None:
    """Also when one such traceback follows another."""
    gone = HEAD + ENDPOINT + 'RuntimeError: WebSocket is not connected. Need to call "accept" first.\n'
    assert faults("started\n" + gone + "\nDuring handling …\n\n" + HEAD + ENDPOINT + CLOSED + "stopped\n") == []


@pytest.mark.parametrize(
    "block",
    [
        HEAD + OURS + "KeyError: 'x'\n",
        HEAD + ENDPOINT + OURS + CLOSED,
        HEAD + ENDPOINT + "ValueError: another thing\n",
        HEAD + '  File "/x/uvicorn/server.py", line 1, in x\n' + CLOSED,
    ],
)
def test_every_other_traceback_is_one(block: str) -> None:
    """One of ours, one that passes through ours, and one for another reason."""
    assert faults("started\n" + HEAD + ENDPOINT + CLOSED + block) == [block]


def test_a_traceback_that_is_folded_into_a_line_counts_and_one_of_a_closed_socket_does_not() -> None:
    folded = "2026-01-01T00:00:00+00:00 error x: failed | " + " | ".join(HEAD.splitlines())
    ours = folded + ' |   File "/srv/docgraph/ui/plan/page.py", line 1, in x | ValueError: no'
    gone = folded + " | " + " | ".join((ENDPOINT + CLOSED).splitlines())
    assert faults(f"a line\n{gone}\nanother\n") == []
    assert len(faults(f"a line\n{ours}\nanother\n")) == 1
