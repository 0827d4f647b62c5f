"""Sends spans to a collector through the client of everything else: the exporter keeps its own retries, no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests
from requests.adapters import BaseAdapter

from docgraph.boundary.outbound.breaker import LOST, TIMEOUT, CallError, Deadline
from docgraph.boundary.outbound.client import HttpClient

SECONDS, MAX_ANSWER_BYTES = 10.0, 64_000
"""For one export as a whole, where the exporter says nothing; and of an answer, which is not looked at."""
_OF_THE_CONNECTION = frozenset(("accept-encoding", "connection", "content-length", "host", "transfer-encoding"))
"""Headers that are the client's."""


def session(endpoint: str) -> requests.Session:
    """What the exporter posts with: to ``endpoint`` alone. Raises ValueError for what is no URL."""
    HttpClient(endpoint).close()
    made = requests.Session()
    made.trust_env = False
    made.adapters.clear()
    made.mount(endpoint, _Collector(endpoint))
    return made


class _Collector(BaseAdapter):
    """Answers with a status and words of docgraph's own: the exporter writes what it gets into the log."""

    def __init__(self, endpoint: str) -> None:
        super().__init__()
        self._endpoint = endpoint
        self._client: HttpClient | None = None

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """The status alone. Raises requests' own errors, as the exporter expects them."""
        if self._client is None:
            self._client = HttpClient(
                self._endpoint, trusted=verify if isinstance(verify, str) else None, certificate=cert
            )
        seconds = timeout if isinstance(timeout, int | float) else SECONDS
        where = f"the collector at {self._client.shown_url} (DOCGRAPH_OTLP_ENDPOINT)"
        body = request.body if isinstance(request.body, bytes) else b""
        headers = {
            name: str(value) for name, value in request.headers.items() if name.lower() not in _OF_THE_CONNECTION
        }
        try:
            reply = self._client.post("", body, headers, Deadline(seconds), MAX_ANSWER_BYTES)
        except CallError as error:
            kind = {TIMEOUT: requests.Timeout, LOST: requests.ConnectionError}.get(
                error.kind, requests.RequestException
            )
            raise kind(f"{where} {error.said}") from None
        if 300 <= reply.status < 400:
            raise requests.RequestException(f"{where} answered {reply.status}, and redirects are not followed")
        answer = requests.Response()
        answer.status_code, answer.reason, answer._content = reply.status, f"{where} answered {reply.status}", b""
        answer.url, answer.request = self._client.shown_url, request
        if reply.pause is not None:
            answer.headers["Retry-After"] = f"{reply.pause:g}"
        return answer

    def close(self) -> None:
        """Give back the connections."""
        if self._client is not None:
            self._client.close()
