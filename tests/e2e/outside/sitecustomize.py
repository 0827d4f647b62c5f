"""Loaded by the dashboard under test alone: writes down every name that is looked up and every step off the machine.

A program that it starts could take that step unheard: each is written down that is neither Python, which loads this
too, nor of PostgreSQL, which listens on a private socket.
"""

from __future__ import annotations

import ipaddress
import os
import sys

_FILE = os.environ.get("DOCGRAPH_TEST_OUTSIDE", "")
_SENT = ("socket.connect", "socket.sendto", "socket.sendmsg")
_LOOKED_UP = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo")
_STARTED = ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system")
_QUIET = ("python", "postgres", "initdb", "pg_ctl", "pg_controldata")


def _is_local(host: object) -> bool:
    try:
        return host in (None, "", "localhost") or ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in _STARTED:
        _started(event, arguments[0] or arguments[1])
        return
    if event in _SENT:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # a Unix socket's address is a path
    elif event in _LOOKED_UP:
        first = arguments[0]
        host = first[0] if isinstance(first, tuple) else first
    else:
        return
    # An address that is to be listened on is looked up as well, and is no name.
    if not _is_local(host.decode() if isinstance(host, bytes) else host):
        _write(f"{event} {host}")


def _started(event: str, program: object) -> None:
    first = program[0] if isinstance(program, list | tuple) else program
    name = os.path.basename(os.fsdecode(first)) if isinstance(first, str | bytes | os.PathLike) else str(first)
    if not name.startswith(_QUIET):
        _write(f"{event} {name}")


def _write(line: str) -> None:
    with open(_FILE, "a", encoding="utf-8") as file:
        file.write(f"{line}\n")


if _FILE:
    sys.addaudithook(_watch)
