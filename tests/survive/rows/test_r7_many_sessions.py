"""R7: many sessions ask while two import; every answer is that of one thread on the same revision."""

from __future__ import annotations

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from docgraph import plugins
from docgraph.domain.run import Run
from tests.integration.commands import connection_states
from tests.integration.test_shared_by_threads import QUESTIONS, VERSIONS, answer, import_version
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="R7",
    what="50 sessions × 20 questions, planned and executed, while 2 import",
    rule="every result equals that of one thread on the same revision; no state crosses sessions",
    n=1_000,
    short=40,
    case="a question on a revision",
    situations=20,
)
POOL_SIZE = 4


@pytest.mark.timeout(1_800)
def test_r7_answers_under_imports_are_those_of_one_thread(tally: Tally, new_database_url: str) -> None:
    database = plugins.build("stores", "postgres", database_url=new_database_url, pool_size=POOL_SIZE)
    n_sessions = 50 if tally.whole else 8
    with opened(database) as dg:
        expected = {}
        for version in range(VERSIONS):
            import_version(dg, version)
            for request in QUESTIONS:
                expected[dg.workspace.revision, request.query] = answer(dg.run(request))
        stop = threading.Event()

        def change(start: int) -> None:
            for n in itertools.count(start):
                if stop.is_set():
                    return
                import_version(dg.use_workspace("w"), n % VERSIONS)

        def ask(session: int) -> list[Run]:
            mine = dg.use_workspace("w")
            return [mine.run(QUESTIONS[(session + n) % len(QUESTIONS)]) for n in range(tally.n // n_sessions)]

        with ThreadPoolExecutor(n_sessions + 2) as pool:
            changing = [pool.submit(change, start) for start in (0, 2)]
            try:
                runs = [run for found in pool.map(ask, range(n_sessions)) for run in found]
            finally:
                stop.set()
            for each in changing:
                each.result()
        for number, run in enumerate(runs):
            with tally.trying(f"answer {number}, {run.plan.query!r} on {run.plan.corpus_revision}"):
                assert answer(run) == expected[run.plan.corpus_revision, run.plan.query]
        tally.more["revisions_met"] = len({run.plan.corpus_revision for run in runs})
        states, end = connection_states(new_database_url), time.monotonic() + 30
        while set(states) != {"idle"} and time.monotonic() < end:  # nobody waits for the COMMIT of a reading
            states = connection_states(new_database_url)
        assert set(states) == {"idle"}
        assert len(states) <= 2 * POOL_SIZE
