"""Work in a process of its own, where each piece may take so much memory and processor time and no more."""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tests import ROOT

ALLOWANCE = 3
"""A piece that takes this many times its processor time is killed, whatever it is in the middle of."""


def bounded(work: str, items: Sequence[Any], *, memory: int, seconds: float) -> Iterator[dict[str, Any]]:
    """What ``module:function`` gives for each item (JSON), as {"said", "seconds"}; {"died"} where it was killed.

    ``seconds_there`` are those of processes that it started and ended.
    ``memory`` = bytes beside what the process had before the piece, ``seconds`` of processor time. The function is
    called with an item; what it returns, or the exception that it raises, is what it said.
    """
    left = list(items)
    while left:
        command = [sys.executable, "-m", "tests.survive.bounded", work, str(memory), str(seconds)]
        child = subprocess.run(command, cwd=ROOT, input=json.dumps(left), capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in child.stdout.splitlines()]
        yield from lines
        left = left[len(lines) :]
        if left:
            yield {"died": f"exit code {child.returncode}: {child.stderr.strip()[-300:]}"}
            left = left[1:]


def _limit(memory: int, seconds: float) -> None:
    in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    used = time.process_time()
    resource.setrlimit(resource.RLIMIT_AS, (in_use + memory, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used + ALLOWANCE * seconds), resource.RLIM_INFINITY))


def _measured(function: Callable[[Any], str], item: Any) -> dict[str, Any]:
    began, there = time.process_time(), _there()
    try:
        said = function(item)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    seconds, after = time.process_time() - began, _there()
    return {
        "said": said[:2_000],
        "seconds": seconds,
        "seconds_there": after - there,
    }


def _there() -> float:
    """Seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(work: str, memory: str, seconds: str) -> None:
    """One line of JSON an item; a module with ``warm_up`` is made ready before the limits hold."""
    module, _, name = work.partition(":")
    imported = import_module(module)
    getattr(imported, "warm_up", lambda: None)()
    for item in json.load(sys.stdin):
        _limit(int(memory), float(seconds))
        line = _measured(getattr(imported, name), item)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
