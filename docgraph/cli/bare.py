"""A plan asked for as most people do, a question with a workspace or ``--json`` beside it: no reader of options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pydantic import ValidationError

from docgraph.cli.asking import asked_session
from docgraph.cli.text import answers
from docgraph.cli.text.output import write_json
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.plans import plan_on, standings_on


def show_plan(request: RetrievalRequest, workspace: str | None = None, *, as_json: bool = False) -> None:
    """Plan, and write the plan; as text it says of every document whether it still holds. Raises what asking raises."""
    with asked_session(request, workspace) as session:
        made = plan_on(session, request)
        standings = {} if as_json else standings_on(session, made)
    if as_json:
        write_json(made)
    else:
        answers.show_plan(made, {document_id: standing.words for document_id, standing in standings.items()})


def bare_plan(arguments: Sequence[str]) -> Callable[[], None] | None:
    """What runs ``plan`` with these arguments; None where they ask for more than is read here, or for too much."""
    rest = list(arguments)
    as_json = "--json" in rest
    if as_json:
        rest.remove("--json")
    workspace = None
    for place, word in enumerate(rest[:-1]):
        if word in ("--workspace", "-w"):
            workspace = rest[place + 1]
            del rest[place : place + 2]
            break
    if len(rest) != 1 or any(not word or word.startswith("-") for word in (*rest, workspace or "default")):
        return None
    try:
        request = RetrievalRequest(query=rest[0])
    except ValidationError:
        return None
    return partial(show_plan, request, workspace, as_json=as_json)
