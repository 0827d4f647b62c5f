"""An import that is killed or stopped leaves whole documents, and running it again ends where it would have ended."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer

import docgraph
from docgraph.cli.commands import dashboard
from docgraph.ingestion import importing
from tests import ROOT

SAMPLE = ROOT / "sample_data" / "harbor"
TOLD = ((6, 9), (10, 13), (14, 17))
"""How often an import has told of itself when it is killed: 4 times while reading, 4 while linking, then after each of
14 batches. Row R1 of the programme of faults kills imports at statements and at random times, too."""
_IMPORT = """
import sys
sys.path.insert(0, {root!r})
import docgraph
from docgraph.ingestion import importing
importing.BATCH_DOCUMENTS = 4
class Told:
    def update(self, done, total, message):
        print("told", flush=True)
    def cancelled(self):
        return False
with docgraph.connect({url!r}, workspace="w") as dg:
    dg.ingest({sample!r}, progress=Told())
"""
Contents = dict[str, tuple[int, int, tuple[str, ...]]]


@pytest.fixture(scope="module")
def undisturbed() -> tuple[str, int]:
    """(revision, number of documents) of an import that nothing interrupted; the store makes no difference."""
    with docgraph.connect(store="memory", workspace="w") as dg:
        report = dg.ingest(SAMPLE)
    return report.revision, report.n_stored


def contents(url: str, workspace: str) -> Contents:
    """document_id → (chunks that it should have, chunks that are there, its relationships)."""
    with psycopg.connect(url, autocommit=True) as connection:
        if connection.execute("SELECT to_regclass(%s)", (f"ws_{workspace}.document_nodes",)).fetchone() == (None,):
            return {}  # killed before the first document: that makes the workspace
        rows = connection.execute(f"""
            SELECT document_id, n_chunks,
              (SELECT count(*) FROM ws_{workspace}.vector_chunks c WHERE c.document_id = d.document_id),
              ARRAY(SELECT relation_type || ' ' || to_document_id FROM ws_{workspace}.document_relationships r
                    WHERE r.from_document_id = d.document_id ORDER BY 1)
            FROM ws_{workspace}.document_nodes d""").fetchall()
        loose = connection.execute(
            f"SELECT count(*) FROM ws_{workspace}.vector_chunks WHERE document_id <> ALL(%s)", ([r[0] for r in rows],)
        ).fetchone()
        counted = connection.execute(
            "SELECT n_documents, n_chunks, n_relationships FROM docgraph.workspaces WHERE name = %s", (workspace,)
        ).fetchone()
    assert loose == (0,)
    assert counted == (len(rows), sum(row[2] for row in rows), sum(len(row[3]) for row in rows))
    return {row[0]: (row[1], row[2], tuple(row[3])) for row in rows}


def kill_while_importing(url: str, n_told: int, pause: float) -> None:
    """Kill -9 shortly after the import has told of itself ``n_told`` times."""
    code = _IMPORT.format(root=str(ROOT), url=url, sample=str(SAMPLE))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(n_told):
        assert process.stdout.readline() == "told\n"
    time.sleep(pause)  # any moment will do: this only makes them differ
    process.kill()
    process.communicate()
    assert process.returncode in (-9, 0)  # 0: on a busy machine it may come to its end meanwhile


def test_a_killed_import_leaves_whole_documents_and_ends_the_same_when_it_is_run_again(
    undisturbed: tuple[str, int], new_database_url: str
) -> None:
    revision, n_documents = undisturbed
    with docgraph.connect(new_database_url, workspace="whole") as dg:
        dg.ingest(SAMPLE)
        assert dg.workspace.revision == revision
    whole, seed, stored = contents(new_database_url, "whole"), random.randrange(10**6), set[int]()
    chance = random.Random(seed)
    with docgraph.connect(new_database_url, workspace="w") as dg:
        for least, most in TOLD:
            kill_while_importing(new_database_url, chance.randint(least, most), chance.uniform(0, 0.03))
            found = contents(new_database_url, "w")
            assert found.items() <= whole.items(), f"seed {seed}"
            stored.add(len(found))
            report = dg.ingest(SAMPLE)
            assert report.revision == revision, f"seed {seed}"
            assert (report.n_skipped, report.n_stored) == (len(found), n_documents - len(found))
            assert contents(new_database_url, "w") == whole
            dg.documents.delete(list(whole))
            assert dg.workspace.n_relationships == 0
    assert len(stored) > 1, f"every kill came at the same place; seed {seed}"


# ---------------------------------------------------------------- the sample of the first start


class _StopsAfter:
    """A Progress on which somebody presses Ctrl+C once ``n`` documents are done."""

    def __init__(self, n: int) -> None:
        self._left, self._done = n, 0

    def update(self, done: int, total: int, message: str) -> None:
        self._done = done if message.startswith("stored") else 0

    def cancelled(self) -> bool:
        return self._done >= self._left


@pytest.fixture
def sample(new_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", new_database_url)
    monkeypatch.setenv("DOCGRAPH_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 8)
    return new_database_url


def interrupt(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    @contextmanager
    def interrupted(**_: Any) -> Iterator[_StopsAfter]:
        yield _StopsAfter(10)

    with monkeypatch.context() as context:
        context.setattr(dashboard, "import_progress", interrupted)
        with pytest.raises(typer.Exit) as stopped:
            dashboard.load_sample(folder)
    assert stopped.value.exit_code == 130


def test_an_interrupted_sample_is_completed_at_the_next_start_and_then_left_alone(
    undisturbed: tuple[str, int], sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, tmp_path)
    assert len(contents(sample, "harbor")) == 24  # two batches were done, and the one beside them was finished
    dashboard.load_sample(tmp_path)
    with docgraph.connect(workspace="harbor") as dg:
        assert (dg.workspace.revision, dg.workspace.n_documents) == undisturbed
        assert dg.judgments.list(), "the sample comes with its judgments"
        assert [(each.name, each.n) for each in dg.query_sets.list()] == [("Sample questions", 32)]
        dg.documents.delete(["adr-011"])  # a person did that
        changed = dg.workspace.revision
        dg.query_sets.remove("Sample questions")  # and that
        dashboard.load_sample(tmp_path)
        assert (dg.workspace.revision, dg.query_sets.list()) == (changed, ())
    assert list(tmp_path.iterdir()) == []


def test_a_sample_that_was_loaded_by_hand_is_left_alone_too(sample: str, tmp_path: Path) -> None:
    with docgraph.connect(workspace="harbor") as dg:
        dg.ingest(SAMPLE / "decisions")
        before = dg.workspace
        dashboard.load_sample(tmp_path)
        assert dg.workspace == before
