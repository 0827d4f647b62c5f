"""The controls of the Plan page: the question, what relates documents, and every limit, bound to the URL."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.request import LITERAL, MAX_QUERY_LENGTH, MAX_TOKENS, MODES
from docgraph.domain.where import FORMS, MAX_CONDITIONS
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape
from docgraph.ui.parts.documents import MAX_LISTED, DocumentNames, document_names, relation_types
from docgraph.ui.parts.filters import FilterChoice, filter_choice
from docgraph.ui.parts.type_pills import MORE
from docgraph.ui.plan.address import entered
from docgraph.ui.plan.inputs import AUTOMATIC, DEFAULTS, ON, TypeChoice, reset, type_choice
from docgraph.ui.plan.state import BUILD
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
    STAGE,
    TYPES,
    WHERE,
    WHERE_FOR,
)

_PER_DOC = "Chunks of one document at most, by the rule one_per_document."
_SIMPLE = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\Z")


@dataclass(frozen=True)
class Inputs:
    """What the controls tell beside their values in the session.

    ``built`` = *Build plan* was pressed; ``linked`` = the page was opened by a link or from another page.
    """

    choice: TypeChoice
    built: bool
    linked: bool


def controls(workspace: Workspace) -> Inputs:
    """Draw them for the workspace."""
    linked = entered()
    choice = type_choice(relation_types(workspace), workspace, preset=chosen_preset())
    built = query_row()
    types_row(choice, document_names(workspace), filter_choice(workspace))
    return Inputs(choice, built, linked)


def chosen_preset() -> str | None:
    """The preset before its input is drawn: on the first visit by a link only the address has it."""
    chosen = st.session_state.get(PRESET) or st.query_params.get(PRESET)
    return str(chosen) if chosen else None


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
            list(MODES),
            key=MODE,
            bind="query-params",
            width=150,
            filter_mode=None,
        )
    return bool(pressed)


def types_row(choice: TypeChoice, documents: DocumentNames, filters: FilterChoice) -> None:
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
                st.button(
                    "types",
                    key=MORE,
                    type="tertiary",
                    on_click=_fold_types,
                    help="Relation types that there is no room for",
                )
            else:
                st.html('<span class="pl-muted">No relationships in this workspace</span>')
        with st.container(
            key="plan_limits", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        ):
            literal = chosen_preset() == "literal"
            _number("Seeds", SEEDS, 1, 100, value=None, disabled=literal)
            _number("Max docs", DOCS, 1, 100, value=None)
            _number("Tokens", BUDGET, 50, MAX_TOKENS, value=DEFAULTS.token_budget, step=100)
            _number("Chunks", CHUNKS, 1, 500, value=None)
            if not literal:
                n = len(st.session_state.get(WHERE) or st.query_params.get_all(WHERE))
                label = f"Filter · {n}" if n else "Filter"
                with st.popover(label, icon=":material/filter_alt:", key="plan_filter", width="content"):
                    _filter(filters)
            with st.popover("Literal" if literal else "More", icon=":material/tune:", key="plan_more", width="content"):
                _more(documents, choice)


TYPES_OPEN = "docgraph.plan.types_open"


def types_folded() -> bool:
    """Whether the types keep to one row."""
    return not st.session_state.get(TYPES_OPEN, False)


def _fold_types() -> None:
    st.session_state[TYPES_OPEN] = types_folded()


def _number(
    label: str, key: str, low: int, high: int, *, value: int | None, step: int = 1, disabled: bool = False
) -> None:
    st.number_input(
        label,
        low,
        high,
        value,
        step,
        key=key,
        bind="query-params",
        placeholder="auto",
        width=128,
        disabled=disabled,
    )


def _more(documents: DocumentNames, choice: TypeChoice) -> None:
    """Everything beside the row of limits. What ``literal`` fixes is told instead of shown greyed out.

    Those inputs are drawn unseen then, so that they have their values when ``balanced`` comes back.
    """
    literal = chosen_preset() == "literal"
    with st.container(key="plan_more_literal" if literal else "plan_more_balanced", gap=None):
        _preset(choice)
        st.html(_literal_facts() if literal else f'<p class="pl-about-preset">{mode_words()}.</p>')
        left, right = st.columns(2, gap="medium")
        with left:
            _seed_rules()
            _scope()
        with right:
            _related()
            _context()
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
        st.button("Reset all limits", key="plan_reset", on_click=reset, args=(choice,), type="tertiary")


def _filter(choice: FilterChoice) -> None:
    """Conditions on metadata: picked from what the corpus has, or written; below them its fields, with counts."""
    with st.container(key="plan_filter_body", gap=None):
        _conditions(choice)
        st.html(
            f'<ul class="pl-fields">{choice.about}</ul>'
            if choice.about
            else '<p class="pl-about-preset">No field of metadata has a value that several documents share.</p>'
        )


def _conditions(choice: FilterChoice) -> None:
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        st.multiselect(
            "Only documents with",
            choice.options,
            key=WHERE,
            bind="query-params",
            accept_new_options=True,
            max_selections=MAX_CONDITIONS,
            placeholder="status=accepted, or write one: date>=2024",
            help=f"Every one has to be met. Forms: {FORMS}. Upper and lower case are the same.".replace("*", r"\*"),
        )
        st.selectbox(
            "Among",
            ["both", "seeds", "related"],
            key=WHERE_FOR,
            bind="query-params",
            width=130,
            filter_mode=None,
            help="Whom the filter concerns: seeds, related documents, or both.",
        )


def _preset(choice: TypeChoice) -> None:
    st.segmented_control(
        "Preset",
        ["balanced", "literal"],
        default=DEFAULTS.preset,
        required=True,
        key=PRESET,
        bind="query-params",
        on_change=_preset_chosen,
        args=(choice,),
    )


def _preset_chosen(choice: TypeChoice) -> None:
    """Types that nobody chose are those of the preset: ``literal`` allows what the workspace switches off as well."""
    if set(st.session_state.get(TYPES) or ()) == set(choice.default):
        literal = st.session_state[PRESET] == "literal"
        st.session_state[TYPES] = list(choice.names if literal else choice.followed)


def _literal_facts() -> str:
    """What ``literal`` fixes, in place of the inputs for it."""
    chunks = int(st.session_state.get(CHUNKS) or DEFAULTS.model_copy(update=LITERAL).chunk_limit)
    most = int(st.session_state.get(DOCS) or 100)
    facts = (
        ("Seeds", f"the documents of the {chunks:,} most similar chunks; names in the question count for nothing"),
        (
            "Related",
            f"every seed expands, over all its edges, until the plan has {most} documents; nothing is reserved",
        ),
        ("Evidence", "by similarity alone, without a limit a document"),
    )
    rows = "".join(f"<li><b>{name}</b><span>{words}</span></li>" for name, words in facts)
    return f'<p class="pl-about-preset">The design word for word:</p><ul class="pl-literal">{rows}</ul>'


def _related() -> None:
    """How many seeds expand, and how far."""
    with st.container(key="plan_fixed_related", gap=None):
        st.html('<h3 class="pl-h3">Relationships</h3>')
        _more_number("Related documents", RELATED, 0, value=None)
        _more_number("Expanding seeds", EXPANDING, 0, value=None)
        _more_number("Fan-out per seed", FAN_OUT, 1, value=DEFAULTS.max_fan_out)
        linked = (
            "A document that more of all documents link to (a licence, a glossary) takes no related place; 100 lifts "
        )
        value = DEFAULTS.max_linked_percent
        _more_number("Linked by at most, %", LINKED, 1, value=value, about=linked + "this.")


def _context() -> None:
    """What of the planned documents is read."""
    st.html('<h3 class="pl-h3">Context</h3>')
    with st.container(key="plan_fixed_rule", gap=None):
        st.selectbox(
            "Evidence",
            ["passages", "one_per_document", "similarity"],
            key=RULE,
            bind="query-params",
            filter_mode=None,
            help="passages: the best passage of every planned document, then the best of all by similarity and by the "
            "question's words, until the token budget is full. one_per_document: whole chunks by similarity, every "
            "document's best first. similarity: the most similar chunks, without a limit a document.",
        )
        _more_number("Chunks/doc", PER_DOC, 1, value=DEFAULTS.max_chunks_per_document, about=_PER_DOC)


def _more_number(label: str, key: str, low: int, *, value: int | None, about: str | None = None) -> None:
    st.number_input(label, low, 100, value, 1, key=key, help=about, bind="query-params", placeholder="auto")


def mode_words() -> str:
    """``Empty = by mode: accurate 6 documents, 40 % of them related; fast 5 documents, 20 % related``."""
    accurate, *others = (
        (f"{name} {mode.max_documents:,} documents, {mode.related_share * 100:.0f} %") for name, mode in MODES.items()
    )
    return "Empty = by mode: " + "; ".join([f"{accurate} of them related", *(f"{other} related" for other in others)])


def _seed_rules() -> None:
    """What makes a document a seed."""
    with st.container(key="plan_fixed_seeds", gap=None):
        st.html('<h3 class="pl-h3">Seeds</h3>')
        st.selectbox(
            "Seed signal",
            ["hybrid", "mean", "chunk", "summary"],
            key=SIGNAL,
            bind="query-params",
            filter_mode=None,
            help="What ranks documents for seeds: best chunk, summary, the mean of both, or fusion with full text.",
        )
        st.selectbox(
            "Names in the question",
            [ON, OFF],
            key=NAMES,
            bind="query-params",
            filter_mode=None,
            help="on: documents that the question names by id, number, alias or title stand first among the seeds.",
        )


def _scope() -> None:
    """The part of the corpus that most candidates belong to."""
    st.html('<h3 class="pl-h3">Scope</h3>')
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
        [AUTOMATIC, "ingestion_id", "doc_type", "cluster"],
        key=FIELD,
        bind="query-params",
        filter_mode=None,
    )


def type_label(name: str) -> str:
    """A type's name as a label; simple names stay as they are, because the label stands in the URL too."""
    return name if _SIMPLE.match(name) else escape.label(name)
