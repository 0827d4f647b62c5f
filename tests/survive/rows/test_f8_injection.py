"""F8: SQL in every text that anybody can give is a text like any other: unknown, or stored as it was written."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from docgraph import Document, RetrievalRequest
from docgraph.domain.graph import Relationship
from docgraph.domain.packet import PacketRequest
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import SETTLED, fill, small, stored

ROW = Row(
    row="F8",
    what="SQL, identifiers, operators of full text and LIKE, through every public text",
    rule="the same as a harmless unknown value; rows and tables unchanged",
    n=500,
    short=200,
    case="a text with SQL in an argument",
)
HARMLESS = "zzharmless"
PAYLOADS = (
    "O'Brien",
    "zzz') OR ('1'='1",
    "'; DROP TABLE docgraph.workspaces; --",
    '"; DROP SCHEMA ws_w CASCADE; --',
    "w; DELETE FROM ws_w.document_nodes",
    "a' UNION SELECT usename FROM pg_user --",
    "\\'; SELECT pg_sleep(9); --",
    "$$; SELECT 1; $$",
    "%(name)s %s %%",
    "{schema}.{table}",
    "a' AND 1=CAST((SELECT version()) AS int) --",
    "!!! & | ( ) <-> :*",
    "_%",
    "E'\\x27' || chr(39)",
    "/* */ -- ;",
    "a  'b",
    "‘’＇ʼ'",
    "zzz'::text) --",
)
Ask = Callable[[Docgraph, str], Any]
ASKS: dict[str, Ask] = {
    "documents.list doc_type": lambda dg, s: [d.document_id for d in dg.documents.list(doc_type=s)],
    "documents.list text": lambda dg, s: list(dg.documents.list(text=s)),
    "documents.get": lambda dg, s: dg.documents.get(s),
    "documents.by_id": lambda dg, s: dg.documents.by_id([s]),
    "documents.fields": lambda dg, s: dg.documents.fields(),
    "documents.chunks": lambda dg, s: dg.documents.chunks(s),
    "documents.delete": lambda dg, s: dg.documents.delete([s]),
    "relationships.list document": lambda dg, s: list(dg.relationships.list(document_id=s)),
    "relationships.list type": lambda dg, s: list(dg.relationships.list(relation_type=s)),
    "relationships.evidence": lambda dg, s: dg.relationships.evidence(s, "a"),
    "relationships.remove": lambda dg, s: dg.relationships.remove(("a", s, "b")),
    "relationships.history": lambda dg, s: dg.relationships.history(document_id=s),
    "relationships.undo_act": lambda dg, s: dg.relationships.undo_act(s, by="me"),
    "relationships.export": lambda dg, s: list(dg.relationships.export("csv", document_id=s, relation_type=s)),
    "runs.get": lambda dg, s: dg.runs.get(s),
    "runs.list": lambda dg, s: dg.runs.list(text=f"{s} nowhere"),
    "runs.restore": lambda dg, s: dg.runs.restore(s),
    "runs.delete": lambda dg, s: dg.runs.delete(s, forever=True),
    "judgments.list": lambda dg, s: dg.judgments.list(s),
    "memory.list": lambda dg, s: dg.memory.list(conversation_id=s),
    "memory.forget": lambda dg, s: dg.memory.forget(conversation_id=s),
    "memory.forget ids": lambda dg, s: dg.memory.forget(memory_ids=[s]),
    "rules.withdraw": lambda dg, s: dg.rules.withdraw([s]),
    "plan seed": lambda dg, s: dg.plan(RetrievalRequest(query="queue a", seed_document_ids=(s,))),
    "plan types": lambda dg, s: dg.plan(RetrievalRequest(query="queue a", relation_types=(s,))).document_ids,
    "explain": lambda dg, s: dg.explain("queue a", s),
    "retrieve channel": lambda dg, s: (
        dg.retrieve(PacketRequest(query="queue a", channel=s), statuses=SETTLED).next_action.branch_code  # type: ignore[arg-type]
    ),
    "open workspace": lambda dg, s: dg.use_workspace(s).workspace,
    "create workspace": lambda dg, s: dg.create_workspace(f"{s}!"),
    "drop workspace": lambda dg, s: dg.drop_workspace(s),
}
OPERATORS = (("documents.list text", "_%"),)
"""What the short form does not leave out: operators where a part of a text is looked for."""
QUESTIONS: dict[str, Ask] = {
    "plan": lambda dg, s: dg.plan(RetrievalRequest(query=f"queue {s}", seed_signal="hybrid")),
    "run": lambda dg, s: dg.run(RetrievalRequest(query=s, seed_signal="chunk")),
    "retrieve": lambda dg, s: dg.retrieve(s, statuses=SETTLED),  # type: ignore[arg-type]
    "recall": lambda dg, s: dg.memory.recall(s, conversation_id=s),
}
"""Where words are looked for: whatever is found, nothing fails and nothing changes."""


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with small(new_database_url) as made:
        fill(made)
        yield made


def _outcome(dg: Docgraph, ask: Ask, text: str) -> str:
    """What came of it, with the text itself taken out."""
    try:
        said = repr(ask(dg, text))
    except DocgraphError as error:
        assert "\n" not in str(error)
        return type(error).__name__
    return said.replace(repr(text)[1:-1], "…").replace(text, "…")


def _written(dg: Docgraph, text: str) -> None:
    """A document, its relationship, a judgment and a memory that say it say exactly that; then they are gone."""
    given = Document(document_id=text, title=text, text=f"About {text}", doc_type=text[:40], metadata={text: text})
    edge = Relationship(
        from_document_id=text, relation_type=text, to_document_id="a", relationship_metadata={"x": text}
    )
    report = dg.ingest_records([given], [edge])
    assert report.n_stored == 1, report.outcomes
    (name,) = [outcome.document_id for outcome in report.outcomes]
    assert name is not None
    found = dg.documents.get(name)
    assert found.metadata == {text: text} or "\t" in text
    assert [each.to_document_id for each in dg.relationships.list(document_id=name)] == ["a"]
    dg.memory.remember(text, conversation_id=text)
    assert [memory.text for memory in dg.memory.list(conversation_id=text)] == [text.strip()] or "\n" in text
    dg.memory.forget(conversation_id=text)
    assert dg.documents.delete([name]) == 1


@pytest.mark.timeout(600)
def test_f8_a_text_with_sql_in_it_is_a_text(tally: Tally, dg: Docgraph, new_database_url: str) -> None:
    with psycopg.connect(new_database_url, autocommit=True) as watching:
        before = stored(watching)
        harmless = {name: _outcome(dg, ask, HARMLESS) for name, ask in ASKS.items()}
        assert stored(watching) == before
        asks = list(itertools.product((ASKS | QUESTIONS).items(), PAYLOADS))
        always = [((name, ASKS[name]), payload) for name, payload in OPERATORS]
        for (name, ask), payload in dict.fromkeys([*tally.some(asks), *always]):
            with tally.trying(f"{name}: {payload!r}"):
                said = _outcome(dg, ask, payload)
                assert name in QUESTIONS or said == harmless[name] or said.endswith("Error"), said
                assert not said.startswith("StoreError"), said
                assert stored(watching) == before
        for payload in PAYLOADS:
            with tally.trying(f"written: {payload!r}"):
                _written(dg, payload)
                now = stored(watching)
                assert set(now) == set(before)
                assert now["ws_w.document_nodes"] == before["ws_w.document_nodes"]
