"""Providers, rerankers and other sources, asked at once with a deadline and a circuit breaker each."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any

from docgraph.boundary.outbound.breaker import TIMEOUT, Breaker, BreakerState, Ticket
from docgraph.errors import DocgraphError, UserError

MAX_MESSAGE = 200
MAX_OUT = 64
"""Calls of one source that may be out at a time, those included that nobody waits for any more."""
OVERLOADED, UNAVAILABLE = "Overloaded", "Unavailable"
NO_TICKET = Ticket(-1, 0)
"""Of a call that was made although the source rests: what comes of it changes nothing."""

_PATH = re.compile(r"(?<![\w.:/])(?:/[\w.@+~-]+){2,}/?|\b[A-Za-z]:\\[^\s'\"]+")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_SECRET = re.compile(
    r"\b(api[_-]?key|access[_-]?key|token|password|passwd|pwd|secret|authorization|bearer)\b(\s*[=:]\s*|\s+)\S+",
    re.IGNORECASE,
)
_KEYLIKE = re.compile(r"\b(?=[A-Za-z0-9_\-]*\d)(?=[A-Za-z0-9_\-]*[A-Za-z])[A-Za-z0-9_\-]{20,}")


SourceName = tuple[str, str]
"""(role, name): a provider's search, its health, the calibrations and the reranker are sources of their own."""


@dataclass(frozen=True)
class Ask:
    """A call to a source, and what its breaker decides about it.

    ``waits`` = a source that may be tried again is asked like any other; without it the trial goes on beside, nobody
    waits, and the source counts as unavailable for this question. ``always`` = asked even while it rests, because
    somebody else decided so.
    """

    call: Callable[[], Any]
    waits: bool = False
    always: bool = False


@dataclass(frozen=True)
class Answered:
    """What one source answered; ``error_type`` is empty when it answered, ``message`` is redacted.

    ``at_fault`` = the source failed, not the person who asked.
    """

    value: Any = None
    error_type: str = ""
    message: str = ""
    at_fault: bool = False


class _Source:
    """What is known of one source: its breaker, and how many of its calls are out."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.breaker = Breaker(clock)
        self._slots = threading.BoundedSemaphore(MAX_OUT)

    def start(self, call: Callable[[], Any], done: Callable[[Answered], None]) -> bool:
        """Call in a thread of its own and say there what came of it; False when too many are out already."""
        if not self._slots.acquire(blocking=False):
            return False
        try:
            begun = copy_context()  # of the request that asks
            threading.Thread(
                target=begun.run, args=(self._run, call, done), name="docgraph-source", daemon=True
            ).start()
        except RuntimeError:  # the machine has no thread left
            self._slots.release()
            return False
        return True

    def _run(self, call: Callable[[], Any], done: Callable[[Answered], None]) -> None:
        try:
            done(_answer(call))
        finally:
            self._slots.release()

    def judge(self, ticket: Ticket, answer: Answered) -> None:
        """Tell the breaker; a person's mistake shows that the source answers."""
        if answer.at_fault:
            self.breaker.failed(ticket, answer.error_type)
        else:
            self.breaker.succeeded(ticket)


