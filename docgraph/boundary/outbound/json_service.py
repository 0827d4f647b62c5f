"""Asks a JSON service over HTTP: tries with growing pauses, a breaker, and one line when it comes to nothing."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from docgraph.boundary.outbound.breaker import (
    BROKEN,
    BUSY,
    LOST,
    TIMEOUT,
    UNTRUSTED,
    Breaker,
    CallError,
    Deadline,
    Ticket,
)
from docgraph.boundary.outbound.client import HttpClient, Reply
from docgraph.errors import EmbedderError

_VALUE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)
"""A string, however it ends, or what every other value follows: there are at least as many as values."""


def parsed(content: bytes, max_values: int) -> Any:
    """The value in ``content``: UTF-8, with or without a byte order mark; of equal keys the last one counts.

    ``NaN`` and ``Infinity`` are read as such, and numbers may be as large as floats cannot be: whoever expects numbers
    looks at them. A value costs some 100 bytes of memory however short it is written, so that a body of ``[],[],…``
    takes thirty times its length: more than ``max_values`` are refused before they are made. Raises ValueError, with
    the words that go on from the name of who answered, for that and for what is no JSON (also: nested some hundred
    levels deep, or an integer of more than 4,300 digits).
    """
    if sum(map(content.count, (b",", b"[", b"{", b'"'))) > max_values:
        for number, _ in enumerate(_VALUE.finditer(content)):
            if number >= max_values:
                raise ValueError(f"answered with more than {max_values:,} values")
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("did not answer with JSON") from None


MAX_ANSWER_BYTES, MAX_VALUES = 1_000_000, 50_000
"""Of an answer that its caller says nothing about."""
MAX_CHAT_BYTES = 200_000
CHAT_PROTOCOLS = ("openai", "ollama")
_LONGEST_PAUSE = 30.0
SHORT_PAUSE = 2.0
"""The longest pause between two tries while somebody waits for the answer."""
_ALIVE = "answered"
"""Of a service that refused one request, which says nothing about the next one."""


class _TryAgain(Exception):
    """The service is busy or lost for now; ``pause`` = seconds it asked for."""

    def __init__(self, failure: CallError, pause: float | None = None) -> None:
        super().__init__(failure.said)
        self.failure, self.pause = failure, pause


class JsonService:
    """Posts JSON to one base URL; thread-safe. Redirects are not followed: the key goes to the named host alone.

    After three time-outs or five failures in a row it is left alone for 10 seconds, then tried by one call, and for
    twice as long after each that fails (see ``Breaker``); meanwhile every call fails at once.
    """

    def __init__(
        self,
        url: str,
        *,
        what: str,
        setting: str = "",
        api_key: str = "",
        timeout: float = 60.0,
        attempts: int = 4,
        first_pause: float = 0.5,
        longest_pause: float = _LONGEST_PAUSE,
        max_bytes: int = MAX_ANSWER_BYTES,
        max_values: int = MAX_VALUES,
    ) -> None:
        """``timeout`` = seconds of one call as a whole: looking up, connecting, sending and receiving of all tries.

        Pauses between tries do not count. Tried ``attempts`` times is what was busy (429, 5xx) or lost. ``setting`` =
        what the service's settings begin with (``DOCGRAPH_EMBEDDER``), for the hints. Raises EmbedderError.
        """
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._what, self._setting, self._timeout = what, setting, timeout
        try:
            self._client = HttpClient(url, headers=headers)
        except ValueError as error:
            raise EmbedderError(f"the {what} cannot be asked: {error}", hint=f"set {self._url}") from None
        self.shown_url = self._client.shown_url
        self._attempts, self._first_pause, self._longest_pause = max(1, attempts), first_pause, longest_pause
        self._max_bytes, self._max_values = max_bytes, max_values
        self._breaker = Breaker(time.monotonic)

    def post(self, path: str, body: Mapping[str, Any], *, max_bytes: int = 0, max_values: int = 0) -> Any:
        """The answer's JSON, within the bounds that are given, else the service's own. Raises EmbedderError."""
        ticket = self._breaker.admit(self._timeout + self._attempts * self._longest_pause)
        if ticket is None:
            raise self.error(self._resting(), hint=self._hint(LOST))
        sent = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        deadline = Deadline(self._timeout)
        retrying = Retrying(
            retry=retry_if_exception_type(_TryAgain),
            stop=stop_after_attempt(self._attempts),
            wait=self._pause,
            sleep=_pausing(deadline),
            reraise=True,
        )
        try:
            reply = retrying(self._post_once, path, sent, deadline, max_bytes or self._max_bytes)
            value = _value(reply, max_values or self._max_values)
        except _TryAgain as error:
            raise self._failed(ticket, error.failure) from None
        except CallError as error:
            raise self._failed(ticket, error) from None
        except BaseException:
            self._breaker.withdrawn(ticket)
            raise
        self._breaker.succeeded(ticket)
        return value

    def close(self) -> None:
        """Give back the connections."""
        self._client.close()

    def error(self, message: str, *, hint: str = "") -> EmbedderError:
        """An error about this service: one line, and a hint that names the setting which says who that is.

        ``message`` holds words of docgraph's own, so that neither a key nor what the service says can be in it.
        """
        if self._setting and self._setting not in hint:
            hint = f"{hint}; {self._url} says who is asked" if hint else f"is {self._url} right?"
        return EmbedderError(f"the {self._what} at {self.shown_url} {message}", hint=hint)

    def _post_once(self, path: str, body: bytes, deadline: Deadline, max_bytes: int) -> Reply:
        try:
            reply = self._client.post(path, body, {}, deadline, max_bytes)
        except CallError as error:
            if error.kind == LOST:
                raise _TryAgain(error) from None
            raise
        if reply.status == 429 or reply.status >= 500:
            raise _TryAgain(CallError(BUSY, f"answered {reply.status}"), reply.pause)
        return reply

    def _failed(self, ticket: Ticket, failure: CallError) -> EmbedderError:
        if failure.kind.startswith(_ALIVE):
            self._breaker.succeeded(ticket)
        else:
            self._breaker.failed(ticket, failure.kind)
        return self.error(failure.said, hint=self._hint(failure.kind))

    def _resting(self) -> str:
        since, until = self._breaker.rest
        now = datetime.now(UTC)
        began, again = (f"{now + timedelta(seconds=each):%H:%M:%S} UTC" for each in (-since, until))
        return f"is {self._breaker.reason}, since {began}; it is asked again from {again} on"

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.pause if isinstance(error, _TryAgain) else None
        growing = wait_exponential(multiplier=self._first_pause, max=self._longest_pause)(state)
        return min(asked, self._longest_pause) if asked is not None else growing

    @property
    def _url(self) -> str:
        return f"{self._setting}_URL" if self._setting else "its URL"

    def _hint(self, kind: str) -> str:
        if kind == TIMEOUT:
            more = f"; {self._setting}_TIMEOUT gives it more time" if self._setting else ""
            return f"is it busy?{more}"
        key, model = (f"{self._setting}_{name}" if self._setting else name for name in ("API_KEY", "MODEL"))
        return {
            LOST: f"is it running, and is {self._url} right?",
            BUSY: f"try again later; {self._url} says who is asked" if self._setting else "try again later",
            UNTRUSTED: f"is {self._url} right? SSL_CERT_FILE names the authorities that are trusted",
            BROKEN: f"is {self._url} right?",
            f"{_ALIVE} 401": f"check {key}",
            f"{_ALIVE} 403": f"check {key}",
            f"{_ALIVE} 404": f"check {self._url} and {model}",
        }.get(kind, f"check {self._url} and {model}")


class ChatModel:
    """A language model behind a chat endpoint of one of ``CHAT_PROTOCOLS``; as thread-safe as its service."""

    def __init__(self, url: str, *, of: str, model: str, protocol: str, **service: Any) -> None:
        """``of`` = the plug-in that asks (``rewriter``), for messages; ``service`` = of ``JsonService``.

        Raises EmbedderError for a missing url or model, or an unknown protocol.
        """
        if protocol not in CHAT_PROTOCOLS:
            raise EmbedderError(f"there is no chat protocol {protocol!r}", hint=" or ".join(CHAT_PROTOCOLS))
        if not model:
            raise EmbedderError(f"the language_model {of} needs a model", hint=f"set {of}_model")
        setting = f"DOCGRAPH_{of.upper()}"
        self.service = JsonService(url, what="language model", setting=setting, max_bytes=MAX_CHAT_BYTES, **service)
        self.model, self._protocol = model, protocol

    def answer(self, instructions: str, text: str) -> str:
        """What the model says to ``text`` at temperature 0, as it came. Raises EmbedderError."""
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": text}]
        if self._protocol == "ollama":
            body = {"model": self.model, "messages": messages, "stream": False, "options": {"temperature": 0}}
            return self._content(self.service.post("/api/chat", body))
        found = self.service.post("/chat/completions", {"model": self.model, "messages": messages, "temperature": 0})
        choices = found.get("choices") if isinstance(found, dict) else None
        return self._content(choices[0] if isinstance(choices, list) and choices else None)

    def _content(self, holder: Any) -> str:
        message = holder.get("message") if isinstance(holder, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(content, str):
            raise self.service.error("answered without a message", hint="check url, protocol and model")
        return content


def _value(reply: Reply, max_values: int) -> Any:
    """What the answer holds. Raises CallError."""
    if 300 <= reply.status < 400:
        raise CallError(f"{_ALIVE} {reply.status}", f"answered {reply.status}, and redirects are not followed")
    if reply.status != 200:
        raise CallError(f"{_ALIVE} {reply.status}", f"answered {reply.status}")
    try:
        return parsed(reply.body, max_values)
    except ValueError as error:
        raise CallError(BROKEN, str(error)) from None


def _pausing(deadline: Deadline) -> Any:
    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        deadline.extend(seconds)

    return sleep
