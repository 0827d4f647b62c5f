"""The embedded server's life: started by the first, shared by all, stopped by the last, whatever happens between."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.server import binaries as _pg_binaries
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from tests.integration.server_programs import Program, mains_of, servers_of, signal_servers

Start = Callable[..., Program]
WAIT = "sys.stdin.read()"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kernel file locks; see the docs")


def test_the_first_start_makes_the_server_and_the_end_of_the_program_stops_it(
    server_folder: Path, program: Start
) -> None:
    assert "(1,)" in program(server_folder, "print(query('SELECT 1'))").finish()
    assert (server_folder / "pgdata").is_dir()
    assert servers_of(server_folder) == []


def test_the_second_start_finds_what_the_first_one_stored(made_folder: Path, program: Start) -> None:
    program(made_folder, "query('WITH x AS (SELECT 1) SELECT lo_create(4711) FROM x')").finish()
    assert "(4711,)" in program(made_folder, "print(query('SELECT oid::int FROM pg_largeobject_metadata'))").finish()
    assert servers_of(made_folder) == []


def test_who_leaves_first_keeps_it_running_and_who_leaves_last_stops_it(made_folder: Path, program: Start) -> None:
    long = program(made_folder, WAIT).wait_until_up()
    program(made_folder).finish()
    assert servers_of(made_folder)
    long.finish()
    assert servers_of(made_folder) == []


@pytest.mark.parametrize("end", ["kill", "terminate"])
def test_a_killed_user_leaves_a_server_that_the_next_user_takes_over(
    made_folder: Path, program: Start, end: str
) -> None:
    victim = program(made_folder, WAIT).wait_until_up()
    getattr(victim.process, end)()
    victim.process.wait()
    assert servers_of(made_folder)
    program(made_folder, "print(query('SELECT 1'))").finish()
    assert servers_of(made_folder) == []


def test_a_killed_server_loses_nothing_that_was_acknowledged(made_folder: Path, program: Start) -> None:
    writing = """
with psycopg.connect(server.conninfo, autocommit=True) as connection:
    connection.execute("CREATE TABLE numbers (n int)")
    for n in range(10**6):
        connection.execute("INSERT INTO numbers VALUES (%s)", (n,))
        print(n, flush=True)
"""
    writer = program(made_folder, writing).wait_until_up()
    assert writer.process.stdout is not None
    for _ in range(50):
        acknowledged = int(writer.process.stdout.readline())
    signal_servers(made_folder)
    rest = writer.process.communicate(timeout=60)[0].split()
    acknowledged = max([acknowledged, *map(int, rest)])
    text = program(made_folder, "print(query('SELECT count(*), max(n) FROM numbers')[0])").finish()
    count, last = eval(text.splitlines()[-1])
    assert count == last + 1
    assert last >= acknowledged
    assert servers_of(made_folder) == []


def test_a_stale_lock_file_with_a_reused_process_id_does_not_block_and_the_other_process_lives(
    made_folder: Path, program: Start
) -> None:
    program(made_folder).finish()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        data = made_folder / "pgdata"
        lock, owner = data / "postmaster.pid", data.stat()
        lock.write_text(f"{other.pid}\n{data}\n1700000000\n5432\n/tmp\n\n  1 2\nready   \n")
        lock.chmod(0o600)
        os.chown(lock, owner.st_uid, owner.st_gid)
        program(made_folder, "print(query('SELECT 1'))").finish()
        assert other.poll() is None
        other.communicate(b"\n")
    assert servers_of(made_folder) == []


@pytest.mark.parametrize("name", ["with space and 'quote", 'shell "$(touch harm)" `x` \\', "L" * 150, "Übung"])
def test_the_folder_may_have_any_name(made_folder: Path, program: Start, name: str) -> None:
    folder = made_folder / name
    folder.mkdir()
    (made_folder / "pgdata").rename(folder / "pgdata")
    assert "(1,)" in program(folder, "print(query('SELECT 1'))").finish()
    assert servers_of(folder) == []
    assert not list(made_folder.rglob("harm"))


def test_four_programs_at_once_share_one_new_server(server_folder: Path, program: Start) -> None:
    started = [program(server_folder, WAIT + "\nprint(query('SELECT 1'))") for _ in range(4)]
    for each in started:
        each.wait_until_up()
    assert len(mains_of(server_folder)) == 1
    assert all("(1,)" in each.finish() for each in started)
    assert servers_of(server_folder) == []


def test_eight_threads_of_one_program_share_one_claimed_server(made_folder: Path) -> None:
    servers = []
    threads = [threading.Thread(target=lambda: servers.append(embedded_server(made_folder))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(server) for server in servers}) == 1
    for server in servers[1:]:
        server.release()
    assert servers_of(made_folder)
    servers[0].release()
    assert servers_of(made_folder) == []


def test_an_interrupted_creation_is_begun_again(server_folder: Path, program: Start) -> None:
    (server_folder / "pgdata.part").mkdir()
    (server_folder / "pgdata.part" / "junk").write_text("x")
    program(server_folder).finish()
    assert not (server_folder / "pgdata.part").exists()


def test_the_modes_of_parent_folders_are_never_changed(server_folder: Path) -> None:
    """An ordinary user's server starts in it; as root the message names the folder that is closed."""
    private = server_folder / "private"
    private.mkdir(mode=0o700)
    if os.geteuid() == 0:
        with pytest.raises(StoreError, match=r"may not enter .*private"):
            embedded_server(private / "data")
    else:
        embedded_server(private / "data").release()
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_a_forked_child_does_not_take_the_server_away_from_its_parent(made_folder: Path, program: Start) -> None:
    code = """
import os
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
print(query('SELECT 1'))
"""
    assert "(1,)" in program(made_folder, code).finish()
    assert servers_of(made_folder) == []


