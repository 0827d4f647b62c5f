"""An open page of a served dashboard: its web socket, spoken to in the framework's own messages."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.survive.guarded import HOST, ORIGIN, PATIENCE, Guarded, xsrf_token

FINISHED = "script_finished"
BROKEN = "met an unexpected error"
"""What a page says that broke."""


@dataclass
class OpenPage:
    """A socket that somebody opened, and everything that came over it."""

    socket: ClientConnection
    xsrf: str
    came: list[ForwardMsg] = field(default_factory=list)

    @property
    def session(self) -> str:
        """The framework's name for it."""
        begun = (each.new_session.initialize.session_id for each in self.came if each.HasField("new_session"))
        return next(begun)

    def send(self, message: BackMsg | bytes) -> None:
        """Send a message, or bytes that are none."""
        self.socket.send(message if isinstance(message, bytes) else message.SerializeToString())

    def read(self, *, until: str = FINISHED) -> list[ForwardMsg]:
        """What comes, up to the first message of that kind; raises ConnectionClosed, AssertionError after a minute."""
        came: list[ForwardMsg] = []
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                data = self.socket.recv(timeout=max(0.01, end - time.monotonic()))
            except TimeoutError:
                break
            message = ForwardMsg()
            message.ParseFromString(data if isinstance(data, bytes) else data.encode())
            came.append(message)
            self.came.append(message)
            if message.WhichOneof("type") == until:
                return came
        raise AssertionError(f"{PATIENCE} seconds without {until}: {[each.WhichOneof('type') for each in came]}")

    def show(self, page: str = "", query: str = "", widgets: Iterable[WidgetState] = ()) -> list[ForwardMsg]:
        """Run the script of a page to its end."""
        self.send(rerun(page, query, widgets))
        return self.read()

    def closed(self) -> int | None:
        """Wait until the server closes it: with which code."""
        try:
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                self.socket.recv(timeout=PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None
        raise AssertionError("it stays open")


def rerun(page: str = "", query: str = "", widgets: Iterable[WidgetState] = ()) -> BackMsg:
    """What a browser sends to have a page drawn; ``page`` = "" for the first one, else its part of the address."""
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.page_name = page
    message.rerun_script.widget_states.widgets.extend(widgets)
    return message


@contextmanager
def opened(
    house: Guarded, cookie: str = "", *, again: str = "", path: str = "/_stcore/stream", **headers: str
) -> Iterator[OpenPage]:
    """A socket with these cookies; ``again`` = the session that it wants back. Raises InvalidStatus for a refusal."""
    to, xsrf = urlsplit(house.url), xsrf_token()
    given: dict[str, Any] = {"Cookie": f"_streamlit_xsrf={xsrf}" + (f"; {cookie}" if cookie else ""), **headers}
    socket = connect(
        f"ws://{HOST}{path}",
        sock=create_connection((str(to.hostname), to.port), timeout=PATIENCE),
        origin=ORIGIN,  # type: ignore[arg-type]
        subprotocols=[each for each in ("streamlit", xsrf, again) if each],  # type: ignore[misc]
        additional_headers=given,
        max_size=None,
        proxy=None,
        open_timeout=PATIENCE,
    )
    with socket:
        yield OpenPage(socket, xsrf)


def text_of(messages: Iterable[ForwardMsg]) -> str:
    """All that a reader would see, and more."""
    return "\n".join(str(each) for each in messages)
