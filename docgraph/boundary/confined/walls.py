"""What a process that reads hostile files may not do: limits, files, connections, programs, as far as the system can.

Limits are the system's own (``setrlimit``); files are Landlock's, calls seccomp's. Where one of them is missing the
others hold; what the watching process holds everywhere is in ``process``.
"""

from __future__ import annotations

import os
import site
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from glob import glob
from pathlib import Path
from typing import IO

from docgraph.boundary.confined import kernel

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_HARMLESS = ("/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom")
_LOADERS = ("/lib64/ld-*", "/lib/ld-*", "/lib/*/ld-*", "/usr/lib64/ld-*", "/usr/lib/ld-*")
_OPEN_FILES = 64
_TRIED = 30.0
"""Seconds that a process has to try the walls."""


def put_up(*, folders: Iterable[str] = (), programs: Iterable[str] = ()) -> tuple[str, ...]:
    """Wall this process in, for good; names of what holds: ``limits``, ``files``, ``calls``.

    ``folders`` may be read beside the code of Python and its packages; ``programs`` may be started.
    To be called while there is one thread: later ones inherit all of it.
    """
    started = [*programs]
    held = []
    if resource is not None:
        for name, value in (("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", 0), ("RLIMIT_NOFILE", _OPEN_FILES)):
            with suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, name), (value, value))
        _statistics()
        held.append("limits")
    if sys.platform == "linux":
        beside = [path for pattern in _LOADERS for path in glob(pattern)] if started else []
        readable = [*code_folders(), *folders, *(str(Path(each).parent) for each in started)]
        if kernel.restrict_files(readable=readable, programs=[*started, *beside]):
            held.append("files")
        if kernel.refuse_calls(programs=bool(started)):
            held.append("calls")
    return tuple(held)


@cache
def held() -> tuple[str, ...]:
    """What of ``put_up`` holds on this machine, tried by a process that ends with it; empty where none can start."""
    command = [sys.executable, "-m", "docgraph.boundary.confined.walls"]
    try:
        tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TRIED, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(tried.stdout.decode().split())


def code_folders() -> list[str]:
    """Where Python, its packages and the system's libraries lie; no folder of a person's files is among them."""
    paths = sysconfig.get_paths()
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages", "lib-dynload")]
    zipped = [path for path in sys.path if path.endswith(".zip")]
    own = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    with suppress(AttributeError):
        own += site.getsitepackages()
    here = str(Path(__file__).resolve().parents[2])
    return list(dict.fromkeys((*own, *packages, *zipped, here, *_LIBRARIES, *_HARMLESS)))


def allow(*, seconds: float, memory: int) -> None:
    """From now on so many seconds of processor time and bytes of memory beside what was used; beyond, the system ends
    the process (SIGXCPU) or has no memory for it (MemoryError), where it has such limits."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _soften("RLIMIT_CPU", round(used.ru_utime + used.ru_stime + seconds))
    if (in_use := data_in_use()) is not None:
        _soften("RLIMIT_DATA", in_use + memory)


def let_go() -> None:
    """No such limits until the next file: what was read is still to be told."""
    if resource is not None:
        _soften("RLIMIT_CPU", resource.RLIM_INFINITY)
        _soften("RLIMIT_DATA", resource.RLIM_INFINITY)


def data_in_use() -> int | None:
    """Bytes of memory that RLIMIT_DATA counts; None where the system does not say."""
    file = _statistics()
    if file is None or resource is None:
        return None
    file.seek(0)
    return int(file.read().split()[5]) * resource.getpagesize()


def _soften(name: str, value: int) -> None:
    assert resource is not None
    limit = getattr(resource, name)
    with suppress(OSError, ValueError):
        resource.setrlimit(limit, (value, resource.getrlimit(limit)[1]))


@cache
def _statistics() -> IO[bytes] | None:
    """The system's figures on this process, opened while that may be done."""
    if sys.platform != "linux":
        return None
    try:
        return os.fdopen(os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC), "rb", buffering=0)
    except OSError:
        return None


if __name__ == "__main__":
    print(*put_up())
