"""The rerankers over HTTP, against a real server on this machine that speaks their protocols, truly or with malice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docgraph import plugins
from docgraph.errors import EmbedderError
from docgraph.ports.retrieval import Reranked
from docgraph.testing.suites.rerankers import check_reranker
from tests.http_services import Answer, Service, served

KEY = "pa-marker-secret-4711"
NAMES = ("cohere", "voyage")
FIELDS = {"cohere": "results", "voyage": "data"}
LEXICAL = plugins.build("rerankers", "lexical")
TEXTS = ("Queue\nlimited bookings", "Slots\nof a sailing", "Alarm\nat ninety percent")


class Rerankers(Service):
    """Answers like the documented services; ``script`` answers the first requests instead."""

    def __init__(self) -> None:
        super().__init__()
        self.script: list[Any] = []

    def answer(self, path: str, body: dict[str, Any]) -> Answer:
        if self.script:
            scripted = self.script.pop(0)
            return scripted if isinstance(scripted, tuple) else (200, scripted)
        found = LEXICAL.rerank(body["query"], body["documents"])
        items = [{"index": each.index, "relevance_score": each.score} for each in found]
        field = "data" if "return_documents" in body else "results"
        return 200, {field: sorted(items, key=lambda item: -item["relevance_score"])}


@pytest.fixture
def service() -> Iterator[Rerankers]:
    state = Rerankers()
    with served(state):
        yield state


@pytest.fixture
def client(service: Rerankers) -> Iterator[Callable[..., Any]]:
    built: list[Any] = []

    def make(name: str, **options: Any) -> Any:
        options = {"url": f"{service.url}/v1", "api_key": KEY, "timeout": 5.0, "first_pause": 0.001, **options}
        built.append(plugins.build("rerankers", name, **options))
        return built[-1]

    yield make
    for reranker in built:
        reranker.service.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_service_reranker_keeps_every_promise(client: Callable[..., Any], name: str) -> None:
    reranker = client(name, timeout=30.0)
    assert reranker.name == name
    check_reranker(reranker)


@pytest.mark.parametrize("name", NAMES)
def test_the_documented_request_goes_out(service: Rerankers, client: Callable[..., Any], name: str) -> None:
    client(name).rerank("why?", (*TEXTS, " ", "lone \ud800 surrogate"))
    path, body, authorization = service.requests[0]
    assert (path, authorization) == ("/v1/rerank", f"Bearer {KEY}")
    assert (body["query"], body["documents"]) == ("why?", [*TEXTS, "lone ? surrogate"])
    assert body["model"] == {"cohere": "rerank-v3.5", "voyage": "rerank-2.5"}[name]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_sent_for_a_question_or_texts_without_a_word(
    service: Rerankers, client: Callable[..., Any], name: str
) -> None:
    reranker = client(name)
    assert reranker.rerank(" ", TEXTS[:1]) == (Reranked(0, 0.0),)
    assert reranker.rerank("why", ("", " ")) == (Reranked(0, 0.0), Reranked(1, 0.0))
    assert not service.requests


def _items(*pairs: tuple[Any, Any]) -> list[Any]:
    return [{"index": index, "relevance_score": score} for index, score in pairs]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (_items((2, 0.9), (0, 0.4)), {0: 0.4, 2: 0.9}),
        (_items((0, 0.4), (3, 0.9), (-1, 0.9), (10**30, 0.9)), {0: 0.4}),
        (_items(("0", 0.4), (1.0, 0.4), (True, 0.4), (None, 0.4), (2, 0.4)), {2: 0.4}),
        (_items((0, float("nan")), (1, float("inf")), (2, 0.5)), {2: 0.5}),
        (_items((0, "0.4"), (1, None), (2, [0.4])), {}),
        (_items((0, True), (1, 10**400), (2, 0.5)), {2: 0.5}),
        (_items((0, 1.5), (1, -3)), {0: 1.0, 1: 0.0}),
        (_items((0, 0.1), (0, 0.9), (1, 0.5), (0, 0.7)), {0: 0.1, 1: 0.5}),
        (_items(*((n, 0.5) for n in range(5_000))), {0: 0.5, 1: 0.5, 2: 0.5}),
        ([None, 3, "x", [], {}, {"index": 0}, {"relevance_score": 1}], {}),
        ([], {}),
    ],
)
def test_of_a_bad_answer_what_is_usable_is_taken(
    service: Rerankers, client: Callable[..., Any], name: str, items: list[Any], expected: dict[int, float]
) -> None:
    service.script = [{FIELDS[name]: items}]
    assert {each.index: each.score for each in client(name).rerank("why", TEXTS)} == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"<html>hello</html>", "did not answer with JSON"),
        (b"[" * 100_000, "more than 50,000 values"),
        (b"[" * 40_000, "did not answer with JSON"),
        ({"other": []}, "without a list"),
        ({"data": {}, "results": "x"}, "without a list"),
        ([], "without a list"),
        (None, "without a list"),
        (b" " * 3_000_000, "more than 2,000,000 bytes"),
        ((401, {"detail": f"bad key {KEY}"}), "answered 401"),
        ((302, {}), "answered 302"),
    ],
)
def test_an_answer_of_another_kind_is_one_line_without_the_key(
    service: Rerankers, client: Callable[..., Any], name: str, answer: Any, said: str
) -> None:
    service.script = [answer]
    with pytest.raises(EmbedderError, match=said) as caught:
        client(name).rerank("why", TEXTS)
    assert KEY not in str(caught.value)
    assert "\n" not in caught.value.message
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_once_more(service: Rerankers, client: Callable[..., Any], status: int) -> None:
    service.script = [(status, {"error": "busy"})]
    assert client("voyage").rerank("limited bookings", TEXTS)[0].score > 0
    service.script = [(status, {})] * 5
    with pytest.raises(EmbedderError, match=str(status)):
        client("cohere").rerank("why", TEXTS)
    assert len(service.requests) == 4


@pytest.mark.parametrize("name", NAMES)
def test_a_slow_drip_is_given_up(service: Rerankers, client: Callable[..., Any], name: str) -> None:
    service.drip = 0.05
    started = time.monotonic()
    with pytest.raises(EmbedderError, match=r"did not end its answer within 0\.3 seconds"):
        client(name, timeout=0.3).rerank("why", TEXTS)
    assert time.monotonic() - started < 15


def test_a_service_that_is_not_there_is_named(client: Callable[..., Any]) -> None:
    with pytest.raises(EmbedderError, match=r"reranking service at http://127\.0\.0\.1:9"):
        client("voyage", url="http://127.0.0.1:9").rerank("why", TEXTS)


@pytest.mark.parametrize("name", NAMES)
def test_the_public_service_is_not_asked_without_a_key(name: str) -> None:
    with pytest.raises(EmbedderError, match="needs an API key"):
        plugins.build("rerankers", name)
