"""Every statement of every public operation fails once: a typed error, nothing half-done, and the next call works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from docgraph import Document, RetrievalRequest, plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.integration.commands import connection_states

DOCUMENTS = [Document(document_id=i, title=i, text=f"The queue {i} is bounded.") for i in "abcd"]
EDGE = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
OTHER = EDGE.model_copy(update={"to_document_id": "c"})
REQUEST = RetrievalRequest(query="queue a")
OPERATIONS: dict[str, Callable[[Docgraph], Any]] = {
    "plan": lambda dg: dg.plan(REQUEST),
    "run": lambda dg: dg.run(REQUEST),
    "explain": lambda dg: dg.explain(REQUEST, "b"),
    "documents": lambda dg: list(dg.documents.list()),
    "relationships": lambda dg: list(dg.relationships.list()),
    "chunks": lambda dg: dg.documents.chunks("a"),
    "health": lambda dg: dg.health(),
    "ingest": lambda dg: dg.ingest_records([Document(document_id="a", title="a", text="Changed.")], [OTHER]),
    "delete": lambda dg: dg.documents.delete(["a"]),
    "add": lambda dg: dg.relationships.add(OTHER),
    "move": lambda dg: dg.relationships.update(EDGE.key, EDGE.model_copy(update={"relation_type": "explains"})),
    "remove": lambda dg: dg.relationships.remove(EDGE.key),
    "edit": lambda dg: dg.relationships.edit(
        [Edit(action="accept", key=EDGE.key), Edit(action="add", key=OTHER.key)], by="me"
    ),
    "export": lambda dg: list(dg.relationships.export("jsonl", history=True)),
    "import": lambda dg: dg.relationships.import_file(b"from,type,to\na,explains,c\n", by="me"),
    "history": lambda dg: dg.relationships.history(document_id="a"),
    "off": lambda dg: dg.relationships.set_off_types(["explains"]),
    "open": lambda dg: dg.use_workspace("w").workspace,
    "create": lambda dg: dg.create_workspace("other"),
    "drop": lambda dg: dg.drop_workspace("w"),
}


class Fault:
    """Makes the n-th statement from now fail, as a server that goes away does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 0
        for kind in (psycopg.Connection, psycopg.Cursor):
            monkeypatch.setattr(kind, "execute", self._watched(kind.execute))

    def _watched(self, execute: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                raise psycopg.OperationalError("server closed the connection unexpectedly")
            return execute(*arguments, **options)

        return watched


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    adapters = Adapters(
        database=plugins.build("stores", "postgres", database_url=new_database_url, pool_size=2),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
    )
    with Docgraph(adapters, "w") as opened:
        yield opened


def refill(dg: Docgraph) -> None:
    for name in {workspace.name for workspace in dg.workspaces()}:
        dg.drop_workspace(name)
    dg.create_workspace("w")
    dg.ingest_records(DOCUMENTS, [EDGE])


def fails(dg: Docgraph, operation: Callable[[Docgraph], Any]) -> bool:
    try:
        operation(dg)
    except StoreError as error:
        return "closed the connection" in error.message
    return False


@pytest.mark.parametrize("name", OPERATIONS)
def test_any_statement_may_fail(
    dg: Docgraph, new_database_url: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    refill(dg)
    before, fault = dg.workspaces(), Fault(monkeypatch)
    for number in range(1, 100):
        fault.left = number
        failed, came = fails(dg, OPERATIONS[name]), fault.left <= 0
        fault.left = 0
        assert failed == came, f"statement {number} failed and nobody was told"
        if not came:
            break
        # An import whose last question fails, about the revision for its report, has stored its whole batch.
        assert name == "ingest" or dg.workspaces() == before, f"statement {number}"
        assert dg.plan(REQUEST).seed_documents
    assert 1 < number < 100
    assert set(connection_states(new_database_url)) <= {"idle"}
