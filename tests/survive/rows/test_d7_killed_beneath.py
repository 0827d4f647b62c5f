"""D7: the embedded server is killed beneath an open dashboard, a plan or an import, at any statement of theirs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

import docgraph
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT
from tests.e2e import conftest as served
from tests.integration.server_programs import servers_of
from tests.integration.test_interrupted_imports import SAMPLE, contents
from tests.survive.open_pages import BROKEN, OpenPage, opened, text_of
from tests.survive.server_kills import Kill, disarm
from tests.survive.tally import Row, Tally

ROW = Row(
    row="D7",
    what="kill -9 of the embedded server at any statement of an open page, of docgraph plan, of a running import",
    rule="the page and the plan say what is due, at the latest when asked again; what an import told is there",
    n=60,
    short=5,
    case="a round trip of a page, a plan, an import, before or after which the server or its main process is killed",
)
QUESTION = "What is a hold?"
PATIENCE = 30.0
WAYS = ("page", "page", "plan", "page", "import")
TRIPS = {"page": 90, "plan": 60, "import": 90}
"""About as many round trips as each makes; a plan after a server was killed looks whether its data are whole."""
SPREAD = (5**0.5 - 1) / 2
"""By which the places of cases lie apart, however many there are."""
_COMMAND = """
import pathlib
from tests.survive.server_kills import watch_trips
watch_trips(pathlib.Path({folder!r}))
from docgraph.cli import main
main()
"""
_IMPORT = """
import pathlib
import docgraph
from docgraph.errors import DocgraphError
from docgraph.ingestion import importing
from tests.survive.server_kills import watch_trips
importing.BATCH_DOCUMENTS = 4
class Told:
    def update(self, done, total, message):
        if message.startswith("stored"):
            print("stored", done, flush=True)
    def cancelled(self):
        return False
with docgraph.connect(data_dir={folder!r}, workspace="new") as dg:
    watch_trips(pathlib.Path({folder!r}))
    try:
        dg.ingest({sample!r}, progress=Told())
    except DocgraphError as error:
        print("said", repr(error.message), bool(error.hint), flush=True)
    print("there", dg.workspace.n_documents if "new" in {{each.name for each in dg.workspaces()}} else 0, flush=True)
    print("revision", dg.ingest({sample!r}).revision, flush=True)