class Sources:
    """Everybody who is asked, each with slots and a breaker of its own. Thread-safe.

    None waits in a queue with another, and what one loses is not taken from the others. ``clock`` = seconds that only
    grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._known: dict[SourceName, _Source] = {}

    def ask_all(self, asks: Mapping[SourceName, Ask], *, timeout: float) -> dict[SourceName, Answered]:
        """Every source's answer, in the order given; ``timeout`` in seconds for all, counted from the start.

        A call that takes longer is left behind in its thread, and its answer is dropped. Nothing that a call raises
        comes out of here: errors of ours leave a redacted line, others leave their name alone.
        """
        answers: queue.SimpleQueue[tuple[SourceName, Answered]] = queue.SimpleQueue()
        found: dict[SourceName, Answered] = {}
        tickets: dict[SourceName, Ticket] = {}
        deadline = time.monotonic() + timeout
        for name, ask in asks.items():
            started = self._start(name, ask, timeout, done=partial(_hand_over, answers, name))
            if isinstance(started, Answered):
                found[name] = started
            else:
                tickets[name] = started
        while len(found) < len(asks):
            try:
                name, answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            found[name] = answer
            self._source(name).judge(tickets[name], answer)
        late = Answered(error_type=TIMEOUT, message=f"no answer within {timeout:g} seconds", at_fault=True)
        for name in [name for name in asks if name not in found]:
            self._source(name).judge(tickets[name], late)
        return {name: found.get(name, late) for name in asks}

    def ask(self, name: SourceName, call: Callable[[], Any], *, timeout: float) -> Answered:
        """One source's answer within ``timeout`` seconds."""
        return self.ask_all({name: Ask(call)}, timeout=timeout)[name]

    def try_beside(self, name: SourceName, call: Callable[[], Any], *, timeout: float) -> None:
        """Try a source that may be tried; nobody waits for it, and what it answers is not used for this question."""
        source = self._source(name)
        ticket = source.breaker.admit(timeout) if source.breaker.state == "half-open" else None
        if ticket is not None and not source.start(call, partial(source.judge, ticket)):
            source.breaker.withdrawn(ticket)

    def state(self, name: SourceName) -> tuple[BreakerState, str]:
        """(state of the source's breaker, why it is not closed)."""
        breaker = self._source(name).breaker
        return breaker.state, breaker.reason

    def _start(
        self, name: SourceName, ask: Ask, timeout: float, *, done: Callable[[Answered], None]
    ) -> Ticket | Answered:
        """The ticket of the call that is out now, or the answer of a source that is not asked."""
        source = self._source(name)
        if not (ask.waits or ask.always):
            self.try_beside(name, ask.call, timeout=timeout)
        ticket = source.breaker.admit(timeout)
        if ticket is None and not ask.always:
            return Answered(error_type=UNAVAILABLE, message=source.breaker.reason)
        ticket = NO_TICKET if ticket is None else ticket
        if source.start(ask.call, done):
            return ticket
        source.breaker.withdrawn(ticket)
        return Answered(error_type=OVERLOADED, message="too many of its calls have not come back yet")

    def _source(self, name: SourceName) -> _Source:
        with self._lock:
            if name not in self._known:
                self._known[name] = _Source(self._clock)
            return self._known[name]


def redacted(text: str) -> str:
    """``text`` in one line of at most 200 characters, without addresses, keys and passwords."""
    line = _URL.sub("<address>", " ".join(text.split()))
    line = _KEYLIKE.sub("<secret>", _SECRET.sub(r"\1 <secret>", line))
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"


def told_outside(error: DocgraphError) -> tuple[str, str]:
    """(message, hint) of an error of the surroundings, for a client elsewhere: no address, secret or path."""
    return redacted(_PATH.sub("<path>", error.message)), _PATH.sub("<path>", error.hint)


def failure_of(error: BaseException) -> Answered:
    """What is told of an exception: the name of its class, and of ours a redacted line. Raises nothing."""
    from docgraph.retrieval.answers import type_name  # only here: most sources do not fail

    name, at_fault = type_name(error), not isinstance(error, UserError)
    name = name if redacted(name) == name else "Unknown"
    try:
        if isinstance(error, DocgraphError) and type(error).__module__ == DocgraphError.__module__:
            return Answered(error_type=name, message=redacted(error.message), at_fault=at_fault)
    except Exception:  # a message that is none
        return Answered(error_type=name, at_fault=at_fault)
    return Answered(error_type=name, at_fault=at_fault)


def _answer(call: Callable[[], Any]) -> Answered:
    try:
        return Answered(call())
    except BaseException as error:  # a plug-in may raise anything; the contract says that retrieval never does
        return failure_of(error)


def _hand_over(answers: queue.SimpleQueue[tuple[SourceName, Answered]], name: SourceName, answer: Answered) -> None:
    answers.put((name, answer))
