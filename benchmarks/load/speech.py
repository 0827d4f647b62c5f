"""A browser's half of a conversation with a Streamlit server: what the page's script sends, without the page."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

import websocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

WIDGET = re.compile(r"\$\$ID-[0-9a-f]{32}-(?P<key>.+)")
RUNS_KEPT = 2
"""Runs of the script for which a browser keeps a large message, so that it is not sent again."""


class UnansweredError(Exception):
    """The script ended in another way, or showed something else than was asked for."""


@dataclass
class _Repeated:
    """A fragment that the server wants to be asked for again and again."""

    fragment: str
    every: float
    due: float


@dataclass
class Page:
    """What one run of the script brought: keys of the widgets that it drew, bytes on the wire."""

    keys: set[str] = field(default_factory=set)
    n_bytes: int = 0
    began: bool = False


class Browser:
    """One session: a web socket, the ids of widgets, kept messages, fragments that repeat themselves."""

    def __init__(self, url: str, *, patience: float) -> None:
        """Connect. ``patience`` = seconds until silence of the server is an error."""
        self._patience = patience
        self._at, self._query = "", ""
        self._ids: dict[str, str] = {}
        self._kept: dict[str, int] = {}
        self._repeated: list[_Repeated] = []
        self._n_runs = 0
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        self._socket = websocket.create_connection(address, timeout=patience, origin=url, subprotocols=["streamlit"])

    def open(self, page: str, **query: str) -> Page:
        """Go to a page ("" = the first one) and read until all of it is there."""
        self._at, self._query = page, urlencode(query)
        return self._run(self._state())

    def submit(self, button: str, texts: dict[str, str]) -> Page:
        """Press a form's button, with these texts in its boxes (key → text); the address follows them."""
        self._query = urlencode(texts)
        state = self._state()
        for key, text in texts.items():
            state.widget_states.widgets.add(id=self._ids[key], string_value=text)
        state.widget_states.widgets.add(id=self._ids[button], trigger_value=True)
        return self._run(state)

    def rest(self, seconds: float) -> None:
        """Do nothing but what an open page does by itself: answer pings, ask for fragments that are due."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            for each in self._repeated:
                if each.due <= now:
                    each.due = now + each.every
                    state = self._state()
                    state.fragment_id, state.is_auto_rerun = each.fragment, True
                    self._send(state)
            self._socket.settimeout(max(min([end, *(each.due for each in self._repeated)]) - now, 0.01))
            try:
                self._read(Page())
            except websocket.WebSocketTimeoutException:
                continue

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _state(self) -> ClientState:
        kept = [each for each, run in self._kept.items() if self._n_runs - run < RUNS_KEPT]
        return ClientState(page_name=self._at, query_string=self._query, cached_message_hashes=kept)

    def _send(self, state: ClientState) -> None:
        self._socket.send_binary(BackMsg(rerun_script=state).SerializeToString())

    def _run(self, state: ClientState) -> Page:
        self._send(state)
        self._socket.settimeout(self._patience)
        page = Page()
        while True:
            ended = self._read(page)
            if ended == ForwardMsg.FINISHED_SUCCESSFULLY and page.began:  # else it is the end of an earlier run
                return page
            if ended == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise UnansweredError("the script could not be run")

    def _read(self, page: Page) -> int | None:
        """Take one message; how the run of the script ended, where it says so."""
        data = self._socket.recv()
        if not isinstance(data, bytes) or not data:
            raise websocket.WebSocketConnectionClosedException("closed by the server")
        message, now = ForwardMsg.FromString(data), time.monotonic()
        page.n_bytes += len(data)
        kind = message.WhichOneof("type")
        if message.metadata.cacheable or kind == "ref_hash":
            self._kept[message.ref_hash if kind == "ref_hash" else message.hash] = self._n_runs
        if kind == "new_session" and not message.metadata.run.fragment_ids:
            self._n_runs += 1
            self._repeated.clear()
            page.began = True
        elif kind == "auto_rerun":
            every = message.auto_rerun.interval
            self._repeated.append(_Repeated(message.auto_rerun.fragment_id, every, now + every))
        elif kind == "stop_auto_rerun":
            ended = set(message.stop_auto_rerun.fragment_ids)
            self._repeated[:] = [each for each in self._repeated if each.fragment not in ended]
        elif kind == "delta":
            self._drawn(message.delta, page)
        return message.script_finished if kind == "script_finished" else None

    def _drawn(self, delta: Delta, page: Page) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise UnansweredError(f"an exception on the page: {element.exception.type}")
        found = WIDGET.fullmatch(getattr(getattr(element, kind), "id", "")) if kind else None
        if found:
            self._ids[found["key"]] = found[0]
            page.keys.add(found["key"])
