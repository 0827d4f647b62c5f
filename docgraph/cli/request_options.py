"""The options of the commands that ask: one for every field of a retrieval request."""

from __future__ import annotations

import functools
import inspect
import shlex
from collections.abc import Callable
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from docgraph.domain.overrides import edge_text, parse_edge
from docgraph.domain.request import (
    MODES,
    EvidenceRule,
    Mode,
    Preset,
    RetrievalRequest,
    ScopeField,
    ScopeMode,
    SeedSignal,
)
from docgraph.domain.where import FORMS, AppliesTo, Where, as_where
from docgraph.errors import RequestError

_DEFAULTS = RetrievalRequest(query="-")
_ACCURATE, _FAST = MODES["accurate"], MODES["fast"]

LIMITS = "Limits"
SWITCHES = "Switches"
WHAT_IF = "What if"


def _limit(flag: str, text: str) -> Any:
    return Annotated[int | None, typer.Option(flag, metavar="N", help=text, rich_help_panel=LIMITS)]


def _word(flag: str, values: Any, text: str) -> Any:
    return Annotated[values | None, typer.Option(flag, help=text, rich_help_panel=SWITCHES)]


OPTIONS: dict[str, Any] = {
    "preset": _word(
        "--preset", Preset, "balanced (default), or literal: the published design, without reserved positions."
    ),
    "mode": _word(
        "--mode",
        Mode,
        f"accurate reserves {_ACCURATE.related_share * 100:.0f} % for related documents, "
        f"fast {_FAST.related_share * 100:.0f} %.",
    ),
    "max_documents": _limit(
        "--max-documents", f"Documents in the plan ({_ACCURATE.max_documents}; fast {_FAST.max_documents})."
    ),
    "max_seeds": _limit("--max-seeds", "Exact number of seeds (from the mode)."),
    "max_chunks": _limit(
        "--max-chunks", "Maximum chunks in the context (from the evidence rule and the token budget)."
    ),
    "max_chunks_per_document": _limit(
        "--max-chunks-per-document",
        f"Maximum chunks per document, for one_per_document ({_DEFAULTS.max_chunks_per_document}).",
    ),
    "max_expanded": _limit("--max-expanded", "Related documents (from the mode)."),
    "max_expanding_seeds": _limit(
        "--max-expanding-seeds",
        f"Seeds whose relationships are followed ({_ACCURATE.max_expanding_seeds}; fast {_FAST.max_expanding_seeds}).",
    ),
    "max_fan_out": _limit("--max-fan-out", f"Related documents from one seed ({_DEFAULTS.max_fan_out})."),
    "relation_types": Annotated[
        list[str] | None,
        typer.Option("--types", metavar="A,B", help="Only these relationship types.", rich_help_panel=SWITCHES),
    ],
    "where": Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="FIELD=VALUE",
            help=f"Only documents whose metadata match; repeatable: {FORMS}.",
            rich_help_panel=SWITCHES,
        ),
    ],
    "use_relationships": Annotated[
        bool | None,
        typer.Option("--relationships/--no-relationships", help="Follow relationships.", rich_help_panel=SWITCHES),
    ],
    "seed_signal": _word("--signal", SeedSignal, f"What ranks the seeds ({_DEFAULTS.seed_signal})."),
    "seed_document_ids": Annotated[
        list[str] | None,
        typer.Option("--seed", metavar="ID", help="A seed, by document id; repeatable.", rich_help_panel=SWITCHES),
    ],
    "evidence_rule": _word("--evidence", EvidenceRule, f"How chunks are selected ({_DEFAULTS.evidence_rule})."),
    "reranker": Annotated[
        str | None,
        typer.Option(
            "--reranker",
            metavar="MODEL",
            help="Reranker of the best passages: a model id, or none (default: the configured one).",
            rich_help_panel=SWITCHES,
        ),
    ],
    "find_names": Annotated[
        bool | None,
        typer.Option(
            "--names/--no-names",
            help="Rank documents named in the question first (on).",
            rich_help_panel=SWITCHES,
        ),
    ],
    "max_linked_percent": _limit(
        "--max-linked-percent",
        f"Leave out documents that more than N % of all documents link to ({_DEFAULTS.max_linked_percent}; 100 = any).",
    ),
    "scope_mode": _word("--scope-mode", ScopeMode, "Show the dominant scope, or filter seeds by it."),
    "scope_field": _word("--scope-field", ScopeField, "Field that defines the dominant scope."),
    "token_budget": _limit("--token-budget", f"Token budget of the assembled context ({_DEFAULTS.token_budget})."),
}
"""Request field → its option; every field but ``query``, which is the argument, and ``overrides``, which has four."""


