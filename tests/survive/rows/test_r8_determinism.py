"""R8: the same question gives the same bytes in every process, in any order of rows on disk, with equal vectors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO

import psycopg
import pytest

from docgraph import Document, plugins
from docgraph.domain.graph import Relationship
from tests import ROOT
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened, small

ROW = Row(
    row="R8",
    what="100 questions in 5 ways: other hash seeds, rows shuffled on disk, backed up and restored; equal vectors",
    rule="one distinct JSON a question",
    n=100,
    short=12,
    case="a question",
)
WORDS = ("queue", "slot", "alarm", "storm", "clock", "crane", "hold", "route")
_PROGRAM = """
import hashlib, json, sys
sys.path.insert(0, {root!r})
from tests.survive.workspaces import small
with small({url!r}) as dg:
    for query in json.load(sys.stdin):
        run = dg.run({{"query": query, "seed_signal": "hybrid", "max_documents": 6}})
        said = run.plan.model_dump_json() + run.context.model_dump_json()
        print(hashlib.sha256(said.encode()).hexdigest())
"""
N_DOCUMENTS = 60


def _fill(url: str) -> None:
    """Every third text stands in three documents: their vectors, and so their scores, are equal."""
    documents, edges = [], []
    for n in range(N_DOCUMENTS):
        text = f"The {WORDS[n // 3 % 8]} waits for the {WORDS[n // 5 % 8]}."
        documents.append(Document(document_id=f"d{n}", title=f"About {WORDS[n // 3 % 8]}", text=text, summary=text))
        edges.append(
            Relationship(from_document_id=f"d{n}", relation_type="explains", to_document_id=f"d{n * 7 % N_DOCUMENTS}")
        )
    with opened(plugins.build("stores", "postgres", database_url=url)) as dg:
        dg.ingest_records(documents, edges)


def _shuffle(url: str, seed: str) -> None:
    """Write every row of the workspace anew, in another order."""
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'ws_w'").fetchall()
        for (table,) in tables:
            if table == "alembic_version":
                continue
            keep = f"CREATE TEMP TABLE kept AS SELECT t, md5(t::text || '{seed}') AS k FROM ws_w.{table} t"
            connection.execute(keep.encode())
            connection.execute(f"DELETE FROM ws_w.{table}".encode())
            columns = connection.execute(
                "SELECT string_agg(quote_ident(column_name), ', '), "
                "string_agg('(t).' || quote_ident(column_name), ', ') FROM information_schema.columns "
                "WHERE table_schema = 'ws_w' AND table_name = %s AND is_generated = 'NEVER'",
                (table,),
            ).fetchone()
            assert columns is not None
            into = f"INSERT INTO ws_w.{table} ({columns[0]}) SELECT {columns[1]} FROM kept ORDER BY k"
            connection.execute(into.encode())
            connection.execute("DROP TABLE kept")


def _restore(url: str, other: str) -> None:
    """The product's own way from one database to another."""
    file = BytesIO()
    with small(url) as dg:
        dg.backups.write(file)
    file.seek(0)
    with small(other) as dg:
        dg.backups.restore(file)


def _asked(url: str, questions: list[str], seed: str) -> list[str]:
    code = _PROGRAM.format(root=str(ROOT), url=url)
    ended = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(questions),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2_000:]
    return ended.stdout.split()


@pytest.mark.timeout(900)
def test_r8_the_same_question_gives_the_same_bytes(
    tally: Tally, new_database_url: str, embedded_database_url: str
) -> None:
    _fill(new_database_url)
    questions = [f"{WORDS[n % 8]} {WORDS[n // 8 % 8]} {n % 3}" for n in range(tally.n)]
    answers = [_asked(new_database_url, questions, "0")]
    if tally.whole:
        answers += [_asked(new_database_url, questions, seed) for seed in ("1", "4294967295")]
    _shuffle(new_database_url, str(tally.seed))
    answers.append(_asked(new_database_url, questions, "7"))
    name = new_database_url.split("/test_")[1].split("?")[0]
    copy = f"copy_{name}"
    restored = new_database_url.replace(f"/test_{name}?", f"/{copy}?")
    with psycopg.connect(embedded_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {copy}".encode())
        _restore(new_database_url, restored)
        answers.append(_asked(restored, questions, "random"))
        connection.execute(f"DROP DATABASE {copy} WITH (FORCE)".encode())
    for question, *said in zip(questions, *answers, strict=True):
        with tally.trying(question):
            assert len(set(said)) == 1, said
    tally.more["ways"] = len(answers)