"""


class Beneath:
    """A folder with a workspace ``w`` and an open dashboard over it, whose server is killed beneath who asks."""

    def __init__(self, folder: Path, dg: Docgraph, page: OpenPage) -> None:
        self._folder, self._dg, self._page = folder, dg, page
        self.at_once = 0
        """How many questions were answered although their server was killed."""
        came = [each.delta.new_element for each in _shown(page)]
        there = [each.text_input for each in came] + [each.button for each in came]
        self._widgets = {each.label: each.id for each in there}
        self._whole, self._conninfo = contents(conninfo(folder), "w"), conninfo(folder)

    def page(self, question: str) -> None:
        """The page that is open asks, and asks again until it is answered."""
        began, asked = time.monotonic(), 0
        while True:
            came = self._asked(question)
            shown = text_of(came)
            assert BROKEN not in shown
            assert not [each for each in came if each.delta.new_element.HasField("exception")], "a traceback is shown"
            asked += 1
            said = shown.count("dg-card dg-card-error")
            if not said:
                break
            assert said == 1, "more than one error is told"
            assert time.monotonic() - began < PATIENCE, "the page does not come back"
        self.at_once += asked == 1
        due = self._dg.plan(question)
        assert due.document_ids
        missing = [name for name in due.document_ids if f'\\"doc:{name}\\"' not in shown]
        assert not missing, f"{missing} of the plan are not on the page"

    def _asked(self, question: str) -> list[ForwardMsg]:
        """What comes when somebody puts a question into the page and presses *Build plan*."""
        asks = WidgetState(id=self._widgets["Question"], string_value=question)
        return _shown(self._page, [asks, WidgetState(id=self._widgets["Build plan"], trigger_value=True)])

    def plan(self, question: str) -> None:
        """The command says the plan, or one line; asked again it says the plan."""
        due = json.loads(self._dg.plan(question).model_dump_json())
        words = ["plan", question, "--workspace", "w", "--json"]
        code, printed, errors = self._run(_COMMAND, *words)
        if code:
            assert code in (1, 2, 3), code
            assert "Traceback" not in errors, errors[-2_000:]
            assert len(errors.strip().splitlines()) <= 2, errors
            code, printed, errors = self._run(_COMMAND, *words)
        else:
            self.at_once += 1
        assert (code, errors) == (0, "")
        assert json.loads(printed)["plan_id"] == due["plan_id"]

    def importing(self, question: str) -> None:
        """What it told is there, each whole; the same program can import again, and ends where it would have."""
        code, printed, errors = self._run(_IMPORT)
        assert code == 0, errors[-2_000:]
        lines = [line.split(maxsplit=1) for line in printed.splitlines()]
        names = ("stored", "said", "there", "revision")
        told = {name: [rest for each, rest in lines if each == name] for name in names}
        assert len(told["said"]) <= 1
        assert all(each.endswith("True") and "\\n" not in each for each in told["said"]), told
        acknowledged = max(map(int, told["stored"]), default=0)
        assert int(told["there"][0]) >= acknowledged, "what was acknowledged is gone"
        assert told["revision"] == [self._dg.workspace.revision]
        assert contents(self._conninfo, "new") == self._whole
        self.at_once += not told["said"]
        self._dg.drop_workspace("new")

    def _run(self, code: str, *words: str) -> tuple[int, str, str]:
        text = code.format(folder=str(self._folder), sample=str(SAMPLE))
        environment = {**os.environ, "DOCGRAPH_DATA_DIR": str(self._folder), "PYTHONPATH": str(ROOT)}
        ended = subprocess.run(
            [sys.executable, "-c", text, *words], env=environment, capture_output=True, text=True, check=False
        )
        return ended.returncode, ended.stdout, ended.stderr


def _shown(page: OpenPage, widgets: Iterable[WidgetState] = ()) -> list[ForwardMsg]:
    """The page to its end: what is begun anew meanwhile is not one."""
    came = page.show("plan", urlencode({"workspace": "w", "query": QUESTION}), widgets)
    while came[-1].script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
        came += page.read()
    return came


def conninfo(folder: Path) -> str:
    """How the server of a folder is reached."""
    from docgraph.plugins.stores.postgres.server.cluster import Cluster

    return Cluster(folder).conninfo("docgraph")


@contextmanager
def beneath(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Beneath]:
    """A workspace with the sample, and a page that somebody opened and leaves open."""
    monkeypatch.setattr(served, "PROGRAM", _COMMAND.format(folder=str(folder)))
    place = Path(tempfile.mkdtemp(prefix="docgraph-test-"))
    with docgraph.connect(data_dir=folder, workspace="w") as dg:
        dg.ingest(SAMPLE)
        with served.served_dashboard(folder, place) as url, opened(SimpleNamespace(url=url)) as page:  # type: ignore[arg-type]
            yield Beneath(folder, dg, page)


@pytest.mark.skipif(sys.platform == "win32", reason="another manager runs the server there")
@pytest.mark.timeout(1_800)
def test_d7_a_server_killed_beneath_who_asks_costs_a_question_at_most(
    tally: Tally, made_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made_folder / "postgres").symlink_to(made_folder)
    killed = 0
    with beneath(made_folder, monkeypatch) as there:
        asks: dict[str, Any] = {"page": there.page, "plan": there.plan, "import": there.importing}
        for case in tally.cases():
            way = WAYS[case.number % len(WAYS)]
            with tally.trying(case):
                before = servers_of(made_folder)
                trip = 1 + int(TRIPS[way] * (case.number * SPREAD % 1))
                kill = Kill(trip, case.rng.random() < 0.5, case.rng.random() < 0.5)
                kill.arm(made_folder)
                asks[way](f"{QUESTION} {case.number}")
                assert not disarm(made_folder), "nobody asked"
                killed += not set(before) & set(servers_of(made_folder))
    tally.more.update({"killed": killed, "answered_at_once": there.at_once})
    assert servers_of(made_folder) == []
