"""The embedded server ends: when it is told to, and when nobody has used it for a while, whoever was killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from docgraph.errors import ConflictError, StoreError
from docgraph.plugins.stores.postgres.server.cluster import Cluster
from docgraph.plugins.stores.postgres.server.embedded import DATABASE, embedded_server, stop_server
from docgraph.plugins.stores.postgres.server.watcher import look
from tests.integration.server_programs import Program, servers_of

Start = Callable[..., Program]
WAIT = "sys.stdin.read()"
PATIENCE = 120.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kernel file locks; see the docs")


def watchers_of(folder: Path) -> list[psutil.Process]:
    """The processes that end the server of a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            line = process.cmdline()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
        if any(part.endswith("watcher.py") for part in line) and str(folder) in line:
            found.append(process)
    return found


def until(condition: Callable[[], bool]) -> bool:
    """Whether it becomes true within ``PATIENCE`` seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def test_a_server_that_a_killed_program_left_ends_by_itself(made_folder: Path, program: Start) -> None:
    victim = program(made_folder, WAIT, idle_minutes=0.02).wait_until_up()
    assert len(watchers_of(made_folder)) == 1
    victim.process.kill()
    victim.process.wait()
    assert until(lambda: servers_of(made_folder) == [])
    assert until(lambda: watchers_of(made_folder) == [])
    assert "(1,)" in program(made_folder, "print(query('SELECT 1'))").finish()


def test_a_server_in_use_is_left_alone_however_long_it_rests(made_folder: Path) -> None:
    server = embedded_server(made_folder, idle_minutes=0.001)
    (watcher,) = watchers_of(made_folder)
    before = watcher.cpu_times().user + watcher.num_ctx_switches().voluntary
    assert until(lambda: watcher.cpu_times().user + watcher.num_ctx_switches().voluntary > before + 20)
    assert servers_of(made_folder)
    server.release()
    assert servers_of(made_folder) == []
    assert until(lambda: watchers_of(made_folder) == [])


def test_a_start_of_its_own_waits_for_the_end_and_starts_again(made_folder: Path, program: Start) -> None:
    """As often as it takes to meet the end in all of its stages."""
    for _ in range(4):
        victim = program(made_folder, WAIT, idle_minutes=0.001).wait_until_up()
        victim.process.kill()
        victim.process.wait()
        assert "(1,)" in program(made_folder, "print(query('SELECT 1'))").finish()
    assert until(lambda: servers_of(made_folder) == [])


def test_a_watcher_makes_no_file_in_a_folder_that_is_being_removed(tmp_path: Path) -> None:
    """A lock that it opened anew stood in the way of whoever removed the folder of a server that had just ended."""
    folder = tmp_path / "data"
    folder.mkdir()
    with (tmp_path / "watch.lock").open("a") as mine:
        assert look(str(folder), mine) == "gone"
    assert list(folder.iterdir()) == []


def test_zero_minutes_start_no_watcher(made_folder: Path) -> None:
    server = embedded_server(made_folder, idle_minutes=0)
    assert watchers_of(made_folder) == []
    server.release()


def test_stop_ends_a_server_that_was_left_and_says_when_none_runs(made_folder: Path, program: Start) -> None:
    assert stop_server(made_folder) is False
    victim = program(made_folder, WAIT).wait_until_up()
    victim.process.kill()
    victim.process.wait()
    assert servers_of(made_folder)
    assert stop_server(made_folder) is True
    assert servers_of(made_folder) == []
    assert stop_server(made_folder) is False
    assert stop_server(made_folder / "nothing") is False


def test_stop_refuses_while_a_program_uses_the_server_unless_it_is_forced(made_folder: Path, program: Start) -> None:
    long = program(made_folder, WAIT + "\nserver.ensure_running(); print(query('SELECT 1'))").wait_until_up()
    with pytest.raises(ConflictError, match=r"a program uses the embedded server .*--force"):
        stop_server(made_folder)
    assert servers_of(made_folder)
    assert stop_server(made_folder, force=True) is True
    assert servers_of(made_folder) == []
    assert "(1,)" in long.finish()  # it starts it again when it needs it
    assert servers_of(made_folder) == []


def test_a_server_that_ends_as_soon_as_it_has_answered_is_started_again(
    made_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the look whether it answers and the first question, it left an error of the driver."""
    said, answers = iter([True]), Cluster.answers
    cluster = Cluster(made_folder)
    cluster.prepare()
    monkeypatch.setattr(Cluster, "answers", lambda this: next(said, None) or answers(this))
    cluster.serve(DATABASE, timeout=PATIENCE)
    assert cluster.answers()
    cluster.stop()
    monkeypatch.setattr(Cluster, "answers", lambda _: True)
    with pytest.raises(StoreError, match="answers and is gone again"):
        cluster.serve(DATABASE, timeout=PATIENCE)
