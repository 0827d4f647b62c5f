"""A reranker that asks a service over HTTP: what voyage and cohere have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from docgraph.boundary.outbound.json_service import SHORT_PAUSE, JsonService
from docgraph.errors import EmbedderError
from docgraph.ports.retrieval import Reranked

MAX_TEXTS = 1_000
"""Both services refuse, or advise against, more in one request."""
MAX_QUESTION, MAX_TEXT = 4_000, 16_000
"""Characters that are sent, or read by a local model; both cut to the tokens of their models after that."""
MAX_ANSWER_BYTES = 2_000_000


class ServiceReranker:
    """Sends question and texts, takes what is usable of the answer. Thread-safe; keeps no text.

    The answer's list ``results_field`` holds ``{"index", "relevance_score"}``. Items with a bad index, an index that
    was there already or a score that is no finite number are left out; scores are clamped to 0…1.
    """

    def __init__(self, service: JsonService, *, name: str, results_field: str, body: Mapping[str, Any]) -> None:
        self.name, self.service = name, service
        self._results_field, self._body = results_field, dict(body)

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """Scores by index; texts of white space get 0 and are not sent. Raises EmbedderError."""
        sent = [index for index, text in enumerate(texts) if text.strip()][:MAX_TEXTS]
        if not query.strip() or not sent:
            return tuple(Reranked(index, 0.0) for index in range(len(texts)))
        body = {**self._body, "query": clean(query, MAX_QUESTION)}
        body["documents"] = [clean(texts[index], MAX_TEXT) for index in sent]
        answer = self.service.post("/rerank", body)
        results = answer.get(self._results_field) if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise self.service.error(
                f"answered without a list called {self._results_field!r}", hint="is this a reranking URL?"
            )
        found = {sent[place]: score for place, score in reversed(list(_usable(results, len(sent))))}
        blank = {index: 0.0 for index, text in enumerate(texts) if not text.strip()}
        return tuple(Reranked(index, score) for index, score in sorted({**found, **blank}.items()))


Build = Callable[..., ServiceReranker]


def service(name: str, own_url: str, own_model: str, *, results_field: str, body: Mapping[str, Any]) -> Build:
    """The ``build`` of a reranker over a service whose public address is ``own_url``."""

    def build(
        *,
        url: str = own_url,
        model: str = own_model,
        api_key: str = "",
        timeout: float = 8.0,
        attempts: int = 2,
        first_pause: float = 0.2,
    ) -> ServiceReranker:
        """``url`` ends before ``/rerank``; ``timeout`` in seconds for one answer as a whole.

        429, 5xx and lost connections are tried ``attempts`` times. Raises EmbedderError, also when the public service
        is asked without key.
        """
        if not model:
            raise EmbedderError(f"the {name} reranker needs a model", hint="set reranker_model")
        if url.rstrip("/") == own_url and not api_key:
            raise EmbedderError(f"the {name} reranker needs an API key", hint="set DOCGRAPH_RERANKER_API_KEY")
        asked = JsonService(
            url,
            what="reranking service",
            setting="DOCGRAPH_RERANKER",
            api_key=api_key,
            timeout=timeout,
            attempts=attempts,
            first_pause=first_pause,
            longest_pause=SHORT_PAUSE,
            max_bytes=MAX_ANSWER_BYTES,
        )
        return ServiceReranker(asked, name=name, results_field=results_field, body={"model": model, **body})

    return build


def _usable(results: Sequence[Any], n: int) -> Iterator[tuple[int, float]]:
    """(place, score) of each item that has both; at most ``n`` + 1,000 items are looked at."""
    for item in results[: n + MAX_TEXTS]:
        place, score = (item.get("index"), item.get("relevance_score")) if isinstance(item, dict) else (None, None)
        if type(place) is not int or not 0 <= place < n:
            continue
        if isinstance(score, bool) or not isinstance(score, int | float):
            continue
        value = _as_float(score)
        if math.isfinite(value):
            yield place, min(1.0, max(0.0, value))


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # JSON knows integers of any length
        return math.inf


def scored(query: str, texts: Sequence[str], ask: Callable[[str, list[str]], Iterable[float]]) -> tuple[Reranked, ...]:
    """A score for every text, as ``ask`` says of a question and texts; texts of white space get 0."""
    read = [index for index, text in enumerate(texts) if text.strip()]
    scores = [0.0] * len(texts)
    if query.strip() and read:
        found = ask(clean(query, MAX_QUESTION), [clean(texts[index], MAX_TEXT) for index in read])
        for index, score in zip(read, found, strict=True):
            scores[index] = round(float(score), 6)
    return tuple(Reranked(index, score) for index, score in enumerate(scores))


def clean(text: str, limit: int) -> str:
    """The beginning of a text, as UTF-8 can carry it."""
    return text[:limit].encode("utf-8", "replace").decode()
