"""Small workspaces for rows: quick to make, with a bit of everything that a database keeps of one."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from docgraph import Document, RetrievalRequest, plugins
from docgraph.domain.finding import Decision, Finding, Rule
from docgraph.domain.graph import Relationship
from docgraph.domain.run import Run
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.confined import confined
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

DOCUMENTS = [Document(document_id=i, title=f"Queue {i}", text=f"The queue {i} is bounded.") for i in "abcd"]
EDGE = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
OTHER = EDGE.model_copy(update={"to_document_id": "c"})
REQUEST = RetrievalRequest(query="queue a", seed_document_ids=("a",))
FINDING = Finding.about("hub", "info", "x", document_ids=("a",))
DECISION = Decision(decision_id="x", check_id="hub", severity="info", label="x", finding_ids=("x",))
SETTLED = {"graph": "available", "memory": "available"}
"""Providers of which the caller says that they can be asked: what failed before does not count."""


def opened(database: Database, workspace: str = "w", *, dimension: int = 16) -> Docgraph:
    """A workspace with the small embedder, and with the checks, measures and providers of the product."""
    adapters = Adapters(
        database=database,
        embedder=HashingEmbedder(dimension),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=plugins.several("loaders", plugins.available("loaders"), used=confined),
        extractors=plugins.several("extractors", plugins.available("extractors")),
        checks=plugins.several("checks", plugins.available("checks")),
        measures=plugins.several("measures", plugins.available("measures")),
        providers=tuple(plugins.build("providers", name) for name in ("graph", "memory")),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, workspace)


def small(url: str, *, pool_size: int = 2) -> Docgraph:
    """A docgraph over the workspace ``w`` of this database; close it."""
    return opened(plugins.build("stores", "postgres", database_url=url, pool_size=pool_size))


def fill(dg: Docgraph) -> dict[str, Any]:
    """Make the workspace ``w`` anew, with something in every table; gives what later calls need of it."""
    for kept in (*dg.runs.list(everywhere=True), *dg.runs.list(everywhere=True, deleted=True)):
        dg.runs.delete(kept.run_id, forever=True)
    for name in {workspace.name for workspace in dg.workspaces()}:
        dg.drop_workspace(name)
    dg.create_workspace("w")
    for each in dg.use_workspace("w").query_sets.list():
        dg.use_workspace("w").query_sets.remove(each.name)
    dg.ingest_records(DOCUMENTS, [EDGE])
    entry = dg.relationships.edit([{"action": "accept", "key": EDGE.key}], by="me", new_types=True)[0]
    dg.relationships.set_type_role("explains", "adds_documents", by="me")
    dg.relationships.try_types(n_questions=20)
    dg.judgments.judge("queue a", "a", True, by="me")
    dg.judgments.judge_passage("queue a", "a#0", 2, by="me")
    dg.query_sets.keep([{"query": "queue a", "grades": {"a": 2}}], name="mine")
    evaluation = dg.query_sets.run("mine", workers=1).evaluation_id
    dg.memory.remember("The queue holds 100.", conversation_id="c")
    dg.rules.set({"hub": Rule(on=False)})
    dg.rules.dismiss([FINDING], by="me", reason="why")
    dg.triage.comment([DECISION], "Somebody knows.", by="me")
    run: Run = dg.run(REQUEST)
    saved = dg.runs.save(run, name="first")
    gone = dg.runs.delete(dg.runs.save("queue b", name="gone").run_id)
    return {"entry": entry, "run": run, "saved": saved, "gone": gone.run_id, "evaluation": evaluation}


def stored(connection: psycopg.Connection[Any]) -> dict[str, tuple[int, str]]:
    """Table → (number of rows, hash of all of them), of every table that docgraph keeps in a database."""
    tables = connection.execute(
        "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = 'docgraph' OR schemaname LIKE 'ws\\_%'"
    ).fetchall()
    one = sql.SQL(
        "SELECT {name}, count(*)::int, coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') FROM {table} t"
    )
    parts = [
        one.format(name=sql.Literal(f"{schema}.{table}"), table=sql.Identifier(schema, table))
        for schema, table in tables
    ]
    rows = connection.execute(sql.SQL(" UNION ALL ").join(parts)).fetchall() if parts else []
    return {name: (n, content) for name, n, content in sorted(rows)}
