"""A process that embeds a workspace anew is killed without warning: what is kept is kept, and another one goes on."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import docgraph
from docgraph.domain.graph import Document

DOCUMENTS = [Document(document_id=f"d{n:03}", title=f"Title {n}", text=f"Text {n} of a queue.") for n in range(400)]
PROGRAM = """
import sys, time
import docgraph
from docgraph.ingestion.embedding import anew

anew.AT_ONCE = 30

class Told:
    def update(self, done, total, message):
        print(done, flush=True)
        time.sleep(0.05)

    def cancelled(self):
        return False

with docgraph.connect(sys.argv[1], workspace="killed") as dg:
    dg.embedding.embed("wordllama", dimension=64, questions=0, progress=Told())
"""


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_and_repeats_a_batch_at_most(embedded_database_url: str) -> None:
    """Whose lock it had is free at once; until the end the old vectors answer."""
    with docgraph.connect(embedded_database_url, workspace="killed") as dg:
        dg.ingest_records(DOCUMENTS)
        try:
            answer = dg.plan("queue of 7").document_ids
            n_said = 0
            for _ in range(3):
                program = [sys.executable, "-c", PROGRAM, embedded_database_url]
                with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
                    assert process.stdout is not None
                    for _ in range(5):
                        n_said = int(process.stdout.readline())
                    process.send_signal(signal.SIGKILL)
                state = dg.embedding.state()
                assert state is not None
                assert n_said <= state.n_done < state.n_total == 1_200
                assert dg.plan("queue of 7").document_ids == answer
            report = dg.embedding.embed("wordllama", dimension=64, questions=0)
            assert report.switched
            assert report.n_embedded == report.n_total - state.n_done
            assert dg.workspace.embedder.dimension == 64
            assert dg.plan("queue of 7").document_ids
            assert not [each for each in dg.backups.verify("killed") if each.faults]
        finally:
            dg.drop_workspace("killed")
