"""E5: what a process holds of a workspace answers while others import, delete and set roles, never of another state."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain import ranking
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.postgres.vector_cache import cache as caches
from tests.integration.test_shared_by_threads import QUESTIONS, answer, import_version
from tests.survive.tally import Case, Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="E5",
    what="questions to codes in memory while three writers import, delete and set roles; by signal, filter and hop",
    rule="each answer is the server's own on the revision that it names; a snapshot answers alike twice",
    n=1_200,
    short=30,
    case="a question of a session on the revision that it met",
)
VERSIONS, GONE = 3, [f"d{n}" for n in range(0, 30, 4)]
ROLES = ("adds_documents", "reasons_only")
POOL_SIZE = 4
SIGNALS = ("hybrid", "chunk", "summary")
ASKED = [
    request.model_copy(update={"seed_signal": signal, "use_relationships": uses})
    for request, signal, uses in itertools.product(QUESTIONS[:4], SIGNALS, (True, False))
]


def _key(request: RetrievalRequest) -> str:
    return request.model_dump_json()


def _states(dg: Docgraph) -> itertools.product[tuple[int, bool, str]]:
    del dg
    return itertools.product(range(VERSIONS), (False, True), ROLES)


def _reached(dg: Docgraph, version: int, gone: bool, role: Any) -> None:
    import_version(dg, version)
    if gone:
        dg.documents.delete(GONE)
    dg.relationships.set_type_role("explains", role, by="me")


@pytest.mark.timeout(900)
def test_e5_what_is_held_in_memory_never_answers_for_another_state(
    tally: Tally, new_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "REST", 0)
    monkeypatch.setattr(caches, "ASKED", 1)
    for name, n in (("N_NEAR", 12), ("N_POOL", 7), ("N_LIKELY", 3), ("N_FIT", 6)):
        monkeypatch.setattr(ranking, name, n)
    holding, plain = (
        plugins.build("stores", "postgres", database_url=new_database_url, pool_size=POOL_SIZE, resident_mb=mb)
        for mb in (16, 0)
    )
    n_sessions = 24 if tally.whole else 6
    with opened(holding, dimension=64) as dg, opened(plain, dimension=64) as server:
        import_version(server, 0)
        server.documents.set_vector_search("quantized")
        expected: dict[tuple[str, str], tuple[Any, ...]] = {}
        for state in _states(server):
            _reached(server, *state)
            for request in ASKED:
                expected[server.workspace.revision, _key(request)] = answer(server.run(request))
        assert len({revision for revision, _ in expected}) > VERSIONS
        used = _counted(holding, monkeypatch)
        stop = threading.Event()

        def importing() -> None:
            for n in itertools.count():
                if stop.is_set():
                    return
                import_version(server.use_workspace("w"), n % VERSIONS)

        def deleting() -> None:
            while not stop.is_set():
                dg.use_workspace("w").documents.delete(GONE)

        def setting() -> None:
            for n in itertools.count():
                if stop.is_set():
                    return
                server.use_workspace("w").relationships.set_type_role("explains", ROLES[n % 2], by="me")  # type: ignore[arg-type]

        def ask(session: list[Case]) -> list[tuple[Run, Run, RetrievalRequest]]:
            mine = dg.use_workspace("w")
            found = []
            for case in session:
                request = case.rng.choice(ASKED)
                found.append((mine.run(request), mine.run(request), request))
            return found

        cases = list(tally.cases())
        with ThreadPoolExecutor(n_sessions + 3) as pool:
            writing = [pool.submit(writer) for writer in (importing, deleting, setting)]
            try:
                asked = [
                    each for found in pool.map(ask, (cases[n::n_sessions] for n in range(n_sessions))) for each in found
                ]
            finally:
                stop.set()
            for each in writing:
                each.result()
        for number, (first, second, request) in enumerate(asked):
            for run in (first, second):
                with tally.trying(f"answer {number} to {request.query!r} on {run.plan.corpus_revision}"):
                    assert answer(run) == expected[run.plan.corpus_revision, _key(request)]
        _quietly(tally, dg, server)
        tally.more.update(
            {"revisions_met": len({run.plan.corpus_revision for run, _, _ in asked}), "by_codes": len(used)}
        )
        assert used, "no answer came from memory"


def _quietly(tally: Tally, dg: Docgraph, server: Docgraph) -> None:
    """Each state once more with nobody beside: asked before, while it is read, and once it is held."""
    cache = dg.session.adapters.database.vector_cache  # type: ignore[attr-defined]
    for state in _states(server):
        _reached(server, *state)
        for moment in ("at once", "held"):
            for request in ASKED if tally.whole else ASKED[::9]:
                with tally.trying(f"{state} {moment}: {_key(request)[:80]}"):
                    assert answer(dg.run(request)) == answer(server.run(request))
            cache.wait()


def _counted(database: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The revisions for which codes were found."""
    used, cache = [], database.vector_cache
    find = cache.find

    def counting(workspace: Any, schema: str) -> Any:
        found = find(workspace, schema)
        if found is not None:
            used.append(workspace.content_revision)
        return found

    monkeypatch.setattr(cache, "find", counting)
    return used
