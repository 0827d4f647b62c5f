"""A standby that streams from its primary answers as the primary does, and nobody is told less than they wrote."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

import docgraph
from docgraph import RetrievalRequest
from docgraph.domain.graph import Document, Relationship
from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections import replicas
from docgraph.plugins.stores.postgres.server.binaries import run, server_user
from docgraph.plugins.stores.postgres.server.cluster import Cluster
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from tests.conftest import reachable_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the embedded server's own manager runs it there")
REQUEST = RetrievalRequest(query="Which queue is bounded?", max_documents=4, max_chunks=6)


@dataclass(frozen=True)
class Standby:
    """A server that replays what another one writes."""

    cluster: Cluster

    @property
    def url(self) -> str:
        """As ``DOCGRAPH_READ_DATABASE_URL`` takes it."""
        return url_of(self.cluster)

    def start(self) -> None:
        """Until it answers."""
        arguments = ("-D", "pgdata", "-l", "server.log", "-w", "-t", "60")
        sockets = f"-c unix_socket_directories={self.cluster.socket_folder}"
        user = server_user(self.cluster.data)
        self.cluster._make_socket_folder(user)
        run("pg_ctl", *arguments, "-o", sockets, "start", folder=self.cluster.folder, user=user)

    def stop(self) -> None:
        """At once."""
        arguments = ("-D", "pgdata", "-m", "immediate", "-w", "stop")
        run("pg_ctl", *arguments, folder=self.cluster.folder, user=server_user(self.cluster.data), check=False)

    def replay(self, on: bool) -> None:
        """Let the log be replayed, or only be received."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SELECT pg_wal_replay_resume()" if on else "SELECT pg_wal_replay_pause()")

    def replayed(self) -> str:
        """The position up to which the log is replayed."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            (position,) = connection.execute("SELECT pg_last_wal_replay_lsn()").fetchone() or ("",)
            return str(position)

    def wait_for(self, position: str) -> None:
        """Until it has replayed as much: one that starts again answers before it is where it was."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for _ in range(600):
                asked = connection.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", (position,)).fetchone()
                if asked == (True,):
                    return
                connection.execute("SELECT pg_sleep(0.1)")
        pytest.fail(f"the standby never came to {position}")


def url_of(cluster: Cluster) -> str:
    """The database ``docgraph`` of a server on a socket of its own."""
    return f"postgresql://postgres@/docgraph?host={quote(str(cluster.socket_folder), safe='')}"


@pytest.fixture(scope="module")
def standby(made_cluster: Path) -> Iterator[tuple[str, Standby]]:
    """(URL of a primary, its standby)."""
    folder, other = reachable_folder(), reachable_folder()
    subprocess.run(["cp", "-a", str(made_cluster / "pgdata"), str(folder)], check=True)
    primary = embedded_server(folder)
    try:
        source = Cluster(folder)
        user = server_user(source.data)
        if user is not None:
            shutil.chown(other, user.uid, user.gid)
        told = ("-h", str(source.socket_folder), "-U", "postgres", "--checkpoint=fast", "--no-sync")
        run("pg_basebackup", "-D", "pgdata", "-R", "-X", "stream", *told, folder=other, user=user)
        made = Standby(Cluster(other))
        made.start()
        yield url_of(source), made
        made.stop()
    finally:
        primary.release()
        for each in (folder, other):
            shutil.rmtree(each, ignore_errors=True)


def _documents(*names: str) -> list[Document]:
    return [Document(document_id=name, title=f"Queue {name}", text=f"The queue {name} is bounded.") for name in names]


def test_questions_are_answered_by_the_standby_as_by_the_primary(standby: tuple[str, Standby]) -> None:
    """The first import makes the workspace on one server and looks for it on the other."""
    primary, replica = standby
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="h")
    with docgraph.connect(primary, read_database_url=replica.url, workspace="equal") as dg:
        dg.ingest_records(_documents(*"abcdefgh"), [edge])
        run_there = dg.run(REQUEST)
        compared = dg.compare(REQUEST, baseline="ms3")
        assert dg.check().n_relationships == 1
    with docgraph.connect(primary, workspace="equal") as dg:
        run_here = dg.run(REQUEST)
        assert (run_there.plan, run_there.context, run_there.assembled) == (
            run_here.plan,
            run_here.context,
            run_here.assembled,
        )
        assert dg.compare(REQUEST, baseline="ms3").sentence == compared.sentence


def test_whoever_writes_reads_what_was_written_however_far_behind_the_standby_is(standby: tuple[str, Standby]) -> None:
    """Its replay is stopped, and goes on while the reading waits for it."""
    primary, replica = standby
    with docgraph.connect(primary, read_database_url=replica.url, workspace="behind") as dg:
        dg.ingest_records(_documents("a", "b"))
        replica.replay(False)
        later = threading.Timer(0.5, replica.replay, (True,))
        later.start()
        dg.ingest_records(_documents("c"))
        assert [document.document_id for document in dg.documents.list()] == ["a", "b", "c"]
        later.join()


def test_a_standby_that_stays_behind_is_not_waited_for_without_end(
    standby: tuple[str, Standby], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the primary answers whoever wrote; others are shown what has arrived."""
    primary, replica = standby
    monkeypatch.setattr(replicas, "TIMEOUT", 0.05)
    with docgraph.connect(primary, read_database_url=replica.url, workspace="late") as dg:
        dg.ingest_records(_documents("a"))
        assert len(tuple(dg.documents.list())) == 1
        replica.replay(False)
        try:
            dg.ingest_records(_documents("b"))
            revision = dg.workspace.revision
            assert dg.plan(REQUEST).corpus_revision == revision
            with docgraph.connect(primary, read_database_url=replica.url, workspace="late") as other:
                assert [document.document_id for document in other.documents.list()] == ["a"]
                assert other.plan(REQUEST).corpus_revision != revision
        finally:
            replica.replay(True)


def test_without_its_standby_a_question_fails_at_once_and_is_answered_when_it_is_back(
    standby: tuple[str, Standby],
) -> None:
    primary, replica = standby
    with docgraph.connect(primary, read_database_url=replica.url, workspace="lost") as dg:
        dg.ingest_records(_documents("a", "b"))
        plan = dg.plan(REQUEST)
        position = replica.replayed()
        replica.stop()
        try:
            with pytest.raises(StoreError, match=r"cannot read workspace 'lost'.*"):
                dg.plan(REQUEST)
            assert dg.retrieve(REQUEST.query).next_action.branch_code == "EMPTY_SET"
        finally:
            replica.start()
        replica.wait_for(position)
        assert dg.plan(REQUEST) == plan


def test_a_promoted_standby_is_a_primary(standby: tuple[str, Standby]) -> None:
    """The last test of its standby: it takes the primary's place, and is written to under both URLs."""
    primary, replica = standby
    with docgraph.connect(primary, read_database_url=replica.url, workspace="promoted") as dg:
        dg.ingest_records(_documents("a"))
        plan = dg.plan(REQUEST)
    with suppress(psycopg.Error), psycopg.connect(replica.url, autocommit=True) as connection:
        connection.execute("SELECT pg_promote()")
    with docgraph.connect(replica.url, read_database_url=replica.url, workspace="promoted") as dg:
        assert dg.plan(REQUEST) == plan
        dg.ingest_records(_documents("b"))
        assert len(tuple(dg.documents.list())) == 2
