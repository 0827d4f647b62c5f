"""mem0 runs for real, and the rerankers send what the services' own clients send."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import own_environment
from tests.conversations import default_embedder
from tests.http_services import Answer, Service, served

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
KEY = "marker-secret"
QUERY = "How long is the booking queue?"
TEXTS = ("Zebras eat grass in Kenya", "The queue holds 400 bookings", "A booking waits in the queue")


class Local(Service):
    """Embeds by the bundled vectors, and reranks by the length of the texts; any other path is a mistake."""

    def answer(self, path: str, body: dict[str, Any]) -> Answer:
        if path == "/v1/embeddings":
            rows = default_embedder().embed(body["input"]).tolist()
            return 200, {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}
        scores = [{"index": place, "relevance_score": len(text) / 100} for place, text in enumerate(body["documents"])]
        if path == "/v1/rerank":
            return 200, {"object": "list", "data": scores, "model": body["model"], "usage": {"total_tokens": 7}}
        return (200, {"results": scores, "id": "1", "meta": {}}) if path == "/v2/rerank" else (404, {"message": path})


@pytest.fixture
def local() -> Iterator[Local]:
    service = Local()
    service.headers = {"Content-Type": "application/json"}
    with served(service):
        yield service


def test_mem0_remembers_and_finds_in_our_postgresql_without_a_language_model(
    new_database_url: str, local: Local
) -> None:
    given = {"database_url": new_database_url, "embedder_url": f"{local.url}/v1", "query": QUERY, "texts": TEXTS}
    said = own_environment.run(HERE / "mem0_program.py", given)
    assert said["version"].startswith("2.")
    assert (said["n_added"], said["failures"], said["rerank_type"]) == ([3, 1], {}, "provider-native")
    first, score, kind = said["found"][0]
    assert first in TEXTS[1:]
    assert (kind, 0.3 < score <= 1) == ("cosine", True)
    assert {content for content, *_ in said["found"]} <= set(TEXTS)
    assert said["same"]
    assert set(said["called"]) <= {"127.0.0.1"}
    assert {path for path, *_ in local.requests} == {"/v1/embeddings"}


def test_the_rerankers_send_what_the_services_own_clients_send(local: Local) -> None:
    given = {"url": local.url, "key": KEY, "query": QUERY, "texts": TEXTS}
    said = own_environment.run(HERE / "rerank_program.py", given)
    assert said["ours"] == said["theirs"]
    sent = {
        path: [(body, said) for at, body, said in local.requests if at == path] for path in ("/v1/rerank", "/v2/rerank")
    }
    for theirs, ours in sent.values():
        assert ours[1] == theirs[1] == f"Bearer {KEY}"
        assert {name: ours[0][name] for name in ("model", "query", "documents")} == {
            name: theirs[0][name] for name in ("model", "query", "documents")
        }
    voyage, cohere = ([each[0] for each in sent[path]] for path in ("/v1/rerank", "/v2/rerank"))
    assert voyage[0].get("truncation") == voyage[1]["truncation"] is True
    assert set(voyage[1]) - set(voyage[0]) <= {"return_documents"}  # documented; their client leaves it at its default
    assert set(cohere[1]) == set(cohere[0])
