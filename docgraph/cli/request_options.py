"""The options of ``plan``, ``run`` and ``explain``: one for every field of a retrieval request."""

from __future__ import annotations

import functools
import inspect
import shlex
from collections.abc import Callable
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from docgraph.domain.request import EvidenceRule, Mode, RetrievalRequest, ScopeField, ScopeMode, SeedSignal
from docgraph.errors import RequestError

LIMITS = "Limits"
SWITCHES = "Switches"


def _limit(flag: str, text: str) -> Any:
    return Annotated[int | None, typer.Option(flag, metavar="N", help=text, rich_help_panel=LIMITS)]


def _word(flag: str, values: Any, text: str) -> Any:
    return Annotated[values | None, typer.Option(flag, help=text, rich_help_panel=SWITCHES)]


OPTIONS: dict[str, Any] = {
    "mode": _word("--mode", Mode, "accurate reserves 40 % for related documents, fast 20 %."),
    "max_documents": _limit("--max-documents", "Documents in the plan (6; fast 5)."),
    "max_chunks": _limit("--max-chunks", "Chunks in the context (10)."),
    "max_chunks_per_document": _limit("--max-chunks-per-document", "Chunks of one document (3)."),
    "max_expanded": _limit("--max-expanded", "Related documents (from the mode)."),
    "max_expanding_seeds": _limit("--max-expanding-seeds", "Seeds whose relationships are consulted (3; fast 1)."),
    "max_fan_out": _limit("--max-fan-out", "Related documents from one seed (3)."),
    "relation_types": Annotated[
        list[str] | None,
        typer.Option("--types", metavar="A,B", help="Only these relation types.", rich_help_panel=SWITCHES),
    ],
    "use_relationships": Annotated[
        bool | None,
        typer.Option(
            "--relationships/--no-relationships", help="Consult relationships at all.", rich_help_panel=SWITCHES
        ),
    ],
    "seed_signal": _word("--signal", SeedSignal, "What ranks the seeds (mean)."),
    "seed_document_ids": Annotated[
        list[str] | None,
        typer.Option("--seed", metavar="ID", help="A seed by its document id; repeatable.", rich_help_panel=SWITCHES),
    ],
    "evidence_rule": _word("--evidence", EvidenceRule, "How chunks are let in (the planner decides)."),
    "scope_mode": _word("--scope-mode", ScopeMode, "Show the dominant scope, or filter the seeds by it."),
    "scope_field": _word("--scope-field", ScopeField, "What the dominant scope is made of."),
    "token_budget": _limit("--token-budget", "Tokens of the assembled context (2000)."),
}
"""Request field → its option; every field but ``query``, which is the argument."""


def with_request_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give ``command(request, …)`` a QUERY argument and the options above in place of its ``request`` parameter."""

    @functools.wraps(command)
    def wrapped(**values: Any) -> None:
        fields = {name: values.pop(name) for name in ("query", *OPTIONS)}
        command(request=read_request(fields), **values)

    query = Annotated[str, typer.Argument(metavar="QUERY", help="The question, in quotes.", show_default=False)]
    own = [p for name, p in inspect.signature(command, eval_str=True).parameters.items() if name != "request"]
    parameters = [
        _parameter("query", query, default=""),
        *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own),
        *(_parameter(name, option, default=None) for name, option in OPTIONS.items()),
    ]
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapped


def read_request(fields: dict[str, Any]) -> RetrievalRequest:
    """The request made of the options that were given. Raises RequestError that names the option at fault."""
    given = {name: value for name, value in fields.items() if value is not None and value != []}
    if "relation_types" in given:
        given["relation_types"] = [t.strip() for part in given["relation_types"] for t in part.split(",") if t.strip()]
    try:
        return RetrievalRequest(**given)
    except ValidationError as error:
        raise _request_error(error, given) from None


def as_options(fields: dict[str, Any]) -> str:
    """Request fields as one would type them: ``{"max_documents": 8}`` → ``--max-documents 8``; sorted by name."""
    return " ".join(_typed(OPTIONS[name].__metadata__[0].default, fields[name]) for name in sorted(fields))


def _typed(flag: str, value: Any) -> str:
    on, _, off = flag.partition("/")
    if isinstance(value, bool):
        return on if value else off
    if isinstance(value, list | tuple) and on == "--types":
        return f"{on} {shlex.quote(','.join(value))}"
    if isinstance(value, list | tuple):
        return " ".join(f"{on} {shlex.quote(str(item))}" for item in value)
    return f"{on} {shlex.quote(str(value))}"


def _parameter(name: str, annotation: Any, *, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _request_error(error: ValidationError, given: dict[str, Any]) -> RequestError:
    first = error.errors(include_url=False, include_input=False)[0]
    reason = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return RequestError(reason, hint='docgraph plan "your question"')
    name = str(first["loc"][0])
    shown = f" = {str(given.get(name))[:60]!r}" if name != "query" else f" ({len(str(given.get(name))):,} characters)"
    return RequestError(f"{name}{shown}: {reason}", hint="docgraph plan --help lists the limits")
