"""Processes that read hostile files: started, asked, watched for time and memory, kept for the next file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import psutil

from docgraph.boundary.confined.wire import MAX_LINE, Answer, Asked, Bounds, Given, Item, answer, send
from docgraph.boundary.files.regular import reason_of

MAX_TOLD = 30
"""Bytes of all lines that come back, for each byte of memory that reading them might take: no more is kept."""
_INSTEAD = "split it, or save it anew in its program"
_PASSED_ON = (
    "PATH",
    "LD_LIBRARY_PATH",
    "PYTHONHOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "PYTHONUTF8",
    "SYSTEMROOT",
    "WINDIR",
    "TMP",
    "TEMP",
)
"""Of the environment; keys and addresses of databases are not for who reads hostile files."""


class ReaderEnded(Exception):
    """The process ended before it took the file: it had waited for too long, or left off by itself."""


class FileReader:
    """One process. Not to be shared between threads; a file that was not read to its end costs it its life."""

    def __init__(self, module: str, arguments: Sequence[str] = ()) -> None:
        """Start it: ``module`` is run, and speaks as ``wire`` says. Raises ValueError where that cannot be done."""
        command = [sys.executable, "-P", "-m", module, *arguments]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                cwd=os.path.abspath(os.sep),
                start_new_session=True,
            )
        except OSError as error:
            raise ValueError(f"the process that reads such files cannot be started: {reason_of(error)}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._may_start = bool(arguments)
        self.usable = True

    @property
    def pid(self) -> int:
        """Its number to the system."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended meanwhile: it leaves off by itself when nobody asks for a while."""
        return self._process.poll() is None

    def read(self, asked: Asked, data: bytes, give: Callable[[str], tuple[bytes, Bounds]]) -> Iterator[Item]:
        """What is in the file; ``give`` a file by its name, where several are read as one.

        Raises ValueError with one line for what is refused or takes too much, OSError for what cannot be read, and
        ReaderEnded.
        """
        self.usable = False
        try:
            try:
                send(self._in, asked, data)
            except OSError:
                raise ReaderEnded from None
            with Watch(self._process, asked.bounds) as watch:
                yield from self._answers(asked, give, watch)
        finally:
            if not self.usable:
                self.close()

    def _answers(self, asked: Asked, give: Callable[[str], tuple[bytes, Bounds]], watch: Watch) -> Iterator[Item]:
        bounds, n_bytes = asked.bounds, 0
        while line := self._out.readline(MAX_LINE + 1):
            n_bytes += len(line)
            try:
                told = answer(line)
            except ValueError as error:
                raise ValueError(f"the process that reads such files said what it must not: {error}") from None
            if told.wanted is not None:
                bounds = self._give(told.wanted, asked, give)
                watch.more(bounds)
                continue
            watch.stop()
            if told.ended is not None:
                self._end(told, bounds)
                return
            if n_bytes > MAX_TOLD * bounds.memory or told.item is None:
                raise ValueError(f"there is more in the file than is kept: {_INSTEAD}")
            yield told.item
        code = self._waited()
        if watch.over:
            raise ValueError(_too_much(watch.over, bounds))
        if code == 0 and not n_bytes:
            raise ReaderEnded
        raise ValueError(_died(code, bounds))

    def _give(self, name: str, asked: Asked, give: Callable[[str], tuple[bytes, Bounds]]) -> Bounds:
        if name not in asked.names:
            raise ValueError("the process that reads such files asked for a file that is none of them")
        data, failed = b"", ""
        bounds = asked.bounds
        try:
            data, bounds = give(name)
        except (OSError, ValueError) as error:
            failed = reason_of(error) or "it cannot be read"
        with suppress(OSError):  # who died says so by its silence
            send(self._in, Given(n_bytes=len(data), failed=failed, bounds=bounds), data)
        return bounds

    def _end(self, told: Answer, bounds: Bounds) -> None:
        self.usable = told.again
        if told.ended == "refused":
            raise ValueError(told.reason)
        if told.ended == "unreadable":
            raise OSError(told.reason)
        if told.ended == "memory":
            raise ValueError(_too_much("memory", bounds))
        if told.ended == "damaged":
            raise ValueError(
                f"the file cannot be read, it is damaged or odd ({told.reason}): save it anew in its program"
            )

    def _waited(self) -> int:
        """How it ended: the number of its signal below 0, else its exit code; a program that it ran ends too."""
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            end(self._process)
            return self._process.wait()
        if self._may_start:
            end(self._process)
        return code

    def close(self) -> None:
        """End it, and take it off the system's list."""
        self.usable = False
        if self._process.returncode is None:
            end(self._process)
        for stream in (self._in, self._out):
            with suppress(OSError):
                stream.close()
        self._process.wait()