def _what_if(flag: str, metavar: str, text: str) -> Any:
    return Annotated[list[str] | None, typer.Option(flag, metavar=metavar, help=text, rich_help_panel=WHAT_IF)]


APPLIES_TO: dict[str, Any] = {
    "where_for": _word("--where-for", AppliesTo, "What --where filters (both): seeds, related documents, or both.")
}
"""The second option of ``where``."""

OVERRIDES: dict[str, Any] = {
    "without_types": _what_if("--without-type", "A,B", "Ignore relationships of this type; repeatable."),
    "without_edges": _what_if(
        "--without-edge", "FROM|TYPE|TO", "Ignore this relationship; repeatable; | inside an id is %7C."
    ),
    "added_seed_ids": _what_if("--add-seed", "ID", "Add this document as the first seed; repeatable."),
    "dropped_seed_ids": _what_if("--drop-seed", "ID", "Never use this document as a seed; repeatable."),
}
"""Field of ``overrides`` → its option: what-ifs for one question, which write nothing."""


def with_request_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give ``command(request, …)`` a QUERY argument and the options above in place of its ``request`` parameter."""

    @functools.wraps(command)
    def wrapped(**values: Any) -> None:
        fields = {name: values.pop(name) for name in ("query", *OPTIONS, *APPLIES_TO, *OVERRIDES)}
        command(request=read_request(fields), **values)

    query = Annotated[str, typer.Argument(metavar="QUERY", help="The question, in quotes.", show_default=False)]
    own = [p for name, p in inspect.signature(command, eval_str=True).parameters.items() if name != "request"]
    parameters = [
        _parameter("query", query, default=""),
        *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own),
        *(_parameter(name, option, default=None) for name, option in (OPTIONS | APPLIES_TO | OVERRIDES).items()),
    ]
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapped


def read_request(fields: dict[str, Any]) -> RetrievalRequest:
    """The request made of the options that were given. Raises RequestError that names the option at fault."""
    given = {name: value for name, value in fields.items() if value is not None and value != []}
    overrides: dict[str, Any] = {name: given.pop(name) for name in OVERRIDES if name in given}
    if applies_to := given.pop("where_for", None):
        if "where" not in given:
            raise RequestError("--where-for needs --where", hint=f"write one: --where {FORMS.split(',')[0]}")
        given["where"] = {"conditions": given["where"], "applies_to": applies_to}
    if "relation_types" in given:
        given["relation_types"] = _split(given["relation_types"])
    if "without_types" in overrides:
        overrides["without_types"] = _split(overrides["without_types"])
    if "without_edges" in overrides:
        overrides["without_edges"] = [parse_edge(text) for text in overrides["without_edges"]]
    if overrides:
        given["overrides"] = overrides
    try:
        return RetrievalRequest(**given)
    except ValidationError as error:
        raise _request_error(error, given) from None


def as_options(fields: dict[str, Any]) -> str:
    """Request fields as one would type them: ``{"max_documents": 8}`` → ``--max-documents 8``; sorted by name."""
    fields = {name: _where_typed(value) if name == "where" else value for name, value in fields.items()}
    plain = sorted(name for name in fields if name != "overrides")
    typed = [_typed(_flag(OPTIONS[name]), fields[name]) for name in plain]
    return " ".join([*typed, *_overrides_typed(fields["overrides"])] if "overrides" in fields else typed)


def _where_typed(where: Any) -> tuple[str, ...]:
    """The conditions as they are typed; none for no filter."""
    return Where.model_validate(as_where(where)).texts if where else ()


def _overrides_typed(overrides: dict[str, Any]) -> list[str]:
    given = {name: overrides.get(name) or () for name in OVERRIDES}
    given["without_edges"] = [edge_text(tuple(key)) for key in given["without_edges"]]
    typed = [_typed(_flag(OVERRIDES[name]), values) for name, values in given.items() if values]
    return typed or [f"no {', '.join(map(_flag, OVERRIDES.values()))}"]


def _flag(option: Any) -> str:
    return str(option.__metadata__[0].default)


def _split(texts: list[str]) -> list[str]:
    return [name.strip() for part in texts for name in part.split(",") if name.strip()]


def _typed(flag: str, value: Any) -> str:
    on, _, off = flag.partition("/")
    if isinstance(value, bool):
        return on if value else off
    if isinstance(value, list | tuple) and on == "--types":
        return f"{on} {shlex.quote(','.join(value))}"
    if isinstance(value, list | tuple) and not value:
        return f"no {on}"
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
