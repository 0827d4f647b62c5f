"""Reads files with a loader for another process, walled in: ``python -m docgraph.plugins._reader [loader]``.

The loader that is named may start the program that it converts by; without one nothing is started.
"""

from __future__ import annotations

import mimetypes
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import IO, Any, NoReturn

from docgraph import plugins
from docgraph.boundary.confined import Confined, said_by, walls
from docgraph.boundary.confined.wire import Answer, Asked, Bounds, Given, line_of, own_streams, send

MAX_IDLE = 60.0
"""Seconds without a file after which it leaves off."""
MAX_GROWN = 100_000_000
"""Bytes that it may have more than after its first file; beyond, the next file is read by another process."""
_Incoming = tuple[Asked | Given, bytes]


class _Reader:
    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._in, self._out = incoming, outgoing
        self._came: queue.Queue[_Incoming] = queue.Queue()
        self._loaders: dict[str, Any] = {}
        self._began = 0

    def listen(self) -> None:
        """Take what comes, and end this process as soon as nobody is there to ask, whatever it is in the middle of."""
        kind: type[Asked] | type[Given]
        while line := self._in.readline():
            kind = Asked if b'"loader"' in line[:12] else Given
            head = kind.model_validate_json(line)
            self._came.put((head, self._in.read(head.n_bytes)))
        _end_all()

    def serve(self) -> NoReturn:
        """File after file; ends with the last of them."""
        while True:
            try:
                asked, data = self._came.get(timeout=MAX_IDLE)
            except queue.Empty:
                os._exit(0)
            assert isinstance(asked, Asked)
            ended = self._read(asked, data)
            del data
            in_use = walls.data_in_use() or 0
            self._began = self._began or in_use
            send(self._out, ended.model_copy(update={"again": ended.again and in_use < self._began + MAX_GROWN}))

    def _read(self, asked: Asked, data: bytes) -> Answer:
        """How it ended; what was found has been told, all of it or nothing."""
        try:
            loader = self._loader(asked)
            self._allow(asked.bounds)
            items = (
                loader.load_group(self._wanted, asked.names) if asked.names else loader.load(data, source=asked.source)
            )
            lines = [line_of(item) for item in items]
        except MemoryError:
            walls.let_go()
            return Answer(ended="memory", again=False)
        except OSError as error:
            return Answer(ended="unreadable", reason=error.strerror or str(error))
        except ValueError as error:
            if _for_want_of_memory(error):
                walls.let_go()
                return Answer(ended="memory", again=False)
            return Answer(ended="refused", reason=str(error))
        except RecursionError:
            return Answer(ended="refused", reason="it is nested too deep")
        except Exception as error:  # a parser's own fault is the file's end, and not the import's
            return Answer(ended="damaged", reason=type(error).__name__, again=False)
        walls.let_go()
        for line in lines:
            self._out.write(line)
        return Answer(ended="read")

    def _loader(self, asked: Asked) -> Any:
        if asked.loader not in self._loaders:
            loader = plugins.build("loaders", asked.loader)
            for name in (said_by(loader) or Confined()).imports:
                with suppress(ImportError):  # of an extra that is missing: the loader says which
                    import_module(name)
            self._loaders[asked.loader] = loader
        return self._loaders[asked.loader]

    def _allow(self, bounds: Bounds) -> None:
        walls.allow(seconds=bounds.seconds, memory=bounds.memory)

    def _wanted(self, name: str) -> bytes:
        send(self._out, Answer(wanted=name))
        given, data = self._came.get()
        assert isinstance(given, Given)
        if given.failed:
            raise OSError(given.failed)
        self._allow(given.bounds)
        return data


def _for_want_of_memory(error: BaseException | None) -> bool:
    """Whether a parser made another error of one that says that there is no memory."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, MemoryError):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _end_all() -> NoReturn:
    """End this process, and a program that it runs, whatever either is in the middle of."""
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        with suppress(OSError):  # refused where no program may be started
            os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _programs(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        program: Callable[[], str] | None = (said_by(plugins.build("loaders", name)) or Confined()).program
        try:
            found += [program()] if program else []
        except ValueError:
            continue  # it is not installed, which every file is told
    return found


def main(names: Iterable[str]) -> NoReturn:
    """Until nobody asks any more."""
    incoming, outgoing = own_streams()
    mimetypes.init(())  # else the first library that asks opens the system's lists
    walls.put_up(folders=plugins.foreign_places("loaders"), programs=_programs(names))
    reader = _Reader(incoming, outgoing)
    threading.Thread(target=reader.listen, daemon=True).start()
    reader.serve()


if __name__ == "__main__":
    main(sys.argv[1:])
