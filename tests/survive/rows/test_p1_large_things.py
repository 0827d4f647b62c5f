"""P1: one document with very many chunks, a hub with very many relationships, a huge question: the caps hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from docgraph import Document, RetrievalRequest, plugins
from docgraph.domain.graph import Chunk, Relationship
from docgraph.errors import UserError
from docgraph.ingestion.cutting.chunking import ChunkingOptions
from docgraph.orchestration.docgraph import Docgraph
from docgraph.planning.limits import MAX_EDGES_PER_SEED
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="P1",
    what="documents of 100,000 and of 20,000 chunks, a hub of 50,000 relationships, a question of 1,000,000 characters",
    rule="caps hold, cuts are named; fewer than twice the rows and round trips of the capped case",
    n=10,
    short=10,
    case="something large",
)
CHUNKS, EDGES, OTHERS = 100_000, 50_000, 50
MOST = ChunkingOptions().max_chunks
"""Chunks of the largest document that is taken."""
CAPS = {"hub": MAX_EDGES_PER_SEED, "large": 10}
"""How many relationships of the hub and chunks of the large document the limits of the request let through."""


class Work:
    """Counts round trips and the rows that came by them: what a plan takes, however busy the machine is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.trips = self.rows = 0
        wait, fetchall, fetchone = psycopg.Connection.wait, psycopg.Cursor.fetchall, psycopg.Cursor.fetchone

        def waited(*arguments: Any, **options: Any) -> Any:
            self.trips += 1
            return wait(*arguments, **options)

        def all_of(cursor: Any) -> Any:
            found = fetchall(cursor)
            self.rows += len(found)
            return found

        def one_of(cursor: Any) -> Any:
            self.rows += 1
            return fetchone(cursor)

        monkeypatch.setattr(psycopg.Connection, "wait", waited)
        monkeypatch.setattr(psycopg.Cursor, "fetchall", all_of)
        monkeypatch.setattr(psycopg.Cursor, "fetchone", one_of)

    def of(self, ask: Callable[[], object]) -> tuple[int, int]:
        """(round trips, rows) of a call that was made once before."""
        ask()
        before = self.trips, self.rows
        ask()
        return self.trips - before[0], self.rows - before[1]


def _document(n: int) -> Document:
    chunks = tuple(
        Chunk(chunk_id=f"large#{i}", chunk_index=i, text=f"queue {i}", token_count=2, vector=(1.0, *(0.0,) * 15))
        for i in range(n)
    )
    return Document(
        document_id="large", title="Large queue", summary="queue", vector=(1.0, *(0.0,) * 15), chunks=chunks
    )


def _question(dg: Docgraph, request: RetrievalRequest) -> Callable[[], object]:
    return lambda: dg.execute(dg.plan(request))


@pytest.mark.timeout(1_800)
def test_p1_large_things_are_cut_by_their_caps(
    tally: Tally, new_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_chunks, n_edges, too_many = (MOST, EDGES, CHUNKS) if tally.whole else (2_000, 1_000, MOST + 1)
    request = RetrievalRequest(query="queue", seed_document_ids=("hub",), max_documents=5, max_chunks=10)
    with opened(plugins.build("stores", "postgres", database_url=new_database_url)) as dg:
        others = [Document(document_id=f"d{n}", title=f"Queue {n}", text=f"The queue {n}.") for n in range(OTHERS)]
        targets = [f"d{n}" if n < OTHERS else f"gone{n}" for n in range(n_edges)]
        hub = [Relationship(from_document_id="hub", relation_type="cites", to_document_id=name) for name in targets]
        work, hub_of = Work(monkeypatch), Document(document_id="hub", title="Hub", text="The hub of queues.")
        asks = {name: request.model_copy(update={"seed_document_ids": (name,)}) for name in CAPS}
        dg.ingest_records([*others, hub_of, _document(CAPS["large"])], hub[: CAPS["hub"]])
        capped = {name: work.of(_question(dg, asked)) for name, asked in asks.items()}
        with tally.trying("a large document and a hub are stored whole"):
            dg.ingest_records([hub_of], hub)
            assert len(list(dg.relationships.list(document_id="hub"))) == n_edges
            assert dg.ingest_records([_document(n_chunks)]).n_stored == 1
            assert len(dg.documents.chunks("large")) == n_chunks
        with tally.trying("a document of too many chunks is refused by that, and what is stored of it stays"):
            (refused,) = dg.ingest_records([_document(too_many)]).outcomes
            assert f"has {too_many:,} chunks; at most {MOST:,}" in refused.reason
            assert len(dg.documents.chunks("large")) == n_chunks
        with tally.trying("the plan keeps to its caps and names whom they cut"):
            plan = dg.plan(request)
            assert len(plan.document_ids) <= 5
            assert sum(total.total - total.kept for total in plan.cut_totals) >= len(plan.cut) > 0
        with tally.trying("the evidence keeps to its caps"):
            context = dg.execute(plan)
            assert 0 < context.n_chunks <= 10
            assert set(context.document_ids) <= set(plan.document_ids)
        with tally.trying("the large document gives no more chunks than its cap"):
            wide = dg.execute(dg.plan(request.model_copy(update={"seed_document_ids": ("large",)})))
            (large,) = [each for each in wide.documents if each.document.document_id == "large"]
            assert 0 < len(large.chunks) <= request.max_chunks
        for name, asked in asks.items():
            with tally.trying(f"what the {name} document takes is what its cap lets through"):
                trips, rows = work.of(_question(dg, asked))
                tally.more[f"{name}_rows"] = [capped[name][1], rows]
                assert trips < 2 * capped[name][0]
                assert rows < 2 * capped[name][1]
        with tally.trying("a huge question asks nothing of the database"):
            before = work.trips
            with pytest.raises(UserError, match=r"at most"):
                dg.run({"query": "x " * 500_000})
            assert work.trips == before
        with tally.trying("a huge question is refused in one line"):
            for ask in (lambda q: dg.plan({"query": q}), lambda q: dg.explain({"query": q}, "d1")):
                with pytest.raises(UserError, match=r"at most"):
                    ask("x " * 500_000)
        with tally.trying("a question at its limit is answered"):
            assert dg.plan("queue " * 3_000).document_ids
