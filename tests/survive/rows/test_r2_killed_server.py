"""R2: the embedded server is killed under imports and questions; it is back by itself with all it acknowledged."""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from docgraph import Document, connect
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.server_programs import mains_of, servers_of
from tests.survive.dashboards import kept_asking
from tests.survive.tally import Row, Tally

ROW = Row(
    row="R2",
    what="kill -9 of the embedded server during imports and questions, the dashboard open in a browser",
    rule="acknowledged = present; back within 30 s without a restart of the program; one line said meanwhile",
    n=50,
    short=3,
    case="a moment at which the server is killed",
)
PATIENCE = 30.0


def main_of(folder: Path) -> int:
    """The process id of the server of a folder."""
    return mains_of(folder)[0]


def kill(folder: Path) -> list[psutil.Process]:
    """Kill -9 of the main process; its others, which answer until they notice that it is gone."""
    with suppress(IndexError, ProcessLookupError, psutil.NoSuchProcess):
        pid = main_of(folder)
        others = psutil.Process(pid).children()
        os.kill(pid, 9)
        return others
    return []


class Writer:
    """Imports documents one after the other until it is stopped; remembers what was acknowledged and said."""

    def __init__(self, dg: Docgraph) -> None:
        self.acknowledged: list[str] = []
        self.said: list[str] = []
        self.faults: list[BaseException] = []
        self._dg, self._stop = dg, threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for n in itertools.count():
            if self._stop.is_set():
                return
            name = f"d{n}"
            try:
                self._dg.ingest_records([Document(document_id=name, title=name, text=f"The text of queue {n}.")])
                self.acknowledged.append(name)
            except StoreError as error:
                self.said.append(str(error))
            except BaseException as error:
                self.faults.append(error)
                return

    def stop(self) -> None:
        """Let it end."""
        self._stop.set()
        self._thread.join()


def _answers_again(dg: Docgraph) -> float:
    """Seconds until a question is answered; what is said before that is one line."""
    began = time.monotonic()
    while True:
        try:
            dg.plan("queue 1")
        except StoreError as error:
            assert "\n" not in str(error)
            assert error.hint
            assert time.monotonic() - began < PATIENCE, f"still: {error}"
        else:
            return time.monotonic() - began


def _once(dg: Docgraph, folder: Path, rng: random.Random) -> float:
    before = dg.workspace.n_documents
    writer = Writer(dg)
    end = time.monotonic() + PATIENCE
    while len(writer.acknowledged) < 3 and time.monotonic() < end:
        dg.plan("queue 1")
    time.sleep(rng.uniform(0, 0.05))  # any moment will do: this only makes them differ
    others = kill(folder)
    seconds = _answers_again(dg)
    writer.stop()
    psutil.wait_procs(others, timeout=PATIENCE)
    _answers_again(dg)  # what answered before may have been one of them
    assert not writer.faults, writer.faults
    assert not [said for said in writer.said if "\n" in said]
    there = {document.document_id for document in dg.documents.list()}
    assert set(writer.acknowledged) <= there, "what was acknowledged is gone"
    assert len(there) == dg.workspace.n_documents >= before
    for name in writer.acknowledged[-3:]:
        assert len(dg.documents.chunks(name)) == 1
    dg.documents.delete(sorted(there - {"first"}))
    return seconds


@pytest.mark.timeout(900)
def test_r2_a_killed_server_is_back_with_all_it_acknowledged(tally: Tally, made_folder: Path) -> None:
    (made_folder / "postgres").symlink_to(made_folder)
    seconds = [0.0]
    with connect(data_dir=made_folder, workspace="w") as dg:  # with the embedder that the dashboard has, too
        dg.ingest_records([Document(document_id="first", title="first", text="The first queue.")])
        if tally.whole:
            with kept_asking(made_folder, tally):
                for case in tally.cases():
                    with tally.trying(case):
                        seconds.append(_once(dg, made_folder, case.rng))
        else:
            for case in tally.cases():
                with tally.trying(case):
                    seconds.append(_once(dg, made_folder, case.rng))
    tally.more["longest_outage_seconds"] = round(max(seconds), 1)
    assert servers_of(made_folder) == []
