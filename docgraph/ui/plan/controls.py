"""The inputs of the Plan page, bound to the URL, and the retrieval request they make."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from pydantic import ValidationError

from docgraph.domain.overrides import Overrides
from docgraph.domain.request import MAX_QUERY_LENGTH, RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import RequestError
from docgraph.ui.frame import escape
from docgraph.ui.parts.documents import MAX_LISTED, DocumentNames
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

BUILD = "plan_build"

_DEFAULTS = RetrievalRequest(query="-")
_FROM_MODE = "from the mode"
_PLANNER = "planner decides"
_SIMPLE = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\Z")


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


def query_row() -> bool:
    """Question, *Build plan* (Ctrl+Enter), MS3 or MS5, mode; tells whether *Build plan* was pressed."""
    with st.container(key="plan_query", horizontal=True, vertical_alignment="center", gap="small"):
        with (
            st.form("plan_form", border=False),
            st.container(horizontal=True, vertical_alignment="center", gap="small", key="plan_ask"),
        ):
            st.text_input(
                "Question",
                key=QUERY,
                bind="query-params",
                max_chars=MAX_QUERY_LENGTH,
                label_visibility="collapsed",
                placeholder="Ask a question, for example: why was the old queue replaced?",
                autocomplete="off",
            )
            pressed = st.form_submit_button("Build plan", type="primary", shortcut="Ctrl+Enter", key=BUILD)
        st.segmented_control(
            "Relationships",
            ["MS3", "MS5"],
            default="MS5",
            required=True,
            key=STAGE,
            bind="query-params",
            label_visibility="collapsed",
            wrap=False,
        )
        st.selectbox(
            "Mode",
            ["accurate", "fast"],
            key=MODE,
            bind="query-params",
            width=150,
            filter_mode=None,
        )
    return bool(pressed)


def types_row(choice: TypeChoice, documents: DocumentNames) -> None:
    """The relation types (legend and filter in one) and the limits."""
    with st.container(key="plan_limits_row", horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(key="plan_types", horizontal=True, vertical_alignment="center", gap="small"):
            if choice.names:
                st.pills(
                    "Types",
                    choice.names,
                    selection_mode="multi",
                    default=choice.default,
                    format_func=type_label,
                    key=TYPES,
                    bind="query-params",
                    label_visibility="collapsed",
                    wrap=True,
                )
            else:
                st.html('<span class="pl-muted">No relationships in this workspace</span>')
        with st.container(
            key="plan_limits", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        ):
            _number("Seeds", SEEDS, 1, 100, value=None)
            _number("Max docs", DOCS, 1, 100, value=None)
            _number("Chunks/doc", PER_DOC, 1, 100, value=_DEFAULTS.max_chunks_per_document)
            _number("Chunks", CHUNKS, 1, 500, value=_DEFAULTS.max_chunks)
            with st.popover("More", icon=":material/tune:", key="plan_more", width="content"):
                _more(documents)


def _number(label: str, key: str, low: int, high: int, *, value: int | None) -> None:
    st.number_input(
        label,
        low,
        high,
        value,
        1,
        key=key,
        bind="query-params",
        placeholder="auto",
        width=128,
    )


def _more(documents: DocumentNames) -> None:
    st.html(
        '<p class="pl-muted">Empty numbers follow from the mode: accurate = 6 documents, 40 % of them related; '
        "fast = 5 documents, 20 % related.</p>"
    )
    left, right = st.columns(2)
    with left:
        _rules()
    with right:
        st.number_input("Expanding seeds", 0, 100, None, 1, key=EXPANDING, bind="query-params", placeholder="auto")
        st.number_input("Fan-out per seed", 1, 100, _DEFAULTS.max_fan_out, 1, key=FAN_OUT, bind="query-params")
        st.number_input("Token budget", 50, 200_000, _DEFAULTS.token_budget, 100, key=BUDGET, bind="query-params")
    st.multiselect(
        "Named seeds",
        documents.ids,
        key=NAMED,
        bind="query-params",
        accept_new_options=True,
        max_selections=100,
        placeholder="By title or id; empty: the best by similarity",
        help=None if documents.complete else f"{MAX_LISTED:,} of {documents.total:,} are listed; type any id.",
    )
    st.button("Reset all limits", key="plan_reset", on_click=reset, type="tertiary")


def _rules() -> None:
    st.selectbox(
        "Seed signal",
        ["hybrid", "mean", "chunk", "summary"],
        key=SIGNAL,
        bind="query-params",
        filter_mode=None,
        help="What ranks documents for seeds: best chunk, summary, the mean of both, or fusion with full text.",
    )
    st.selectbox(
        "Evidence",
        [_PLANNER, "one_per_document", "similarity"],
        key=RULE,
        bind="query-params",
        filter_mode=None,
        help="one_per_document: every planned document gets its best chunk first. similarity: as in MS3.",
    )
    st.selectbox(
        "Dominant scope",
        ["label", "filter"],
        key=SCOPE,
        bind="query-params",
        filter_mode=None,
        help="label: shown only. filter: seeds come from the dominant scope alone.",
    )
    st.selectbox(
        "Scope by",
        ["automatic", "ingestion_id", "doc_type", "cluster"],
        key=FIELD,
        bind="query-params",
        filter_mode=None,
    )


def type_label(name: str) -> str:
    """A type's name as a label; simple names stay as they are, because the label stands in the URL too."""
    return name if _SIMPLE.match(name) else escape.label(name)


