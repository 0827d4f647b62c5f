"""Landlock: which files a process may read or run from here on, and that it connects to nobody (Linux 5.13 and newer).

The calls have the same numbers on every machine: https://docs.kernel.org/userspace-api/landlock.html.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from docgraph.boundary.confined.system_calls import NotThereError, no_new_privileges, system_call

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1
_BENEATH = 1
EXECUTE, WRITE, READ, LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FILES_OF = {1: 13, 2: 14, 3: 15, 5: 16}
"""Version → how many rights on files it knows."""
_CONNECTIONS, _CONNECTIONS_FROM = 0b11, 4
_OUTSIDE, _OUTSIDE_FROM = 0b11, 6
"""Sockets without a file, and signals to processes outside."""


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("connections", ctypes.c_uint64), ("outside", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """The version that the kernel has, 0 where it has none."""
    try:
        return system_call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    except NotThereError:
        return 0


def restrict(*, readable: Iterable[str], programs: Iterable[str] = ()) -> bool:
    """From here on the calling thread reads only what lies under ``readable``, runs only ``programs``, writes nowhere.

    What is open stays open. Whether that holds; False = the kernel knows nothing of it.
    """
    known = version()
    if not known:
        return False
    files = (1 << max(n for at, n in _FILES_OF.items() if at <= known)) - 1
    connections = _CONNECTIONS if known >= _CONNECTIONS_FROM else 0
    rules = _Rules(files, connections, _OUTSIDE if known >= _OUTSIDE_FROM else 0)
    size = 24 if known >= _OUTSIDE_FROM else 16 if known >= _CONNECTIONS_FROM else 8
    try:
        ruleset = system_call(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
        try:
            for path in readable:
                _allow(ruleset, path, READ | LIST)
            for path in programs:
                _allow(ruleset, path, READ | EXECUTE)
            no_new_privileges()
            system_call(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0))
        finally:
            os.close(ruleset)
    except NotThereError:
        return False
    return True


def _allow(ruleset: int, path: str, rights: int) -> None:
    """What is not there needs no rule."""
    try:
        place = os.open(path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= ~LIST
        beneath = _Beneath(rights, place)
        system_call(_ADD, ctypes.c_int(ruleset), ctypes.c_int(_BENEATH), ctypes.byref(beneath), ctypes.c_uint32(0))
    finally:
        os.close(place)
