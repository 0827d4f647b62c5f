"""The inputs of the Plan page as a request, and a request as its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from pydantic import ValidationError

from docgraph.domain.overrides import NONE, Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import RequestError
from docgraph.ui.plan.overrides import use_relationships, with_relationships, write_overrides
from docgraph.views.plan.draft.steps import with_types_named
from docgraph.views.words import address as at

DEFAULTS = RetrievalRequest(query="-")
AUTOMATIC, ON = "automatic", "on"
"""Options that stand for: the planner chooses; switched on."""

_FIELDS = {
    at.PRESET: "preset",
    at.MODE: "mode",
    at.DOCS: "max_documents",
    at.CHUNKS: "max_chunks",
    at.SCOPE: "scope_mode",
    at.BUDGET: "token_budget",
    at.SEEDS: "max_seeds",
    at.RELATED: "max_expanded",
    at.EXPANDING: "max_expanding_seeds",
    at.PER_DOC: "max_chunks_per_document",
    at.FAN_OUT: "max_fan_out",
    at.LINKED: "max_linked_percent",
    at.SIGNAL: "seed_signal",
    at.RULE: "evidence_rule",
}
"""Inputs that are fields of a request as they stand, without a value its default."""

_FIXED = (at.SEEDS, at.RELATED, at.EXPANDING, at.PER_DOC, at.FAN_OUT, at.LINKED, at.SIGNAL, at.RULE)
"""Those of them that the preset ``literal`` leaves no choice in."""


@dataclass(frozen=True)
class TypeChoice:
    """The corpus' relation types with how often they occur, and those that plans follow unless told otherwise.

    ``default`` are those that add documents by the preset (*literal* allows all types), ``followed`` those of
    *balanced*; ``shown`` have their relationships in a plan by default, be it as reasons only.
    """

    counts: Mapping[str, int]
    names: tuple[str, ...]
    default: tuple[str, ...]
    followed: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


def type_choice(counts: Mapping[str, int], workspace: Workspace, *, preset: str | None) -> TypeChoice:
    """Most frequent first, then by name; the workspace's switched-off types come last."""
    off, silent = set(workspace.off_relation_types), {d.relation_type for d in workspace.decided.reasons_only}
    names = tuple(sorted(counts, key=lambda name: (name in off, name in silent, -counts[name], name)))
    followed = tuple(name for name in names if name not in off and name not in silent)
    if preset == "literal":
        return TypeChoice(counts, names, names, followed, names)
    return TypeChoice(counts, names, followed, followed, tuple(name for name in names if name not in off))


def read_request(choice: TypeChoice, overrides: Overrides) -> RetrievalRequest | None:
    """The request of the inputs as they stand; ``None`` without a question. Raises RequestError."""
    query = str(st.session_state.get(at.QUERY) or "").replace("\x00", "").strip()
    return _request(query, choice, overrides) if query else None


def read_settings(choice: TypeChoice) -> RetrievalRequest:
    """The inputs beside the question, as a request for any. Raises RequestError."""
    return _request(DEFAULTS.query, choice, NONE)


def _request(query: str, choice: TypeChoice, overrides: Overrides) -> RetrievalRequest:
    values = st.session_state
    literal = values.get(at.PRESET) == "literal"
    fields: dict[str, Any] = {
        name: getattr(DEFAULTS, name) if values.get(key) in (None, "") else values[key]
        for key, name in _FIELDS.items()
        if not (literal and key in _FIXED)
    }
    fields |= {
        "query": query,
        "use_relationships": with_relationships(),
        "relation_types": _chosen_types(values.get(at.TYPES), choice),
        "scope_field": None if values.get(at.FIELD) in (None, AUTOMATIC) else values.get(at.FIELD),
        "seed_document_ids": tuple(values.get(at.NAMED) or ()),
        "overrides": overrides,
    }
    if not literal:
        fields |= {"find_names": values.get(at.NAMES) != at.OFF, "where": _where()}
    try:
        return RetrievalRequest.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "request"
        said = first["msg"].removeprefix("Value error, ")[:300]
        raise RequestError(f"{name}: {said}", hint="change the input above") from error


def _where() -> dict[str, Any] | None:
    """The filter as its inputs have it; None without a condition."""
    conditions = [text for text in st.session_state.get(at.WHERE) or () if text.strip()]
    return (
        {"conditions": conditions, "applies_to": st.session_state.get(at.WHERE_FOR) or "both"} if conditions else None
    )


def _chosen_types(chosen: Sequence[str] | None, choice: TypeChoice) -> tuple[str, ...] | None:
    """``None`` (the default) when the choice is the default one, so that equal plans have equal requests."""
    if chosen is None or set(chosen) == set(choice.default):
        return None
    return tuple(chosen)


def apply(request: RetrievalRequest, choice: TypeChoice) -> None:
    """Set the inputs to a request (in a callback, before they are drawn): the one-click what-ifs end here."""
    default = choice.names if request.preset == "literal" else choice.followed
    request = with_types_named(request, default)
    types = default if request.relation_types is None else request.relation_types
    literal = request.preset == "literal"
    values: dict[str, Any] = {
        key: getattr(request, name)
        for key, name in _FIELDS.items()
        if not (literal and key in (at.FAN_OUT, at.LINKED, at.SIGNAL, at.RULE))
    }
    values |= {
        at.TYPES: [name for name in types if name in choice.names],
        at.FIELD: request.scope_field or AUTOMATIC,
        at.NAMED: list(request.seed_document_ids),
    }
    if not literal:
        values |= {
            at.NAMES: ON if request.find_names else at.OFF,
            at.WHERE: list(request.where.texts) if request.where else [],
            at.WHERE_FOR: request.where.applies_to if request.where else "both",
        }
    for key, value in values.items():
        if st.session_state.get(key) != value:
            st.session_state[key] = value
    if request.use_relationships != with_relationships():
        use_relationships(request.use_relationships)
    write_overrides(request.overrides)


def reset(choice: TypeChoice) -> None:
    """Everything in the drawer back to its default; the question, and how the plan is looked at, stay."""
    st.session_state.update({key: getattr(DEFAULTS, name) for key, name in _FIELDS.items()})
    st.session_state[at.TYPES], st.session_state[at.NAMES] = list(choice.followed), ON
    st.session_state[at.FIELD] = AUTOMATIC
    st.session_state[at.NAMED], st.session_state[at.WHERE], st.session_state[at.WHERE_FOR] = [], [], "both"
