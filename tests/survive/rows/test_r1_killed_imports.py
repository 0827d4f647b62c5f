"""R1: an import is killed at any statement or time; what is there is whole, and the next run completes it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import suppress

import pytest

import docgraph
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT
from tests.integration.test_interrupted_imports import SAMPLE, contents
from tests.survive.killing import AT_A_STATEMENT
from tests.survive.tally import Row, Tally

ROW = Row(
    row="R1",
    what="kill -9 of the importing process, at every k-th statement, within writes and at random times",
    rule="every acknowledged document whole, none partial; the same import again ends with an identical export",
    n=100,
    short=3,
    case="a statement, before or after it, or a moment, at which the importing process is killed",
    situations=66,
)
_IMPORT = (
    AT_A_STATEMENT
    + """
import sys
sys.path.insert(0, {root!r})
import docgraph
from docgraph.ingestion import importing
importing.BATCH_DOCUMENTS = 4
copies, copy = {copies}, psycopg.Cursor.copy
def copied(cursor, *arguments, **options):
    global copies
    copies -= 1
    if copies == 0:
        os.kill(os.getpid(), 9)
    return copy(cursor, *arguments, **options)
class Told:
    def update(self, done, total, message):
        if message.startswith("stored"):
            print(done, flush=True)
    def cancelled(self):
        return False
with docgraph.connect({url!r}, workspace="w") as dg:
    psycopg.Connection.wait, psycopg.Cursor.copy = watched, copied
    print("up", flush=True)
    dg.ingest({sample!r}, progress=Told())
"""
)
CHUNKS_OF_A_WRITE = (2, 5)
"""Each write copies documents, chunks and relationships: before these calls of the kind there are documents alone."""
STATEMENTS = 90
"""About as many round trips as the import makes."""


def killed(url: str, rng: random.Random, number: int) -> int:
    """How many documents an import acknowledged before it was killed: at a time, at a statement, within a write."""
    statement, copies = rng.randrange(1, STATEMENTS) if number % 3 == 1 else 0, 0
    if number % 3 == 2:
        copies = rng.choice(CHUNKS_OF_A_WRITE)
    code = _IMPORT.format(
        root=str(ROOT),
        url=url,
        sample=str(SAMPLE),
        statement=statement,
        copies=copies,
        before=rng.choice([True, False]),
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    if not statement and not copies:
        time.sleep(rng.uniform(0, 1.5))  # any moment will do: this only makes them differ
        with suppress(ProcessLookupError):
            process.kill()
    told = [int(line) for line in process.communicate()[0].split()]
    return max(told, default=0)


def _exported(dg: Docgraph) -> list[bytes]:
    return list(dg.relationships.export("jsonl"))


@pytest.mark.timeout(900)
def test_r1_a_killed_import_leaves_whole_documents_and_the_next_one_ends_the_same(
    tally: Tally, new_database_url: str
) -> None:
    with docgraph.connect(new_database_url, workspace="whole") as dg:
        dg.ingest(SAMPLE)
        revision, exported = dg.workspace.revision, _exported(dg)
    whole, found_by = contents(new_database_url, "whole"), set[int]()
    with docgraph.connect(new_database_url, workspace="w") as dg:
        dg.create_workspace("w")
        for case in tally.cases():
            with tally.trying(case):
                acknowledged = killed(new_database_url, case.rng, case.number)
                found = contents(new_database_url, "w")
                assert found.items() <= whole.items()
                assert len(found) >= acknowledged, "what was acknowledged is gone"
                found_by.add(len(found))
                report = dg.ingest(SAMPLE)
                assert (report.revision, report.n_skipped) == (revision, len(found))
                assert contents(new_database_url, "w") == whole
                assert _exported(dg) == exported
            dg.documents.delete(list(whole))
    assert not tally.whole or len(found_by) > 3, "every kill came at the same place"
