"""Loaded by the dashboard under test alone: writes down every name that is looked up and every step off the machine."""

from __future__ import annotations

import ipaddress
import os
import sys

_FILE = os.environ.get("DOCGRAPH_TEST_OUTSIDE", "")
_SENT = ("socket.connect", "socket.sendto", "socket.sendmsg")
_LOOKED_UP = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def _is_local(host: object) -> bool:
    try:
        return host in (None, "", "localhost") or ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in _SENT:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # a Unix socket's address is a path
    elif event in _LOOKED_UP:
        host = arguments[0]
    else:
        return
    # An address that is to be listened on is looked up as well, and is no name.
    if not _is_local(host.decode() if isinstance(host, bytes) else host):
        with open(_FILE, "a", encoding="utf-8") as file:
            file.write(f"{event} {host}\n")


if _FILE:
    sys.addaudithook(_watch)