def test_a_server_that_died_is_started_again(made_folder: Path) -> None:
    server = embedded_server(made_folder)
    signal_servers(made_folder)
    server.ensure_running()
    with psycopg.connect(server.conninfo) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    server.release()
    assert servers_of(made_folder) == []


def test_text_order_and_checksums_do_not_depend_on_the_environment(
    made_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("PGDATABASE", "elsewhere")
    server = embedded_server(made_folder)
    with psycopg.connect(server.conninfo) as connection:
        settings = "current_setting('data_checksums'), current_setting('jit'), current_setting('listen_addresses')"
        assert connection.execute(f"SELECT {settings}").fetchone() == ("on", "off", "")
        order = connection.execute("SELECT x FROM unnest(ARRAY['b', 'ä', 'B', 'a']) AS x ORDER BY x").fetchall()
    server.release()
    assert [row[0] for row in order] == ["B", "a", "b", "ä"]


def test_another_version_of_the_data_is_refused_by_name(server_folder: Path) -> None:
    (server_folder / "pgdata").mkdir()
    (server_folder / "pgdata" / "PG_VERSION").write_text("12\n")
    with pytest.raises(StoreError, match=r"made by PostgreSQL 12"):
        embedded_server(server_folder)


def test_a_server_that_cannot_start_says_why_and_where_its_log_is(made_folder: Path) -> None:
    embedded_server(made_folder).release()
    with (made_folder / "pgdata" / "postgresql.conf").open("a") as file:
        file.write("\nnonsense = 1\n")
    with pytest.raises(StoreError, match=r"nonsense.*server\.log|server\.log"):
        embedded_server(made_folder)
    assert servers_of(made_folder) == []


def test_a_processor_without_the_needed_instructions_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "cpuinfo"
    old.write_text("model name : old\nflags\t\t: fpu sse sse2 bmi1\n")
    monkeypatch.setattr(_pg_binaries.platform, "machine", lambda: "x86_64")
    with pytest.raises(StoreError, match=r"avx2, fma, bmi2"):
        _pg_binaries._check_cpu(old)


def test_a_data_folder_that_cannot_be_written_is_named(server_folder: Path) -> None:
    """A file in its place stands for every reason why a folder cannot be made (root may write anywhere)."""
    (server_folder / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot use the data folder"):
        embedded_server(server_folder / "file" / "data")
