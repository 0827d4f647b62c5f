"""One line of JSON for every write: to the log, or appended to a file that only its owner reads."""

from __future__ import annotations

import errno
import json
import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docgraph.boundary.files.regular import reason_of
from docgraph.boundary.logs import AUDIT
from docgraph.boundary.request_ids import request_id
from docgraph.errors import SettingsError

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
