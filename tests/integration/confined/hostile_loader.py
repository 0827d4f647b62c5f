"""A loader as it might be once somebody has taken it over: it does what its file says, and tells what came of it."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.domain.graph import Document


def _spin() -> None:
    while True:
        pass


def _eat() -> object:
    return [bytearray(10_000_000) for _ in range(1_000)]


def _eat_quietly() -> None:
    try:
        _eat()
    except MemoryError:
        raise ValueError("some other reason") from None


def _connect(port: str) -> None:
    socket.create_connection(("127.0.0.1", int(port)), 5).close()


def _thread() -> str:
    told: list[str] = []
    thread = threading.Thread(target=lambda: told.append("from a thread"))
    thread.start()
    thread.join()
    return told[0]


def _in_a_thread(what: Callable[[], object]) -> None:
    """Walls hold in every thread."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            what()
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


DOES: dict[str, Callable[[str], Any]] = {
    "nothing": lambda _: "done",
    "pid": lambda _: str(os.getpid()),
    "environment": lambda _: " ".join(sorted(os.environ)),
    "folder": lambda _: os.getcwd(),
    "print": lambda _: print("{}", flush=True) or "done",
    "imports": lambda _: __import__("wsgiref.headers").__name__,
    "thread": lambda _: _thread(),
    "read": lambda path: Path(path).read_text(encoding="utf-8"),
    "read in a thread": lambda path: _in_a_thread(lambda: Path(path).read_bytes()),
    "list": lambda path: str(os.listdir(path)),
    "write": lambda path: Path(path).write_text("x", encoding="utf-8"),
    "remove": lambda path: Path(path).unlink(),
    "connect": _connect,
    "socket": lambda _: socket.socket(),
    "datagram": lambda _: socket.socket(type=socket.SOCK_DGRAM),
    "local socket": lambda _: socket.socket(socket.AF_UNIX),
    "start": lambda _: subprocess.run([sys.executable, "-c", ""], check=True),
    "fork": lambda _: os.fork(),
    "kill": lambda pid: os.kill(int(pid), 0),
    "other's memory": lambda pid: Path(f"/proc/{pid}/environ").read_bytes(),
    "crash": lambda _: ctypes.string_at(0),
    "exit": lambda _: os._exit(3),
    "leave": lambda _: os._exit(0),
    "killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "abort": lambda _: os.abort(),
    "spin": lambda _: _spin(),
    "sleep": lambda _: threading.Event().wait(),
    "eat": lambda _: _eat(),
    "eat quietly": lambda _: _eat_quietly(),
    "deep": lambda _: eval("(" * 90 + "0" + ")" * 90),
    "fault": lambda _: {}["missing"],
    "refuse": lambda why: _raise(ValueError(why)),
}


def _raise(error: Exception) -> None:
    raise error


class HostileLoader:
    name = "hostile"
    suffixes = (".hostile",)
    confined = Confined(memory=200_000_000)

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        what, _, argument = data.decode().partition(":")
        try:
            said = str(DOES[what](argument))
        except OSError as error:
            said = type(error).__name__
        yield Document(document_id=source, title=what, text=said)

    def groups(self, names: list[str]) -> Iterator[tuple[str, ...]]:
        yield from ()

    def load_group(self, read: Callable[[str], bytes], names: list[str]) -> Iterator[Document]:
        wanted = read(names[0]).decode()
        yield Document(document_id="a", title="a", text=read(wanted).decode())


def build() -> HostileLoader:
    return HostileLoader()
