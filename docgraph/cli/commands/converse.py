"""The command ``converse``: one turn a line, from a person or from a pipe, with the state in a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from docgraph.cli.files import read_file, standard_input, write_file
from docgraph.cli.session import WorkspaceOption, opened
from docgraph.cli.text.output import line, one_line, printable, write_json
from docgraph.domain.conversation import MAX_STATE_BYTES, MAX_TEXT, ConversationState, Turn, parse_state
from docgraph.domain.packet import MAX_TOP_K, PacketMode
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph

PROMPT = "> "
STATE_NAME = "conversation.json"
"""The name of the state in a folder."""
HELP = "One line is one turn. /state shows the state, /reset clears it, /quit ends."
COMMANDS = frozenset(("/state", "/reset", "/quit", "/help"))


def converse(
    workspace: WorkspaceOption = None,
    mode: Annotated[PacketMode, typer.Option("--mode", help="Retrieval mode.")] = "conversation",
    channel: Annotated[
        str | None, typer.Option("--channel", metavar="TYPE", help="Document type that answers must come from.")
    ] = None,
    top_k: Annotated[
        int, typer.Option("--top-k", metavar="N", min=1, max=MAX_TOP_K, help="Maximum passages per turn.")
    ] = 5,
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="X", min=0.0, max=1.0, help="Confidence to proceed, 0 to 1.")
    ] = 0.6,
    state: Annotated[
        str | None, typer.Option("--state", metavar="FILE", help="Read the state from this file and store it there.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write every turn as one line of JSON.")] = False,
) -> None:
    """Start a conversation: one line is one turn. Shows the rewritten question, the search and the answer."""
    remembered = None if state is None else _load(state)
    failed = False
    with opened(workspace) as docgraph:
        for said in _lines(quiet=json):
            if said in COMMANDS:
                if said == "/quit":
                    break
                remembered = _command(said, remembered, docgraph)
            else:
                try:
                    turn = docgraph.converse(
                        remembered, said, mode=mode, channel=channel, top_k=top_k, threshold=threshold
                    )
                except UserError as error:  # one bad line does not end the conversation, but the exit code tells of it
                    failed = True
                    print(f"error: {one_line(error.message)}\nhint:  {one_line(error.hint)}", file=sys.stderr)
                    continue
                remembered = turn.state
                _show(turn, json=json)
            if state is not None and remembered is not None:
                write_file(state, [remembered.model_dump_json(indent=2).encode(), b"\n"], instead=STATE_NAME)
    if failed:
        raise typer.Exit(UserError.exit_code)


def _lines(*, quiet: bool) -> Iterator[str]:
    """The lines of the standard input that are not empty; of one that is too long just enough to be refused."""
    asking = sys.stdin.isatty() and not quiet
    if asking:
        line((HELP, "dim"))
    while True:
        if asking:
            print(PROMPT, end="", flush=True)
        read = standard_input(lambda: sys.stdin.readline(MAX_TEXT + 2))
        if not read:
            return
        whole = read
        while whole and not whole.endswith("\n"):
            whole = standard_input(lambda: sys.stdin.readline(MAX_TEXT + 2))
        if read.strip():
            yield read.rstrip("\r\n")


def _command(said: str, state: ConversationState | None, docgraph: Docgraph) -> ConversationState | None:
    if said == "/reset":
        return ConversationState(workspace=docgraph.workspace_name)
    if said == "/state":
        write_json(state or ConversationState(workspace=docgraph.workspace_name))
    else:
        line(HELP)
    return state


def _show(turn: Turn, *, json: bool) -> None:
    if json:
        write_json(turn, indent=None)
        return
    heard = turn.understanding
    line((f"turn {turn.number}", "bold"), (f"  {heard.intent}, {heard.link.replace('_', ' ')}", "dim"))
    if heard.link != "smalltalk":
        where = f"  (in {heard.channel} documents)" if heard.channel else ""
        line(("asked    ", "dim"), printable(heard.query), (where, "dim"))
    for why in (*heard.why, *heard.notices):
        line(("because  ", "dim"), printable(why))
    for step in turn.steps:
        line(("step     ", "dim"), printable(f"{step.kind}: {step.what}"), (printable(f"  {step.outcome}"), "dim"))
    line(("action   ", "dim"), turn.action)
    for said in turn.reply.splitlines():
        line(printable(said), indent=9)
    for number, choice in enumerate(turn.choices, start=1):
        line(printable(f"{number}) {choice.label}"), indent=9)
    line("")


def _load(name: str) -> ConversationState | None:
    """The state in a file; None when there is no such file yet."""
    if not Path(name).exists():
        return None
    return parse_state(read_file(name, max_bytes=MAX_STATE_BYTES, hint="name another file"))
