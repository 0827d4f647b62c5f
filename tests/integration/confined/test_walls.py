"""Who has taken over a parser can open no file, reach nobody, start nothing; what ends it costs one file."""

from __future__ import annotations

import os
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from docgraph.boundary.confined import kernel, process
from docgraph.boundary.confined.process import Readers
from docgraph.domain.graph import Document
from docgraph.ports import FolderLoader, Loader

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="walls of this kind are Linux's")
with_landlock = pytest.mark.skipif(not kernel.version(), reason="this kernel has no Landlock")


def said(loader: Loader, what: str) -> str:
    """What the hostile code said of what it tried."""
    (found,) = loader.load(what.encode(), source="a.hostile")
    assert isinstance(found, Document)
    return found.text


def refused(loader: Loader, what: str) -> str:
    with pytest.raises(ValueError, match=r"\S") as told:
        said(loader, what)
    assert "\n" not in str(told.value)
    return str(told.value)


@with_landlock
def test_no_file_is_read_written_listed_or_removed(hostile: Loader, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("secret", encoding="utf-8")
    for path in (mine, "/etc/passwd", "/proc/self/environ", Path(__file__)):
        assert said(hostile, f"read:{path}") == "PermissionError", path
        assert said(hostile, f"read in a thread:{path}") == "PermissionError", path
    for folder in (tmp_path, Path.home(), "/tmp", "/"):
        assert said(hostile, f"list:{folder}") == "PermissionError", folder
    for path in (mine, tmp_path / "new.txt", "/tmp/docgraph-new.txt", Path(sys.prefix) / "new.txt"):
        assert said(hostile, f"write:{path}") == "PermissionError", path
    assert said(hostile, f"remove:{mine}") == "PermissionError"
    assert mine.read_text(encoding="utf-8") == "secret"


@on_linux
def test_nobody_is_reached(hostile: Loader) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert said(hostile, f"connect:{server.getsockname()[1]}") == "PermissionError"
    for kind in ("socket", "datagram", "local socket"):
        assert said(hostile, kind) == "PermissionError", kind


@on_linux
def test_no_process_is_started_or_touched(hostile: Loader) -> None:
    for what in ("start", "fork", f"kill:{os.getpid()}", f"other's memory:{os.getpid()}"):
        assert said(hostile, what) == "PermissionError", what


def test_no_key_or_address_of_a_database_is_there(hostile: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "postgresql://a:secret@b/c")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    names = said(hostile, "environment").split()
    assert "PYTHONPATH" in names
    assert not [name for name in names if name.startswith("DOCGRAPH") or "KEY" in name or name == "HOME"]


def test_a_parser_goes_on_as_elsewhere(hostile: Loader) -> None:
    assert said(hostile, "imports") == "wsgiref"
    assert said(hostile, "thread") == "from a thread"
    assert said(hostile, "print") == "done"


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("crash", "SIGSEGV"),
        ("abort", "SIGABRT"),
        ("exit", "exit code 3"),
        ("spin", "more than 5 seconds of processor time"),
        ("eat", "more than 200 MB of memory"),
        ("eat quietly", "more than 200 MB of memory"),
        ("fault", "KeyError"),
        ("refuse:the file is odd", "the file is odd"),
    ],
)
@on_linux
def test_what_ends_the_process_costs_one_file(hostile: Loader, what: str, why: str) -> None:
    before = said(hostile, "pid")
    assert why in refused(hostile, what)
    after = said(hostile, "pid")
    assert (before == after) is what.startswith("refuse")
    assert psutil.pid_exists(int(after))
    assert psutil.pid_exists(int(before)) is (before == after)


def test_a_file_that_only_waits_is_ended(hostile: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_WAIT", 0.0)
    monkeypatch.setattr(process, "MAX_WAIT_FOR_A_SECOND", 0.1)
    assert "does not come to an end" in refused(hostile, "sleep")


def test_limits_hold_where_the_system_has_none(hostile: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that watches ends what takes too much; on Windows and macOS it is the only one that does."""
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.setattr(process, "_taken", lambda process: (next(taken), 0))
    taken = iter([0.0, 3.0, 5.9, 6.1])
    assert "more than 5 seconds of processor time" in refused(hostile, "sleep")
    taken_memory = iter([0, 100_000_000, 250_000_000])
    monkeypatch.setattr(process, "_taken", lambda process: (0.0, next(taken_memory)))
    assert "more than 200 MB of memory" in refused(hostile, "sleep")


def test_one_process_serves_many_files_and_ends_with_them(hostile: Loader, readers: Readers) -> None:
    pids = {said(hostile, "pid") for _ in range(20)}
    assert len(pids) == 1
    readers.rest()
    assert not psutil.pid_exists(int(pids.pop()))


def test_one_that_has_left_off_is_replaced(hostile: Loader) -> None:
    """Between two files nobody asks it anything, and it ends by itself after a while."""
    pid = int(said(hostile, "pid"))
    process = psutil.Process(pid)
    process.kill()
    process.wait(30)
    assert int(said(hostile, "pid")) != pid
    assert "it ends at once" in refused(hostile, "leave")


def test_a_file_that_is_not_read_to_its_end_leaves_nothing(hostile: Loader) -> None:
    pid = int(said(hostile, "pid"))
    items = hostile.load(b"nothing", source="a.hostile")
    next(iter(items))
    del items
    assert not psutil.pid_exists(pid)
    assert said(hostile, "nothing") == "done"


def test_threads_do_not_share_a_process(hostile: Loader) -> None:
    together = threading.Barrier(3)

    def work(n: int) -> set[str]:
        together.wait(30)
        return {said(hostile, "pid") for _ in range(5)}

    with ThreadPoolExecutor(3) as threads:
        assert all(threads.map(work, range(3)))


def test_files_of_a_group_are_given_by_name_and_no_other(hostile: Loader) -> None:
    assert isinstance(hostile, FolderLoader)
    files = {"a": b"b", "b": b"All about sailing.", "c": b"/etc/passwd", "d": b"a secret"}
    (found,) = hostile.load_group(files.__getitem__, ("a", "b"))
    assert isinstance(found, Document)
    assert found.text == "All about sailing."
    with pytest.raises(ValueError, match="a file that is none of them"):
        list(hostile.load_group(files.__getitem__, ("c", "b")))

    def gone(name: str) -> bytes:
        raise FileNotFoundError(2, "No such file or directory", name)

    with pytest.raises(OSError, match="No such file"):
        list(hostile.load_group(gone, ("a", "b")))
