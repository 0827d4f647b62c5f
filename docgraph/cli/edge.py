"""The outermost edge of the command line: every error becomes one line, a hint and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from docgraph.cli.output import printable
from docgraph.errors import DocgraphError, PlanViolationError

INTERNAL_ERROR = PlanViolationError.exit_code
INTERRUPTED = 130
DEBUG = "DOCGRAPH_DEBUG"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 user error, 2 usage, 3 environment, 70 a bug, 130 interrupted."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with ``arguments`` (those of the process when ``None``); the exit code."""
    from docgraph.cli.commands import application

    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character shows an escape instead of failing
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        application(args=None if arguments is None else list(arguments), prog_name="docgraph")
    except SystemExit as stop:
        return _code(stop)
    except DocgraphError as error:
        if os.environ.get(DEBUG):
            raise
        complain(error.message, error.hint)
        return error.exit_code
    except BrokenPipeError:  # the reader of our output has left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        complain("stopped", "what was finished is kept")
        return INTERRUPTED
    except Exception as error:  # the one place where a bug is turned into a line instead of a traceback
        if os.environ.get(DEBUG):
            raise
        complain(f"internal error: {type(error).__name__}: {error}", f"set {DEBUG}=1 to see where; please report it")
        return INTERNAL_ERROR
    return 0


def complain(message: str, hint: str = "") -> None:
    """Write ``error: …`` and, when there is one, ``hint: …`` to the standard error, each on one line."""
    print(f"error: {_one_line(message)}", file=sys.stderr)
    if hint:
        print(f"hint:  {_one_line(hint)}", file=sys.stderr)


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))[:2000]


def _code(stop: SystemExit) -> int:
    return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
