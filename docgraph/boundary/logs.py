"""The log of a process: one line a record, with the request it belongs to, as text or JSON, and without any secret."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Literal, TextIO

from docgraph.boundary.request_ids import request_id
from docgraph.boundary.text import printable

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
