"""R6: the server is restarted under live sessions; the first question of each afterwards is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph import Document, plugins
from docgraph.plugins.stores.postgres.server.binaries import run, server_user
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import REQUEST, opened

ROW = Row(
    row="R6",
    what="the database restarted under live sessions of a served and of an embedded database",
    rule="the first question afterwards is answered, and rightly",
    n=20,
    short=3,
    case="who asks first after a restart, the embedded or the served session",
    situations=2,
)


def restart(folder: Path) -> None:
    """What an administrator does: sessions are cut off, and the server comes back with the options it had."""
    user = server_user(folder / "pgdata")
    arguments = ("-D", "pgdata", "-m", "fast", "-w", "-l", "server.log", "restart")
    run("pg_ctl", *arguments, folder=folder, user=user)


@pytest.mark.timeout(600)
def test_r6_the_first_question_after_a_restart_is_answered(tally: Tally, made_folder: Path) -> None:
    (made_folder / "postgres").symlink_to(made_folder)
    server = embedded_server(made_folder)
    documents = [Document(document_id=i, title=f"Queue {i}", text=f"The queue {i} is bounded.") for i in "abc"]
    embedded = opened(plugins.build("stores", "postgres", data_dir=str(made_folder)))
    served = opened(plugins.build("stores", "postgres", database_url=server.conninfo))
    with embedded, served:
        embedded.ingest_records(documents)
        plan, run = embedded.plan(REQUEST), embedded.run(REQUEST)
        assert served.plan(REQUEST) == plan
        for case in tally.cases():
            restart(made_folder)
            with tally.trying(case):
                first, second = (embedded, served) if case.number % 2 else (served, embedded)
                assert first.plan(REQUEST) == plan
                assert second.run(REQUEST).context == run.context
    server.release()