def read_request(choice: TypeChoice, overrides: Overrides) -> RetrievalRequest | None:
    """The request of the inputs as they stand; ``None`` without a question. Raises RequestError."""
    values = st.session_state
    query = str(values.get(QUERY) or "").replace("\x00", "").strip()
    if not query:
        return None
    documents, seeds = values.get(DOCS), values.get(SEEDS)
    mode = values.get(MODE) or _DEFAULTS.mode
    fields = {
        "query": query,
        "mode": mode,
        "use_relationships": values.get(STAGE) != "MS3",
        "relation_types": _chosen_types(values.get(TYPES), choice),
        "max_documents": documents,
        "max_expanded": None if seeds is None else max((documents or default_documents(mode)) - seeds, 0),
        "max_chunks_per_document": values.get(PER_DOC) or _DEFAULTS.max_chunks_per_document,
        "max_chunks": values.get(CHUNKS) or _DEFAULTS.max_chunks,
        "seed_signal": values.get(SIGNAL) or _DEFAULTS.seed_signal,
        "evidence_rule": None if values.get(RULE) in (None, _PLANNER) else values.get(RULE),
        "scope_mode": values.get(SCOPE) or _DEFAULTS.scope_mode,
        "scope_field": None if values.get(FIELD) in (None, "automatic") else values.get(FIELD),
        "max_expanding_seeds": values.get(EXPANDING),
        "max_fan_out": values.get(FAN_OUT) or _DEFAULTS.max_fan_out,
        "token_budget": values.get(BUDGET) or _DEFAULTS.token_budget,
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
        RULE: request.evidence_rule or _PLANNER,
        SCOPE: request.scope_mode,
        FIELD: request.scope_field or "automatic",
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
    st.session_state[PER_DOC] = _DEFAULTS.max_chunks_per_document
    st.session_state[CHUNKS] = _DEFAULTS.max_chunks
    st.session_state[FAN_OUT] = _DEFAULTS.max_fan_out
    st.session_state[BUDGET] = _DEFAULTS.token_budget
    st.session_state[SIGNAL], st.session_state[RULE] = _DEFAULTS.seed_signal, _PLANNER
    st.session_state[SCOPE], st.session_state[FIELD] = _DEFAULTS.scope_mode, "automatic"
    st.session_state[NAMED] = []
