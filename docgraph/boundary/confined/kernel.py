"""Landlock and seccomp: files and system calls that the kernel refuses to this process from here on (Linux)."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

_NO_NEW_PRIVILEGES = 38


class NotThereError(OSError):
    """The kernel does not know this call, or does not let this process make it."""


def system_call(number: int, *arguments: Any) -> int:
    """What the call gives. Raises NotThereError."""
    given = _library().syscall(ctypes.c_long(number), *arguments)
    return _checked(int(given))


def process_control(option: int, *arguments: Any) -> int:
    """What ``prctl`` gives. Raises NotThereError."""
    return _checked(int(_library().prctl(option, *arguments)))


def no_new_privileges() -> None:
    """No program that is started from here on has more rights than this process. Raises NotThereError."""
    process_control(_NO_NEW_PRIVILEGES, *(ctypes.c_ulong(value) for value in (1, 0, 0, 0)))


@cache
def _library() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _checked(given: int) -> int:
    if given < 0:
        number = ctypes.get_errno()
        raise NotThereError(number, os.strerror(number))
    return given


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


def restrict_files(*, readable: Iterable[str], programs: Iterable[str] = ()) -> bool:
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


_SET, _FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOWED, _REFUSED, _NOT_THERE = 0x7FFF0000, 0x00050001, 0x00050026
"""Let through; EPERM; ENOSYS, upon which the C library makes a thread by the older call."""
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_THREAD = 0x00010000
_CLONE3 = 435
_X32 = 0x40000000

_EVERYWHERE = (425, 426, 427, 434, 438)
"""io_uring, which opens and connects on its own account; descriptors of other processes."""
_MACHINES: dict[str, tuple[int, int, tuple[int, ...], tuple[int, ...]]] = {
    "x86_64": (
        0xC000003E,
        56,
        (
            *(41, 42, 43, 49, 50, 53, 288),  # socket connect accept bind listen socketpair accept4
            *(
                101,
                310,
                311,
                312,
                298,
                321,
                323,
            ),  # ptrace process_vm_readv/_writev kcmp perf_event_open bpf userfaultfd
            *(248, 249, 250, 272, 308, 155, 161, 165, 166, 304),  # keys, namespaces, mounts, open_by_handle_at
            *(29, 64, 68, 240, 319),  # shared memory, semaphores, queues, memfd_create
        ),
        (57, 58, 59, 322, 62),  # fork vfork execve execveat kill
    ),
    "aarch64": (
        0xC00000B7,
        220,
        (
            *(198, 203, 202, 200, 201, 199, 242),
            *(117, 270, 271, 272, 241, 280, 282),
            *(217, 218, 219, 97, 268, 41, 51, 40, 39, 265),
            *(194, 190, 186, 180, 279),
        ),
        (221, 281, 129),  # execve execveat kill
    ),
}
"""Machine → (its name to the kernel, its clone, calls that are refused, those that only a process refuses that starts
no program), in the same order."""


def refuse_calls(*, programs: bool) -> bool:
    """Refuse the calls to the calling thread and all that it makes; ``programs`` = it may start some.

    Whether that holds; False = the kernel, or this machine, knows nothing of it.
    """
    if sys.platform != "linux" or platform.machine() not in _MACHINES or struct.calcsize("P") != 8:
        return False
    written = _program(platform.machine(), programs=programs)
    code = ctypes.create_string_buffer(written, len(written))

    class Program(ctypes.Structure):
        _fields_ = (("n", ctypes.c_ushort), ("code", ctypes.c_void_p))

    program = Program(len(written) // 8, ctypes.cast(code, ctypes.c_void_p))
    try:
        no_new_privileges()
        process_control(_SET, ctypes.c_ulong(_FILTER), ctypes.byref(program), ctypes.c_ulong(0), ctypes.c_ulong(0))
    except NotThereError:
        return False
    return True


def _program(machine: str, *, programs: bool) -> bytes:
    """The filter as the kernel reads it: eight bytes an instruction, jumps are counted in instructions."""
    name, clone, refused, starting = _MACHINES[machine]
    numbers = [*refused, *_EVERYWHERE, *(() if programs else starting)]
    lines = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, name),
        (_RETURN, 0, 0, _REFUSED),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _REFUSED),
    ]
    for number in numbers:
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSED)]
    if not programs:
        lines += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _NOT_THERE)]
        lines += [(_EQUAL, 0, 3, clone), (_LOAD, 0, 0, _FIRST_ARGUMENT), (_ANY_BIT, 1, 0, _THREAD)]
        lines += [(_RETURN, 0, 0, _REFUSED)]
    lines.append((_RETURN, 0, 0, _ALLOWED))
    return b"".join(struct.pack("HBBI", *line) for line in lines)