def _environment() -> dict[str, str]:
    """Of this one's what Python needs to start, and where its code lies."""
    here = str(Path(__file__).resolve().parents[3])
    paths = [str(Path(path).resolve()) for path in sys.path if path]
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    code = os.pathsep.join(dict.fromkeys((*paths, here)))
    return {**kept, "PYTHONPATH": code, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1"}


def _too_much(over: str, bounds: Bounds) -> str:
    if over == "memory":
        return f"reading it takes more than {bounds.memory // 1_000_000:,} MB of memory: a bomb? If not, {_INSTEAD}"
    if over == "waiting":
        return f"reading it does not come to an end: {_INSTEAD}"
    return f"reading it takes more than {bounds.seconds:,.0f} seconds of processor time: a bomb? If not, {_INSTEAD}"


def _died(code: int, bounds: Bounds) -> str:
    if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        return _too_much("time", bounds)
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"reading it ended the process that reads such files ({how}): the file is damaged, or a trap: leave it out"


EVERY = 0.2
MAX_WAIT, MAX_WAIT_FOR_A_SECOND = 60.0, 20.0
"""Seconds that may pass before a file is read, and for each second of processor time that it may take: one that waits
takes none, and on a busy machine it gets little."""


class Watch:
    """Around the reading of one file. ``over`` = what it took too much of: ``time``, ``memory`` or ``waiting``."""

    def __init__(self, process: subprocess.Popen[bytes], bounds: Bounds) -> None:
        self.over = ""
        self._process = process
        self._bounds = bounds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, name="docgraph-watch", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """The file is read: what follows is only told."""
        self._done.set()

    def more(self, bounds: Bounds) -> None:
        """It may take more than it might before."""
        self._bounds = bounds

    def _look(self) -> None:
        began = time.monotonic()
        with suppress(psutil.Error):
            seen = psutil.Process(self._process.pid)
            seconds, memory = _taken(seen)
            while not self._done.wait(EVERY):
                bounds = self._bounds
                now = _taken(seen)
                if now[0] - seconds > bounds.seconds + 1:
                    self.over = "time"
                elif now[1] - memory > bounds.memory:
                    self.over = "memory"
                elif time.monotonic() - began > MAX_WAIT + MAX_WAIT_FOR_A_SECOND * bounds.seconds:
                    self.over = "waiting"
                if self.over:
                    if self._process.returncode is None:
                        end(self._process)
                    return


def _taken(process: psutil.Process) -> tuple[float, int]:
    """Seconds of processor time and bytes of memory of a process and of the programs that it runs now."""
    with process.oneshot():
        times, memory = process.cpu_times(), process.memory_info().rss
    seconds = times.user + times.system + getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
    for child in process.children():
        with suppress(psutil.Error):
            used = child.cpu_times()
            seconds, memory = seconds + used.user + used.system, memory + child.memory_info().rss
    return seconds, memory


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process now that leads a group of its own, with all that it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class Readers:
    """Of one module, by the arguments that they are started with; ended by ``rest``, or with this object."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._idle: dict[tuple[str, ...], list[FileReader]] = defaultdict(list)
        weakref.finalize(self, _close, self._idle)

    @contextmanager
    def reader(self, arguments: Sequence[str] = (), *, new: bool = False) -> Iterator[FileReader]:
        """One that nobody else has meanwhile; ``new`` = just started. Raises ValueError where none can be started."""
        kind = tuple(arguments)
        with self._lock:
            idle = self._idle[kind]
            found = idle.pop() if idle and not new else None
        if found is not None and not found.alive:
            found.close()
            found = None
        reader = found or FileReader(self._module, kind)
        try:
            yield reader
        finally:
            with self._lock:
                if reader.usable:
                    self._idle[kind].append(reader)

    def rest(self) -> None:
        """End those that nobody uses now."""
        with self._lock:
            idle, waiting = dict(self._idle), self._idle
            waiting.clear()
        _close(idle)


def _close(idle: dict[tuple[str, ...], list[FileReader]]) -> None:
    for readers in idle.values():
        for reader in readers:
            reader.close()
