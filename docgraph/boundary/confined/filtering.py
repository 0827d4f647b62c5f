"""seccomp: system calls that the kernel refuses to a process from here on, with EPERM (Linux, x86-64 and ARM64).

Refused: sockets of every kind, programs and processes, other processes' memory, and what goes around either.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys

from docgraph.boundary.confined.system_calls import NotThereError, no_new_privileges, process_control

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


def refuse(*, programs: bool) -> bool:
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
