"""The outermost edge of the command line: every error becomes one line, a hint and an exit code."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import typer

from docgraph.boundary.logs import one_request
from docgraph.cli.commands import application_for
from docgraph.cli.text.output import one_line
from docgraph.errors import DocgraphError, PlanViolationError

USAGE_ERROR = 2
INTERNAL_ERROR = PlanViolationError.exit_code
INTERRUPTED = 130
MAX_MESSAGE = 2_000
DEBUG = "DOCGRAPH_DEBUG"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 user error, 2 usage, 3 environment, 70 a bug, 130 interrupted."""
    gc.disable()  # collecting while modules are imported is a fifth of a start
    code = run(arguments)
    gc.freeze()  # nothing is collected on the way out
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with ``arguments`` (those of the process when ``None``); the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character shows an escape instead of failing
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdin is None:  # closed by whoever started this: there is nothing to read
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    elif isinstance(sys.stdin, io.TextIOWrapper):  # bytes that are no text are refused where the text is, by name
        sys.stdin.reconfigure(errors="surrogateescape")
    try:
        with one_request():
            return _run(given)
    except DocgraphError as error:
        if os.environ.get(DEBUG):
            raise
        return complain(error.message, error.hint, code=error.exit_code, as_json="--json" in given)
    except BrokenPipeError:  # the reader of our output has left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return complain("stopped", "finished work is kept", code=INTERRUPTED, as_json="--json" in given)
    except Exception as error:  # the one place where a bug is turned into a line instead of a traceback
        if os.environ.get(DEBUG):
            raise
        message = f"internal error: {type(error).__name__}: {error}"
        hint = f"set {DEBUG}=1 to see where; please report it"
        return complain(message, hint, code=INTERNAL_ERROR, as_json="--json" in given)


def complain(message: str, hint: str = "", *, code: int, as_json: bool = False) -> int:
    """Tell of an error on the standard error, and return its exit code.

    ``error: …`` and, when there is one, ``hint: …``, each on one line; ``as_json`` makes it one line of JSON.
    """
    message, hint = one_line(message)[:MAX_MESSAGE], one_line(hint)[:MAX_MESSAGE]
    if as_json:
        print(json.dumps({"error": {"message": message, "hint": hint, "exit_code": code}}), file=sys.stderr)
        return code
    print(f"error: {message}", file=sys.stderr)
    if hint:
        print(f"hint:  {hint}", file=sys.stderr)
    return code


def _run(arguments: list[str]) -> int:
    if arguments[:1] in ([], ["help"]):  # `docgraph help plan` is `docgraph plan --help`
        arguments = [*arguments[1:], "--help"]
    usage_error: Any = typer.BadParameter.__base__  # Typer publishes only this child of it
    try:
        made = application_for(arguments)
        gc.enable()
        code = made(args=arguments, prog_name="docgraph", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except typer.Abort:  # a question to the person that nobody answered
        print(file=sys.stderr)  # ends the line of the question
        return complain("nothing was done: the prompt was not answered", "answer it, or give --yes", code=1)
    except usage_error as error:
        if "--help" in error.format_message():  # a command without any argument shows its help
            error.show()
            return USAGE_ERROR
        path = error.ctx.command_path if error.ctx else "docgraph"
        message = error.format_message().replace("Value error, ", "")
        return complain(message, f"{path} --help", code=USAGE_ERROR, as_json="--json" in arguments)
