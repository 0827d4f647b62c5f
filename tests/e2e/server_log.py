"""What the log of a dashboard says went wrong in it, and not between a closing browser and the web server."""

from __future__ import annotations

import re

_START = re.compile(r"^.*Traceback \(most recent call last\):.*$", re.MULTILINE)
_SOCKET_ENDPOINT = "starlette_websocket.py"
_CLOSED = re.compile(r"WebSocketDisconnect|once a close message has been sent|WebSocket is not connected|text frames")
_OURS = re.compile(r"[\\/](docgraph|pages)[\\/][\w\\/]+\.py\"|[\\/]app\.py\"")


def faults(log: str) -> list[str]:
    """The tracebacks of a log, one text each, without those of a browser that went away in the middle of a message.

    Streamlit's web socket endpoint answers a connection that is gone with ``close()``, which fails and is logged. Such
    a traceback ends in that endpoint and passes through none of our files.
    """
    starts = [match.start() for match in _START.finditer(log)]
    blocks = [log[a:b] for a, b in zip(starts, [*starts[1:], len(log)], strict=False)]  # no start: no block
    return [block for block in blocks if not _is_of_a_closed_socket(block)]


def _is_of_a_closed_socket(block: str) -> bool:
    return _SOCKET_ENDPOINT in block and bool(_CLOSED.search(block)) and not _OURS.search(block)
