"""Calls a JSON service over HTTP: time-outs, bounded answers, retries with growing pauses, no key in a message."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from docgraph.errors import EmbedderError

MAX_ANSWER_BYTES = 100_000_000
CHAT_PROTOCOLS = ("openai", "ollama")
_LONGEST_PAUSE = 30.0
SHORT_PAUSE = 2.0
"""The longest pause between two tries while somebody waits for the answer."""


class _TryAgain(EmbedderError):
    """The service is busy or out of reach for now; ``pause`` = seconds it asked for."""

    def __init__(self, message: str, *, hint: str = "", pause: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.pause = pause


class JsonService:
    """Posts JSON to one base URL; thread-safe. Redirects are not followed: the key goes to the named host alone."""

    def __init__(
        self,
        url: str,
        *,
        what: str,
        api_key: str = "",
        timeout: float = 60.0,
        attempts: int = 4,
        first_pause: float = 0.5,
        longest_pause: float = _LONGEST_PAUSE,
        total_timeout: float | None = None,
        max_bytes: int = MAX_ANSWER_BYTES,
    ) -> None:
        """``timeout`` = seconds without a byte, ``total_timeout`` = seconds for one answer as a whole (None: any)."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise EmbedderError(f"the {what} needs a URL like http://127.0.0.1:11434", hint="set its url")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        netloc = host if parts.port is None else f"{host}:{parts.port}"
        self.shown_url = urlunsplit((parts.scheme, netloc, parts.path.rstrip("/"), "", ""))
        self._what, self._key = what, api_key
        self._attempts, self._first_pause, self._longest_pause = max(1, attempts), first_pause, longest_pause
        self._total_timeout, self._max_bytes = total_timeout, max_bytes
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(timeout=timeout, headers=headers, follow_redirects=False)
        self._base = url.split("?")[0].rstrip("/")

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer's JSON. Raises EmbedderError that names the service, never the key."""
        retrying = Retrying(
            retry=retry_if_exception_type(_TryAgain),
            stop=stop_after_attempt(self._attempts),
            wait=self._pause,
            reraise=True,
        )
        return retrying(self._post_once, path, body)

    def close(self) -> None:
        """Give back the connections."""
        self._client.close()

    def error(self, message: str, *, hint: str = "") -> EmbedderError:
        """An error about this service: one line, bounded, without the key."""
        return EmbedderError(self._clean(f"the {self._what} at {self.shown_url} {message}"), hint=hint)

    def _post_once(self, path: str, body: Mapping[str, Any]) -> Any:
        deadline = math.inf if self._total_timeout is None else time.monotonic() + self._total_timeout
        try:
            with self._client.stream("POST", f"{self._base}{path}", json=body) as response:
                return self._answer(response, deadline)
        except httpx.TransportError as error:
            kind = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
            message = self._clean(f"the {self._what} at {self.shown_url} {kind}: {error}")
            raise _TryAgain(message, hint="is the server running, and is the URL right?") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise self.error(f"could not be asked: {type(error).__name__}: {error}") from None

    def _answer(self, response: httpx.Response, deadline: float) -> Any:
        content = bytearray()
        for part in response.iter_bytes():
            content += part
            if len(content) > self._max_bytes:
                raise self.error(f"answered with more than {self._max_bytes:,} bytes", hint="use smaller batches")
            if time.monotonic() > deadline:
                raise self.error(f"did not end its answer within {self._total_timeout:g} seconds", hint="is it busy?")
        if response.status_code == 429 or response.status_code >= 500:
            message = self._clean(f"the {self._what} at {self.shown_url} {_status(response, content)}")
            raise _TryAgain(message, hint="try again later", pause=_asked_pause(response))
        if response.status_code != 200:
            raise self.error(_status(response, content), hint=_HINTS.get(response.status_code, "check url and model"))
        try:
            return json.loads(bytes(content))
        except (ValueError, RecursionError):
            raise self.error("did not answer with JSON", hint="is this the right URL?") from None

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.pause if isinstance(error, _TryAgain) else None
        growing = wait_exponential(multiplier=self._first_pause, max=self._longest_pause)(state)
        return min(asked, self._longest_pause) if asked is not None else growing

    def _clean(self, message: str) -> str:
        line = " ".join(message.split())
        return (line.replace(self._key, "***") if self._key else line)[:500]


class ChatModel:
    """A language model behind a chat endpoint of one of ``CHAT_PROTOCOLS``; as thread-safe as its service."""

    def __init__(self, service: JsonService, *, model: str, protocol: str) -> None:
        self.service, self.model, self._protocol = service, model, protocol

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


_HINTS = {401: "check the API key", 403: "check the API key", 404: "check the URL and the model's name"}


def _status(response: httpx.Response, content: bytearray) -> str:
    text = bytes(content[:200]).decode("utf-8", "replace")
    return f"answered {response.status_code}: {text}"


def _asked_pause(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() and len(value) < 6 else None
