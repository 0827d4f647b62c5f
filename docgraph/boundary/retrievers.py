"""A retriever of somebody's own: a callable, an object of LangChain or LlamaIndex, a URL that answers questions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from docgraph.errors import EmbedderError, RequestError

if TYPE_CHECKING:
    from docgraph.boundary.outbound.json_service import JsonService

Found = tuple[str, float]
"""The id of a document or of a chunk, and how good it is: the higher the better."""

Retriever = Callable[[str], Iterable[Found]]
"""Answers a question. May raise whatever it likes: then that question failed, and the others go on."""

MAX_FOUND = 1_000
"""Results of one question that are looked at."""

TIMEOUT, URL_TIMEOUT = 10.0, 30.0
"""Seconds for an answer as a whole: of a retriever that the settings name, where somebody waits, and of a given URL."""
MAX_ANSWER, MAX_VALUES = 3_000_000, 100_000
"""Bytes and JSON values of an answer."""

RESERVED = frozenset(("off", "on", "vectors", "literal", "ms3", "plain", "today"))
"""Names that mean something else already."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")

_KEYS = ("document_id", "doc_id", "id", "_id", "chunk_id", "source")
"""Where objects of other libraries keep ids in their metadata, the first that is there."""


def as_retriever(given: Any, *, timeout: float = URL_TIMEOUT) -> Retriever:
    """What answers questions: a URL, an object with ``invoke`` or ``retrieve``, else anything that can be called.

    A URL gets ``{"query": …}`` by POST and answers with a list of results, or an object with them under ``results``. A
    result is a pair (id, score), an id, or an object with an id under ``document_id``, ``id`` … and ``score``;
    LangChain and LlamaIndex keep the id in the metadata. Where no score is given the order counts.

    ``timeout`` = seconds that a URL has for an answer as a whole; what was lost or busy is tried once more. Raises
    RequestError.
    """
    if isinstance(given, str):
        if not given.startswith(("http://", "https://")):
            raise RequestError(f"{given[:60]!r} is no retriever", hint="give a URL, a callable or a retriever object")
        from docgraph.boundary.outbound.json_service import JsonService  # with its HTTP client: only a URL needs it

        service = JsonService(
            given, what="retriever", timeout=timeout, attempts=2, max_bytes=MAX_ANSWER, max_values=MAX_VALUES
        )
        return lambda query: _answer(service, query)
    for name in ("invoke", "retrieve"):
        if callable(method := getattr(given, name, None)):
            return lambda query: found(method(query))
    if not callable(given):
        raise RequestError(
            f"{type(given).__name__} cannot answer questions", hint="give a callable: query → [(document id, score)]"
        )
    return lambda query: found(given(query))


def parse_retrievers(text: str) -> dict[str, str]:
    """``ours=http://127.0.0.1:9000/search, other=https://…`` as name → URL, in their order. Raises ValueError."""
    made: dict[str, str] = {}
    for part in (each.strip() for each in text.split(",") if each.strip()):
        name, _, url = (each.strip() for each in part.partition("="))
        if _NAME.fullmatch(name) is None or name in RESERVED or name in made:
            raise ValueError(
                f"{name[:40]!r} is not a retriever name; give each one of its own, of letters, digits, - and _, "
                f"none of {', '.join(sorted(RESERVED))}"
            )
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"the retriever {name!r} has no URL; write {name}=http://127.0.0.1:9000/search")
        made[name] = url
    return made


def checked_retrievers(text: SecretStr) -> SecretStr:
    """What ``parse_retrievers`` takes, as it is. Raises ValueError."""
    parse_retrievers(text.get_secret_value())
    return text


def named_retriever(name: str, url: str, *, timeout: float = TIMEOUT) -> Retriever:
    """A retriever that the settings name. It raises EmbedderError, which says its name and never where it stands.

    One try of ``timeout`` seconds as a whole, ``MAX_ANSWER`` bytes, no redirect: somebody waits for a page. See
    ``as_retriever`` for what it gets and answers.
    """
    # with its HTTP client, which only who names a retriever needs
    from docgraph.boundary.outbound.json_service import JsonService

    service = JsonService(
        url, what="retriever", timeout=timeout, attempts=1, max_bytes=MAX_ANSWER, max_values=MAX_VALUES
    )

    def ask(query: str) -> list[Found]:
        try:
            return _answer(service, query)
        except EmbedderError as error:
            said = error.message.replace(f" at {service.shown_url}", f" {name!r} of DOCGRAPH_RETRIEVERS")
            raise EmbedderError(said, hint="ask who runs it; DOCGRAPH_RETRIEVER_TIMEOUT gives it more time") from None

    return ask


def _answer(service: JsonService, query: str) -> list[Found]:
    try:
        return found(service.post("", {"query": query}))
    except ValueError as error:
        raise service.error(f"gave no usable answer: {error}", hint="see docs/comparison.md") from None


def found(answer: Any) -> list[Found]:
    """What a retriever answered as (id, score), the best first; equal scores keep their order. Raises ValueError."""
    items = answer.get("results") if isinstance(answer, Mapping) else answer
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise ValueError(f"the retriever answered with no list of results but {type(items).__name__}")
    made: list[Found] = []
    for place, item in enumerate(items):
        if place == MAX_FOUND:
            break
        made.append(_result(item, place))
    return sorted(made, key=lambda each: -each[1])


def _result(item: Any, place: int) -> Found:
    """One result; without a score the earlier ones are the better ones."""
    if isinstance(item, str):
        return item, float(-place)
    if isinstance(item, list | tuple) and len(item) == 2:
        identifier, score = item
        identifier = identifier if isinstance(identifier, str) else _identifier(identifier)
    else:
        identifier = _identifier(item)
        score = item.get("score") if isinstance(item, Mapping) else getattr(item, "score", None)
    if not isinstance(identifier, str) or not identifier:
        raise ValueError(f"result {place + 1} of the retriever has no id")
    if score is None:
        return identifier, float(-place)
    try:
        number = math.nan if isinstance(score, bool | str) else float(score)  # a number of numpy, too
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"result {place + 1} of the retriever has no score that is a number")
    return identifier, number


def _identifier(item: Any) -> Any:
    if isinstance(item, Mapping):
        metadata = item.get("metadata")
        sources: list[Any] = [metadata, item]
    else:
        node = getattr(item, "node", item)
        sources = [getattr(node, "metadata", None)]
    for source in sources:
        if isinstance(source, Mapping):
            for key in _KEYS:
                if isinstance(source.get(key), str) and source[key]:
                    return source[key]
    return next(
        (value for name in ("node_id", "id_", "id") if isinstance(value := getattr(item, name, None), str)), None
    )
