"""The commands under ``memory``: conversation memories, listed, added, recalled and removed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from docgraph.cli.files import STANDARD, standard_input
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, one_line, table, write_json
from docgraph.domain.memory import MAX_ITEMS, MAX_TEXT, Memory
from docgraph.errors import RequestError
from docgraph.orchestration.memories import DEFAULT_CONVERSATION, MAX_LIMIT

application = typer.Typer(help="List conversation memories; add, recall, forget.", no_args_is_help=False)
EXCERPT = 100
MAX_INPUT = MAX_ITEMS * (MAX_TEXT + 2)
"""Characters that are read of the standard input: what one call can keep, each text with the end of its line."""
ConversationOption = Annotated[
    str | None, typer.Option("--conversation", "-c", metavar="NAME", help="Only this conversation.")
]
LimitOption = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, max=MAX_LIMIT, help="Maximum number of memories.")
]


@application.callback(invoke_without_command=True)
def default(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List conversation memories; add, recall, forget."""
    if context.invoked_subcommand is None:
        list_memories(workspace, json=json)


@application.command("list")
def list_memories(
    workspace: WorkspaceOption = None,
    conversation: ConversationOption = None,
    limit: LimitOption = 200,
    before: Annotated[
        int | None, typer.Option("--before", metavar="TURN", help="Only memories before this turn.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List memories, newest first."""
    with opened(workspace) as docgraph:
        found = docgraph.memory.list(conversation_id=conversation, limit=limit, before=before)
        name = docgraph.workspace_name
    if json:
        write_json({"workspace": name, "memories": [memory.model_dump(mode="json") for memory in found]})
        return
    if found:
        rows = [(m.turn, m.memory_id, m.conversation_id, m.role, _excerpt(m)) for m in found]
        table(("turn", "memory", "conversation", "role", "text"), rows, right=("turn",))
        line("")
    line((f"{count(len(found), 'memory')} in {name}", "dim"))


@application.command()
def add(
    texts: Annotated[
        list[str], typer.Argument(metavar="TEXT...", help="The texts; - reads lines from standard input.")
    ],
    workspace: WorkspaceOption = None,
    conversation: Annotated[
        str, typer.Option("--conversation", "-c", metavar="NAME", help="Conversation to add them to.")
    ] = DEFAULT_CONVERSATION,
    json: JsonOption = False,
) -> None:
    """Add texts in the order given. A repeated text is stored once, as the newest."""
    said = _lines_of_input() if texts == [STANDARD] else texts
    with opened(workspace) as docgraph:
        made = docgraph.memory.remember(said, conversation_id=conversation)
    if json:
        write_json(made)
        return
    for memory in made.memories:
        line((f"{memory.turn:>6}  {one_line(memory.memory_id)}  ", "dim"), _excerpt(memory))
    if made.n_dropped:
        line((f"{made.n_dropped:,} of the oldest were removed", "yellow"))


@application.command()
def recall(
    query: Annotated[str, typer.Argument(metavar="QUESTION")],
    workspace: WorkspaceOption = None,
    conversation: ConversationOption = None,
    limit: LimitOption = 5,
    json: JsonOption = False,
) -> None:
    """Find memories by similarity, words and recency, best first."""
    with opened(workspace) as docgraph:
        hits = docgraph.memory.recall(query, limit, conversation_id=conversation)
    if json:
        write_json({"query": query, "hits": [hit.model_dump(mode="json") for hit in hits]})
        return
    rows = [
        (f"{h.score:.3f}", f"{h.words:.3f}", h.memory.turn, h.memory.conversation_id, _excerpt(h.memory)) for h in hits
    ]
    if rows:
        table(("cosine", "words", "turn", "conversation", "text"), rows, right=("cosine", "words", "turn"))
    else:
        line(("no memory matches the question", "dim"))


@application.command()
def forget(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="Full ids of memories.")] = None,
    workspace: WorkspaceOption = None,
    conversation: ConversationOption = None,
    json: JsonOption = False,
) -> None:
    """Remove memories by id, or all of a conversation, permanently."""
    if not ids and conversation is None:
        raise RequestError("nothing to forget was named", hint="give ids, or --conversation NAME")
    with opened(workspace) as docgraph:
        n = docgraph.memory.forget(conversation_id=conversation, memory_ids=ids or None)
    if json:
        write_json({"forgotten": n})
    else:
        line(f"removed {count(n, 'memory')}")


def _lines_of_input() -> list[str]:
    """The lines of the standard input that say something, as many as one call may keep. Raises RequestError."""
    read = standard_input(lambda: sys.stdin.read(MAX_INPUT + 1))
    if len(read) > MAX_INPUT:
        raise RequestError(f"the input has more than {MAX_INPUT:,} characters", hint="split it into several calls")
    return [text for text in read.splitlines() if text.strip()]


def _excerpt(memory: Memory) -> str:
    text = one_line(memory.text)
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
