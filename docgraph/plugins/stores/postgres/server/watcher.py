"""Ends an embedded server that no program has used for a while: a process of its own, run by path.

It needs the standard library alone until it stops the server. Every process that uses the server holds ``lease.lock``,
so a killed program counts as gone; everything is decided while ``start.lock`` is held, as starting and leaving are.
Arguments: the server's folder, seconds, and the folder that docgraph is imported from.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

LONGEST_PAUSE = 10.0
STOP = """
import sys
sys.path.insert(0, sys.argv[2])
from docgraph.plugins.stores.postgres.server.embedded import stop_server
stop_server(sys.argv[1])
"""


def watch(folder: str, seconds: float, packages: str) -> None:
    """Stay until the server is gone, and see to it that it goes."""
    import fcntl

    with open(os.path.join(folder, "watch.lock"), "a") as mine:
        try:
            fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        idle_since = time.monotonic()
        while True:
            time.sleep(min(LONGEST_PAUSE, seconds / 4))
            state = look(folder, mine)
            if state == "gone":
                return
            if state != "unused":
                idle_since = time.monotonic()
            elif time.monotonic() - idle_since >= seconds:
                stop = [sys.executable, "-c", STOP, folder, packages]
                subprocess.run(stop, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


def look(folder: str, mine: object) -> str:
    """``gone``, ``used``, or ``unused``; a watcher that leaves lets its lock go before anybody else may look.

    It makes no file: a folder that is being removed is gone, and must not come back with a lock in it.
    """
    import fcntl

    try:
        with open(os.path.join(folder, "start.lock"), "r+") as start:
            fcntl.flock(start, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.exists(os.path.join(folder, "pgdata", "postmaster.pid")):
                fcntl.flock(mine, fcntl.LOCK_UN)  # type: ignore[arg-type]
                return "gone"
            with open(os.path.join(folder, "lease.lock"), "r+") as lease:
                fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return "unused"
    except BlockingIOError:
        return "used"
    except OSError:
        return "gone"


def main(folder: str, seconds: str, packages: str) -> None:
    """Leave the calling process, and watch."""
    if os.fork():
        os._exit(0)
    os.setsid()
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    watch(folder, float(seconds), packages)


if __name__ == "__main__":
    main(*sys.argv[1:4])
