"""How often the database is asked: few trips, statements that stay prepared, a lost connection replaced unnoticed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import Run
from docgraph.errors import EmbeddingMismatchError, StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.statements.values import Texts
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

QUESTION = "Why is the Queue bounded?"
TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    """A corpus of which some documents are related and a type is switched off, on a pool of one connection."""
    adapters = Adapters(
        database=plugins.build("stores", "postgres", database_url=new_database_url, pool_size=1),
        embedder=HashingEmbedder(64),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
    )
    with Docgraph(adapters, "w") as made:
        texts = [f"The queue of place {i} is bounded, and number {i} says why." for i in range(30)]
        edges = [
            Relationship(from_document_id=f"d{i}", relation_type="explains", to_document_id=f"d{(i * 7 + 3) % 30}")
            for i in range(30)
        ]
        made.ingest_records((Document(document_id=f"d{i}", title=f"D {i}", text=t) for i, t in enumerate(texts)), edges)
        made.relationships.set_off_types(["mentions"])
        yield made


def pooled(dg: Docgraph) -> Any:
    """The pool's only connection, as one gets it for a reading."""
    return dg.session.adapters.database._reader.connection("look")  # type: ignore[attr-defined]


def trips(dg: Docgraph, file: Path, work: Callable[[], object]) -> tuple[int, int]:
    """(trips that are waited for, COMMITs that nobody waits for) of ``work``, by what libpq writes down."""
    work()  # once before, so that statements are prepared
    with file.open("w") as out:
        with pooled(dg) as connection:
            connection.pgconn.trace(out.fileno())
        work()
        with pooled(dg) as connection:
            connection.pgconn.untrace()
    sent = [line for line in file.read_text().splitlines() if "\tF\t" in line]
    commits = sum("COMMIT" in line for line in sent)
    return sum("\tSync" in line or "\tQuery" in line for line in sent) - commits, commits


@pytest.mark.parametrize(
    ("ask", "most"),
    [
        (lambda dg: dg.plan(QUESTION), 3),
        (lambda dg: dg.run(QUESTION, verify="later"), 4),
        (lambda dg: dg.run(QUESTION), 5),
        (lambda dg: dg.run(QUESTION, verify="full"), 5),
        (lambda dg: dg.compare(QUESTION), 7),
        (lambda dg: dg.workspace, 1),
        (lambda dg: dg.documents.by_id([]), 0),
    ],
    ids=["plan", "plan and execute", "run", "run, asked again", "compare", "workspace", "nothing"],
)
def test_a_question_takes_few_trips(dg: Docgraph, tmp_path: Path, ask: Callable[[Docgraph], object], most: int) -> None:
    waited_for, commits = trips(dg, tmp_path / "trace", lambda: ask(dg))
    assert waited_for <= most
    assert commits <= 1


def test_executing_a_plan_takes_one_trip(dg: Docgraph, tmp_path: Path) -> None:
    plan = dg.plan(QUESTION)
    assert trips(dg, tmp_path / "trace", lambda: dg.execute(plan)) == (1, 1)


def test_a_plan_that_is_refused_beforehand_is_not_read(dg: Docgraph, tmp_path: Path) -> None:
    """By another embedder its evidence may not even be comparable: the database would say so before docgraph does."""
    plan = dg.plan(QUESTION)
    content = {name: getattr(plan, name) for name in RetrievalPlan.model_fields if name != "plan_id"}
    foreign = RetrievalPlan.sealed(**{**content, "embedder_id": "minilm:x:384"})

    def refused() -> None:
        with pytest.raises(EmbeddingMismatchError, match="minilm"):
            dg.execute(foreign)

    trips(dg, tmp_path / "trace", refused)
    assert "vector_chunks" not in (tmp_path / "trace").read_text()


def test_a_run_sends_no_statement_twice_unless_it_is_asked_to(dg: Docgraph) -> None:
    def rankings(run: Run) -> int:
        return sum("row_number() OVER (ORDER BY score DESC" in text for step in run.trace for text in step.statements)

    assert rankings(dg.run(QUESTION)) == 1  # of the plan; without relationships it is a part of the same
    assert rankings(dg.run(QUESTION, verify="full")) == 3  # and both asked again


def test_statements_stay_prepared_and_answers_stay_whole(dg: Docgraph) -> None:
    first = dg.run(QUESTION)
    for _ in range(20):
        again = dg.run(QUESTION)
        assert (again.plan, again.context, again.contract) == (first.plan, first.context, first.contract)
    with pooled(dg) as connection:
        row = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert row[0] >= 5


def test_a_reading_leaves_no_transaction_open(dg: Docgraph, new_database_url: str) -> None:
    """Nobody waits for its COMMIT, so the server may not have heard of it when somebody else looks."""
    dg.plan(QUESTION)
    state = "SELECT DISTINCT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(new_database_url, autocommit=True) as other:
        deadline = time.monotonic() + 30
        while (rows := other.execute(state).fetchall()) != [("idle",)] and time.monotonic() < deadline:
            pass
        assert rows == [("idle",)]


def terminate_all_but(connection: Connection) -> None:
    """End every other connection of the database, and wait until they are gone."""
    pid = connection.info.backend_pid
    connection.execute(TERMINATE, (pid,))
    there = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    while connection.execute(there, (pid,)).fetchone() != (0,):
        pass


def test_a_connection_that_is_lost_before_the_first_read_is_replaced(dg: Docgraph, new_database_url: str) -> None:
    """Nothing tells so before the read: it was looked at already."""
    with dg.session.reading() as snapshot, psycopg.connect(new_database_url, autocommit=True) as other:
        terminate_all_but(other)
        assert snapshot.workspace.n_documents == 30


def test_a_connection_that_is_lost_between_reads_is_an_error(dg: Docgraph, new_database_url: str) -> None:
    """Another connection would see another state of the data."""

    def read_on() -> None:
        with dg.session.reading() as snapshot:
            assert snapshot.workspace.n_documents == 30
            with psycopg.connect(new_database_url, autocommit=True) as other:
                terminate_all_but(other)
            snapshot.documents_by_id(["d1"])

    with pytest.raises(StoreError):
        read_on()
    assert dg.workspace.n_documents == 30


def test_a_workspace_made_anew_under_its_name_is_read_by_the_statements_that_are_prepared(dg: Docgraph) -> None:
    with dg.session.reading() as snapshot:
        before = snapshot.documents_by_id(["d1"])
    dg.drop_workspace("w")
    dg.create_workspace("w")
    dg.ingest_records([Document(document_id="d1", title="Anew", text="Another text.")])
    with dg.session.reading() as snapshot:
        assert (before["d1"].title, snapshot.documents_by_id(["d1"])["d1"].title) == ("D 1", "Anew")


@pytest.mark.parametrize("texts", [(), ("",), ("a", "b c", '{"x",NULL}'), ("é漢🙂", "\\", "NULL", "")])
def test_lists_of_texts_arrive_as_they_were_sent(dg: Docgraph, texts: tuple[str, ...]) -> None:
    with pooled(dg) as connection:
        row = connection.execute("SELECT %s::text[], cardinality(%s)", (Texts(texts), Texts(texts))).fetchone()
    assert row == (list(texts), len(texts))
