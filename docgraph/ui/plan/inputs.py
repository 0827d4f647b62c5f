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
from docgraph.views.words.address import (
    BUDGET,
    CHUNKS,
    DOCS,
    EXPANDING,
    FAN_OUT,
    FIELD,
    LINKED,
    MODE,
    NAMED,
    NAMES,
    OFF,
    PER_DOC,
    PRESET,
    QUERY,
    RELATED,
    RULE,
    SCOPE,
    SEEDS,
    SIGNAL,
    TYPES,
    WHERE,
    WHERE_FOR,
)

DEFAULTS = RetrievalRequest(query="-")
AUTOMATIC, ON = "automatic", "on"
"""Options that stand for: the planner chooses; switched on."""


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
    query = str(st.session_state.get(QUERY) or "").replace("\x00", "").strip()
    return _request(query, choice, overrides) if query else None


def read_settings(choice: TypeChoice) -> RetrievalRequest:
    """The inputs beside the question, as a request for any. Raises RequestError."""
    return _request(DEFAULTS.query, choice, NONE)


def _request(query: str, choice: TypeChoice, overrides: Overrides) -> RetrievalRequest:
    values = st.session_state
    fields = {
        "query": query,
        "preset": values.get(PRESET) or DEFAULTS.preset,
        "mode": values.get(MODE) or DEFAULTS.mode,
        "use_relationships": with_relationships(),
        "relation_types": _chosen_types(values.get(TYPES), choice),
        "max_documents": values.get(DOCS),
        "max_chunks": values.get(CHUNKS),
        "scope_mode": values.get(SCOPE) or DEFAULTS.scope_mode,
        "scope_field": None if values.get(FIELD) in (None, AUTOMATIC) else values.get(FIELD),
        "token_budget": values.get(BUDGET) or DEFAULTS.token_budget,
        "seed_document_ids": tuple(values.get(NAMED) or ()),
        "overrides": overrides,
    }
    if fields["preset"] != "literal":
        fields |= _balanced()
    try:
        return RetrievalRequest.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "request"
        said = first["msg"].removeprefix("Value error, ")[:300]
        raise RequestError(f"{name}: {said}", hint="change the input above") from error


def _balanced() -> dict[str, Any]:
    """The fields that the preset ``literal`` leaves no choice in."""
    values = st.session_state
    return {
        "max_seeds": values.get(SEEDS),
        "max_expanded": values.get(RELATED),
        "max_expanding_seeds": values.get(EXPANDING),
        "max_chunks_per_document": values.get(PER_DOC) or DEFAULTS.max_chunks_per_document,
        "max_fan_out": values.get(FAN_OUT) or DEFAULTS.max_fan_out,
        "max_linked_percent": values.get(LINKED) or DEFAULTS.max_linked_percent,
        "seed_signal": values.get(SIGNAL) or DEFAULTS.seed_signal,
        "evidence_rule": values.get(RULE) or DEFAULTS.evidence_rule,
        "find_names": values.get(NAMES) != OFF,
        "where": _where(),
    }


def _where() -> dict[str, Any] | None:
    """The filter as its inputs have it; None without a condition."""
    conditions = [text for text in st.session_state.get(WHERE) or () if text.strip()]
    return {"conditions": conditions, "applies_to": st.session_state.get(WHERE_FOR) or "both"} if conditions else None


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
    values: dict[str, Any] = {
        PRESET: request.preset,
        MODE: request.mode,
        TYPES: [name for name in types if name in choice.names],
        DOCS: request.max_documents,
        SEEDS: request.max_seeds,
        RELATED: request.max_expanded,
        PER_DOC: request.max_chunks_per_document,
        CHUNKS: request.max_chunks,
        SCOPE: request.scope_mode,
        FIELD: request.scope_field or AUTOMATIC,
        EXPANDING: request.max_expanding_seeds,
        BUDGET: request.token_budget,
        NAMED: list(request.seed_document_ids),
    }
    if request.preset != "literal":
        values |= {
            SIGNAL: request.seed_signal,
            RULE: request.evidence_rule,
            FAN_OUT: request.max_fan_out,
            LINKED: request.max_linked_percent,
            NAMES: ON if request.find_names else OFF,
            WHERE: list(request.where.texts) if request.where else [],
            WHERE_FOR: request.where.applies_to if request.where else "both",
        }
    for key, value in values.items():
        if st.session_state.get(key) != value:
            st.session_state[key] = value
    if request.use_relationships != with_relationships():
        use_relationships(request.use_relationships)
    write_overrides(request.overrides)


def reset(choice: TypeChoice) -> None:
    """Everything in the drawer back to its default; the question, and how the plan is looked at, stay."""
    st.session_state[TYPES], st.session_state[MODE] = list(choice.followed), DEFAULTS.mode
    for key in (SEEDS, RELATED, DOCS, EXPANDING, CHUNKS):
        st.session_state[key] = None
    st.session_state[PER_DOC] = DEFAULTS.max_chunks_per_document
    st.session_state[FAN_OUT] = DEFAULTS.max_fan_out
    st.session_state[BUDGET] = DEFAULTS.token_budget
    st.session_state[LINKED] = DEFAULTS.max_linked_percent
    st.session_state[SIGNAL], st.session_state[RULE] = DEFAULTS.seed_signal, DEFAULTS.evidence_rule
    st.session_state[PRESET], st.session_state[NAMES] = DEFAULTS.preset, ON
    st.session_state[SCOPE], st.session_state[FIELD] = DEFAULTS.scope_mode, AUTOMATIC
    st.session_state[NAMED], st.session_state[WHERE], st.session_state[WHERE_FOR] = [], [], "both"
