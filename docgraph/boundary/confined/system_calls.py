"""Asks the kernel directly, where Python's library has no function for what is asked."""

from __future__ import annotations

import ctypes
import os
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
