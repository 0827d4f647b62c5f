"""The inputs of the Plan page as a request, and a request as its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from pydantic import ValidationError

from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import RequestError
from docgraph.ui.plan.overrides import write_overrides
from docgraph.views.plan.draft.steps import with_types_named
from docgraph.views.words.address import (
    BUDGET,
    CHUNKS,
    DOCS,
    EXPANDING,
    FAN_OUT,
    FIELD,
    MODE,
    NAMED,
    PER_DOC,
    QUERY,
    RULE,
    SCOPE,
    SEEDS,
    SIGNAL,
    STAGE,
    TYPES,
    default_documents,
)

INPUTS = (
    QUERY,
    STAGE,
    MODE,
    TYPES,
    SEEDS,
    DOCS,
    PER_DOC,
    CHUNKS,
    SIGNAL,
    NAMED,
    SCOPE,
    FIELD,
    EXPANDING,
    FAN_OUT,
    BUDGET,
    RULE,
)
"""The inputs that are widgets: their keys in the session and in the URL alike."""

DEFAULTS = RetrievalRequest(query="-")
PLANNER, AUTOMATIC = "planner decides", "automatic"
"""Options that leave the choice to the planner."""


@dataclass(frozen=True)
class TypeChoice:
    """The corpus' relation types with how often they occur, and those that plans follow unless told otherwise."""

    counts: Mapping[str, int]
    names: tuple[str, ...]
    default: tuple[str, ...]


def type_choice(counts: Mapping[str, int], workspace: Workspace) -> TypeChoice:
    """Most frequent first, then by name; the workspace's switched-off types come last."""
    off = set(workspace.off_relation_types)
    names = tuple(sorted(counts, key=lambda name: (name in off, -counts[name], name)))
    return TypeChoice(counts, names, tuple(name for name in names if name not in off))


def read_request(choice: TypeChoice, overrides: Overrides) -> RetrievalRequest | None:
    """The request of the inputs as they stand; ``None`` without a question. Raises RequestError."""
    values = st.session_state
    query = str(values.get(QUERY) or "").replace("\x00", "").strip()
    if not query:
        return None
    documents, seeds = values.get(DOCS), values.get(SEEDS)
    mode = values.get(MODE) or DEFAULTS.mode
    fields = {
        "query": query,
        "mode": mode,
        "use_relationships": values.get(STAGE) != "MS3",
        "relation_types": _chosen_types(values.get(TYPES), choice),
        "max_documents": documents,
        "max_expanded": None if seeds is None else max((documents or default_documents(mode)) - seeds, 0),
        "max_chunks_per_document": values.get(PER_DOC) or DEFAULTS.max_chunks_per_document,
        "max_chunks": values.get(CHUNKS) or DEFAULTS.max_chunks,
        "seed_signal": values.get(SIGNAL) or DEFAULTS.seed_signal,
        "evidence_rule": None if values.get(RULE) in (None, PLANNER) else values.get(RULE),
        "scope_mode": values.get(SCOPE) or DEFAULTS.scope_mode,
        "scope_field": None if values.get(FIELD) in (None, AUTOMATIC) else values.get(FIELD),
        "max_expanding_seeds": values.get(EXPANDING),
        "max_fan_out": values.get(FAN_OUT) or DEFAULTS.max_fan_out,
        "token_budget": values.get(BUDGET) or DEFAULTS.token_budget,
        "seed_document_ids": tuple(values.get(NAMED) or ()),
        "overrides": overrides,
    }
    try:
        return RetrievalRequest.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "request"
        raise RequestError(f"{name}: {first['msg'][:200]}", hint="change the input above") from error


def _chosen_types(chosen: Sequence[str] | None, choice: TypeChoice) -> tuple[str, ...] | None:
    """``None`` (the default) when the choice is the default one, so that equal plans have equal requests."""
    if chosen is None or set(chosen) == set(choice.default):
        return None
    return tuple(chosen)


def apply(request: RetrievalRequest, choice: TypeChoice) -> None:
    """Set the inputs to a request (in a callback, before they are drawn): the one-click what-ifs end here."""
    request = with_types_named(request, choice.default)
    types = choice.default if request.relation_types is None else request.relation_types
    documents = request.max_documents or default_documents(request.mode)
    values: dict[str, Any] = {
        STAGE: "MS5" if request.use_relationships else "MS3",
        MODE: request.mode,
        TYPES: [name for name in types if name in choice.names],
        DOCS: request.max_documents,
        SEEDS: None if request.max_expanded is None else max(documents - request.max_expanded, 1),
        PER_DOC: request.max_chunks_per_document,
        CHUNKS: request.max_chunks,
        SIGNAL: request.seed_signal,
        RULE: request.evidence_rule or PLANNER,
        SCOPE: request.scope_mode,
        FIELD: request.scope_field or AUTOMATIC,
        EXPANDING: request.max_expanding_seeds,
        FAN_OUT: request.max_fan_out,
        BUDGET: request.token_budget,
        NAMED: list(request.seed_document_ids),
    }
    for key, value in values.items():
        if st.session_state.get(key) != value:
            st.session_state[key] = value
    write_overrides(request.overrides)


def reset() -> None:
    """Every limit and switch back to its default; the question, the types and the stage stay."""
    for key in (SEEDS, DOCS, EXPANDING):
        st.session_state[key] = None
    st.session_state[PER_DOC] = DEFAULTS.max_chunks_per_document
    st.session_state[CHUNKS] = DEFAULTS.max_chunks
    st.session_state[FAN_OUT] = DEFAULTS.max_fan_out
    st.session_state[BUDGET] = DEFAULTS.token_budget
    st.session_state[SIGNAL], st.session_state[RULE] = DEFAULTS.seed_signal, PLANNER
    st.session_state[SCOPE], st.session_state[FIELD] = DEFAULTS.scope_mode, AUTOMATIC
    st.session_state[NAMED] = []
