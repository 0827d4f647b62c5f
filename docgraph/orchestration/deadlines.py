"""Asks several parties at once and waits for each no longer than agreed; whoever fails is nobody else's loss."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docgraph.errors import DocgraphError

MAX_MESSAGE = 200
MAX_WAITING = 64
"""Calls that nobody waits for any more, but that have not come back yet; beyond that nobody new is asked."""
TIMEOUT, OVERLOADED = "Timeout", "Overloaded"

_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_SECRET = re.compile(
    r"\b(api[_-]?key|access[_-]?key|token|password|passwd|pwd|secret|authorization|bearer)\b(\s*[=:]\s*|\s+)\S+",
    re.IGNORECASE,
)
_KEYLIKE = re.compile(r"\b(?=[A-Za-z0-9_\-]*\d)(?=[A-Za-z0-9_\-]*[A-Za-z])[A-Za-z0-9_\-]{20,}")
_slots = threading.BoundedSemaphore(MAX_WAITING)


@dataclass(frozen=True)
class Answered:
    """What one party answered; ``error_type`` is empty when it answered, ``message`` is redacted."""

    value: Any = None
    error_type: str = ""
    message: str = ""


def ask_all(calls: Mapping[str, Callable[[], Any]], *, timeout: float) -> dict[str, Answered]:
    """Every party's answer by name, in the order given; ``timeout`` in seconds for all, counted from the start.

    A call that takes longer is left behind in its thread, and its answer is dropped. Nothing that a call raises comes
    out of here: errors of ours leave a redacted line, others leave their name alone.
    """
    answers: queue.SimpleQueue[tuple[str, Answered]] = queue.SimpleQueue()
    found: dict[str, Answered] = {}
    deadline = time.monotonic() + timeout
    for name, call in calls.items():
        if not _slots.acquire(blocking=False):
            found[name] = Answered(error_type=OVERLOADED, message="too many calls have not come back yet")
            continue
        threading.Thread(target=_answer, args=(name, call, answers), name=f"docgraph-{name}", daemon=True).start()
    while len(found) < len(calls):
        try:
            name, answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            break
        found[name] = answer
    late = Answered(error_type=TIMEOUT, message=f"no answer within {timeout:g} seconds")
    return {name: found.get(name, late) for name in calls}


def redacted(text: str) -> str:
    """``text`` in one line of at most 200 characters, without addresses, keys and passwords."""
    line = _URL.sub("<address>", " ".join(text.split()))
    line = _KEYLIKE.sub("<secret>", _SECRET.sub(r"\1 <secret>", line))
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"


def _answer(name: str, call: Callable[[], Any], answers: queue.SimpleQueue[tuple[str, Answered]]) -> None:
    try:
        answers.put((name, Answered(call())))
    except DocgraphError as error:
        answers.put((name, Answered(error_type=type(error).__name__, message=redacted(error.message))))
    except BaseException as error:  # a plug-in may raise anything; the contract says that retrieval never does
        answers.put((name, Answered(error_type=type(error).__name__)))
    finally:
        _slots.release()
