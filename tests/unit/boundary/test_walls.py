"""Walls that this machine cannot show: the filter of another one, a kernel without Landlock, no limits at all."""

from __future__ import annotations

import struct

import pytest

from docgraph.boundary.confined import kernel, walls
from docgraph.boundary.confined.kernel import NotThereError

ALLOWED, REFUSED, NOT_THERE = 0x7FFF0000, 0x00050001, 0x00050026
NUMBERS = {
    "x86_64": {
        "read": 0,
        "openat": 257,
        "socket": 41,
        "connect": 42,
        "execve": 59,
        "clone": 56,
        "kill": 62,
        "ptrace": 101,
    },
    "aarch64": {
        **{"read": 63, "openat": 56, "socket": 198, "connect": 203, "execve": 221, "clone": 220, "kill": 129},
        "ptrace": 117,
    },
}
"""Of the kernel's tables; https://gpages.juszkiewicz.com.pl/syscalls-table/syscalls.html has them side by side."""
CLONE3, IO_URING = 435, 425
THREAD = 0x00010000


def verdict(machine: str, number: int, argument: int = 0, *, programs: bool = False, name: int | None = None) -> int:
    """What the kernel would make of a call, by the filter."""
    code = kernel._program(machine, programs=programs)
    lines = [struct.unpack_from("HBBI", code, at) for at in range(0, len(code), 8)]
    given = {0: number, 4: kernel._MACHINES[machine][0] if name is None else name, 16: argument}
    at, held = 0, 0
    while True:
        what, yes, no, value = lines[at]
        at += 1
        if what == 0x20:
            held = given[value]
        elif what == 0x06:
            return int(value)
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[what]
            at += yes if holds else no


@pytest.mark.parametrize("machine", NUMBERS)
def test_the_filter_refuses_sockets_and_processes_and_lets_files_and_threads_through(machine: str) -> None:
    of = NUMBERS[machine]
    for name in ("read", "openat"):
        assert verdict(machine, of[name]) == ALLOWED, name
    for name in ("socket", "connect", "execve", "kill", "ptrace"):
        assert verdict(machine, of[name]) == REFUSED, name
    assert verdict(machine, of["clone"], THREAD) == ALLOWED
    assert verdict(machine, of["clone"], 17) == REFUSED
    assert verdict(machine, CLONE3) == NOT_THERE
    assert verdict(machine, IO_URING) == REFUSED
    assert verdict(machine, of["read"], name=0x40000003) == REFUSED
    assert verdict(machine, 0x40000000 + of["read"]) == REFUSED


@pytest.mark.parametrize("machine", NUMBERS)
def test_who_may_start_a_program_may_reach_nobody_either(machine: str) -> None:
    of = NUMBERS[machine]
    assert verdict(machine, of["execve"], programs=True) == ALLOWED
    assert verdict(machine, of["clone"], 17, programs=True) == ALLOWED
    for name in ("socket", "connect", "ptrace"):
        assert verdict(machine, of[name], programs=True) == REFUSED, name


def test_a_kernel_without_landlock_is_told_and_harms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> int:
        raise NotThereError(38, "Function not implemented")

    monkeypatch.setattr(kernel, "system_call", missing)
    assert kernel.version() == 0
    assert not kernel.restrict_files(readable=["/"])


def test_another_machine_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel.platform, "machine", lambda: "riscv64")
    assert not kernel.refuse_calls(programs=False)


def test_a_system_without_limits_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "resource", None)
    walls.allow(seconds=1, memory=1)
    walls.let_go()


def test_no_folder_of_a_person_is_read() -> None:
    folders = walls.code_folders()
    assert not {"/", "/home", "/root", "/etc", "/tmp", "/var", "/usr", "/usr/local"} & set(folders)
    assert all(folder.startswith("/") for folder in folders)
