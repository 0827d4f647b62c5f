"""Sessions of a Streamlit server without a browser: each on a web socket of its own, asking at the same time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ANSWERED = "answered"


@dataclass(frozen=True)
class Sessions:
    """How so many sessions ended (reason → how many), and the seconds of those that were answered."""

    ends: Counter[str]
    seconds: tuple[float, ...]

    @property
    def n_lost(self) -> int:
        """Those that were not answered."""
        return sum(n for end, n in self.ends.items() if end != ANSWERED)


def ask_at_once(url: str, queries: Sequence[str], *, page: str, patience: float) -> Sessions:
    """One session for each query string, all at the same time; each has ``patience`` seconds for its whole page."""

    async def everybody() -> list[tuple[str, float]]:
        return list(await asyncio.gather(*(_one(url, query, page, patience) for query in queries)))

    found = asyncio.run(everybody())
    return Sessions(Counter(end for end, _ in found), tuple(s for end, s in found if end == ANSWERED))


async def _one(url: str, query: str, page: str, patience: float) -> tuple[str, float]:
    started = time.perf_counter()
    try:
        async with asyncio.timeout(patience):
            end = await _ask(url.replace("http", "ws", 1) + "/_stcore/stream", query, page, url)
    except TimeoutError:
        end = f"no answer in {patience:.0f} s"
    except (OSError, websockets.exceptions.WebSocketException) as error:
        end = type(error).__name__
    return end, time.perf_counter() - started


async def _ask(address: str, query: str, page: str, origin: str) -> str:
    """Ask for a page and read until its script has finished."""
    options: dict[str, Any] = {"subprotocols": ["streamlit"], "origin": origin, "max_size": None, "open_timeout": None}
    async with websockets.connect(address, **options) as connection:
        asked = BackMsg()
        asked.rerun_script.query_string = query
        asked.rerun_script.page_name = page
        await connection.send(asked.SerializeToString())
        async for data in connection:
            message = ForwardMsg()
            message.ParseFromString(data if isinstance(data, bytes) else data.encode())
            if message.WhichOneof("type") == "script_finished":
                finished = message.script_finished
                return ANSWERED if finished == ForwardMsg.FINISHED_SUCCESSFULLY else f"finished with {finished}"
    return "closed"
