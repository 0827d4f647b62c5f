"""The log and the audit of a process: one line a record, with the id of its request, and without secrets."""

from __future__ import annotations

import errno
import json
import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from docgraph.boundary.files.regular import reason_of
from docgraph.boundary.text import printable
from docgraph.errors import SettingsError

_current: ContextVar[str] = ContextVar("docgraph.request", default="")


def request_id() -> str:
    """The id of what is done now, 12 hexadecimal digits; empty outside of any request."""
    return _current.get()


def begin_request() -> str:
    """A new request from here on, in this thread or task; its id."""
    made = secrets.token_hex(6)
    _current.set(made)
    return made


@contextmanager
def one_request() -> Iterator[str]:
    """Inside, everything belongs to one new request."""
    token = _current.set(secrets.token_hex(6))
    try:
        yield _current.get()
    finally:
        _current.reset(token)


LogFormat = Literal["text", "json"]
AUDIT = "docgraph.audit"
HIDDEN = "***"
MAX_LINE = 20_000
"""Characters of a message, and of a traceback. A line of the audit is whole: what writes it bounds it."""
SHORTEST_SECRET = 4
"""What is shorter stands in ordinary words: hiding it would say more than it hides."""


class Line(logging.Formatter):
    """A record as one line; ``secrets`` are replaced wherever they stand, in tracebacks too.

    ``tracebacks`` = those are told at all: they quote what may be somebody's.
    """

    def __init__(self, form: LogFormat, secrets: Iterable[str] = (), *, tracebacks: bool = True) -> None:
        super().__init__()
        self._form, self._tracebacks = form, tracebacks
        self._secrets = sorted({each for each in secrets if len(each) >= SHORTEST_SECRET}, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The line: moment, level, logger, request and message; a traceback as a field, or folded behind it.

        As text it steers no terminal: what could is written as an escape.
        """
        said = self._hidden(record.getMessage())
        raised = self._hidden(self.formatException(record.exc_info)) if record.exc_info and self._tracebacks else ""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {
            "at": moment,
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": request_id(),
            "message": said if record.name == AUDIT else said[:MAX_LINE],
            **({"error": raised[-MAX_LINE:]} if raised else {}),
        }
        if self._form == "json":
            return json.dumps(fields)
        asked = f" [{fields['request']}]" if fields["request"] else ""
        folded = f" | {' | '.join(map(printable, raised[-MAX_LINE:].splitlines()))}" if raised else ""
        return (
            f"{moment} {fields['level']} {record.name}{asked}: {printable(' '.join(fields['message'].split()))}{folded}"
        )

    def _hidden(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text


@contextmanager
def log_to(
    stream: TextIO | None = None,
    *,
    form: LogFormat,
    level: str,
    secrets: Iterable[str] = (),
    tracebacks: bool = True,
) -> Iterator[None]:
    """Inside, the log of this process goes to ``stream`` (the standard error) in this form, from ``level`` on.

    The audit is written whatever the level. Loggers that brought a handler of their own (the framework's) lose it: one
    process, one form of line.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Line(form, secrets, tracebacks=tracebacks))
    handler.addFilter(lambda record: record.levelno >= least or record.name == AUDIT)
    root, audit = logging.getLogger(), logging.getLogger(AUDIT)
    loggers = [root, audit, *(logging.getLogger(name) for name in list(logging.Logger.manager.loggerDict))]
    before = [(logger, logger.handlers, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        if logger.handlers:
            logger.handlers, logger.propagate = [], True
    root.handlers = [handler]
    root.setLevel(least)
    audit.setLevel(logging.INFO)
    try:
        yield
    finally:
        for logger, handlers, was, propagates in before:
            logger.handlers, logger.propagate = handlers, propagates
            logger.setLevel(was)


_log = logging.getLogger(AUDIT)


def logged(line: Mapping[str, Any]) -> None:
    """To the logger ``docgraph.audit``, at INFO."""
    if _log.isEnabledFor(logging.INFO):
        _log.info("%s", _dated(line))


def appended(path: Path) -> Callable[[Mapping[str, Any]], None]:
    """To the end of ``path``, made for its owner alone where it is not there; several processes may share it.

    A line is one write of the system, so lines of several processes stand one after the other. Raises SettingsError
    for a file that cannot be written; where that happens later the line goes to the log, and the work stands.
    """
    _append(path, b"")

    def append(line: Mapping[str, Any]) -> None:
        dated = _dated(line)
        try:
            _append(path, dated.encode() + b"\n")
        except SettingsError as problem:
            _log.error("%s: %s", problem.message, dated)

    return append


def _dated(line: Mapping[str, Any]) -> str:
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json.dumps({"at": moment, **line, "request": request_id()})


def _append(path: Path, line: bytes) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if line and os.write(handle, _begun(path, line)) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(handle)
    except OSError as error:
        raise SettingsError(
            f"the audit cannot be written to {path}: {reason_of(error)}",
            hint="name another file in DOCGRAPH_AUDIT_FILE",
        ) from None


def _begun(path: Path, line: bytes) -> bytes:
    """The line, on a line of its own also where a full disk took half of the one before."""
    with suppress(OSError):  # nothing there yet, not to be read, or a pipe, which has no end to look at
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            os.lseek(handle, -1, os.SEEK_END)
            return line if os.read(handle, 1) == b"\n" else b"\n" + line
        finally:
            os.close(handle)
    return line
