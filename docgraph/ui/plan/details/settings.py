"""The settings in the drawer: what relates documents, how much is read, and by which rules, bound to the URL."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from docgraph.domain.request import LITERAL, MAX_TOKENS, MODES
from docgraph.domain.where import FORMS, MAX_CONDITIONS
from docgraph.ui.frame import escape
from docgraph.ui.parts.documents import MAX_LISTED, DocumentNames
from docgraph.ui.parts.filters import FilterChoice
from docgraph.ui.plan.inputs import AUTOMATIC, DEFAULTS, ON, TypeChoice
from docgraph.views.words import address as at
from docgraph.views.words.glossary import definition

_PER_DOC = "Used by the rule one_per_document only."
_SIMPLE = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\Z")


def chosen_preset() -> str | None:
    """The preset before its input is drawn: on the first visit by a link only the address has it."""
    chosen = st.session_state.get(at.PRESET) or st.query_params.get(at.PRESET)
    return str(chosen) if chosen else None


def settings(choice: TypeChoice, documents: DocumentNames, filters: FilterChoice) -> None:
    """All of them. What ``literal`` fixes is told instead of shown greyed out.

    Those inputs are drawn unseen then, so that they have their values when ``balanced`` comes back.
    """
    literal = chosen_preset() == "literal"
    _types(choice)
    with st.container(key="plan_more_literal" if literal else "plan_more_balanced", gap=None):
        _preset(choice)
        st.html(_literal_facts() if literal else f'<p class="pl-about-preset">{mode_words()}.</p>')
        with st.container(key="plan_columns", gap=None):
            with st.container(key="plan_column_read", gap=None):
                _reading()
            with st.container(key="plan_column_matches", gap=None):
                _matches(documents, literal=literal)
            with st.container(key="plan_column_related", gap=None):
                _related()
            with st.container(key="plan_column_scope", gap=None):
                if not literal:
                    _filter(filters)
                _scope()


def _types(choice: TypeChoice) -> None:
    """The relation types: legend and filter in one."""
    if not choice.names:
        st.html('<span class="pl-muted">No relationships in this workspace</span>')
        return
    st.pills(
        "Relationship types",
        choice.names,
        selection_mode="multi",
        default=choice.default,
        format_func=type_label,
        key=at.TYPES,
        bind="query-params",
        wrap=True,
        help=definition("relationship type"),
    )


def _number(
    label: str,
    key: str,
    low: int,
    high: int = 100,
    *,
    value: int | None = None,
    step: int = 1,
    about: str | None = None,
    disabled: bool = False,
) -> None:
    bound: dict[str, Any] = {"bind": "query-params", "placeholder": "auto", "disabled": disabled}
    st.number_input(label, low, high, value, step, key=key, help=about, **bound)


def _select(label: str, options: list[str], key: str, about: str | None = None) -> None:
    st.selectbox(label, options, key=key, bind="query-params", filter_mode=None, help=about)


def _reading() -> None:
    """How much is read, and what of the planned documents."""
    st.html('<h3 class="pl-h3">How much is read</h3>')
    _select("Mode", list(MODES), at.MODE)
    _number("Documents in total", at.DOCS, 1, about=definition("document limit"))
    _number("Tokens", at.BUDGET, 50, MAX_TOKENS, value=DEFAULTS.token_budget, step=100, about=definition("budget"))
    _number("Passages", at.CHUNKS, 1, 500, about=definition("passage"))
    with st.container(key="plan_fixed_rule", gap=None):
        _select(
            "Passages by",
            ["passages", "one_per_document", "similarity"],
            at.RULE,
            "passages: the best of every document first, then the best of all until the token budget is full. "
            "one_per_document: whole passages by similarity, every document's best first. similarity: the most similar "
            "passages, with no limit per document.",
        )
        _number("Passages per document", at.PER_DOC, 1, value=DEFAULTS.max_chunks_per_document, about=_PER_DOC)


def _matches(documents: DocumentNames, *, literal: bool) -> None:
    """What makes a document a match."""
    st.html('<h3 class="pl-h3">Matches</h3>')
    _number("Matches", at.SEEDS, 1, disabled=literal, about=definition("match"))
    with st.container(key="plan_fixed_seeds", gap=None):
        _select(
            "Ranked by",
            ["hybrid", "mean", "chunk", "summary"],
            at.SIGNAL,
            "chunk: the best passage. summary: the summary. mean: both. hybrid: fusion with full-text search.",
        )
        _select(
            "Look for names",
            [ON, at.OFF],
            at.NAMES,
            "on: documents named in the question by id, number, alias or title become the first matches.",
        )
    st.multiselect(
        "Named matches",
        documents.ids,
        key=at.NAMED,
        bind="query-params",
        accept_new_options=True,
        max_selections=100,
        placeholder="By title or id; empty: the best",
        help=None if documents.complete else f"{MAX_LISTED:,} of {documents.total:,} are listed; type any id.",
    )


def _related() -> None:
    """How many matches lead on, and how far."""
    with st.container(key="plan_fixed_related", gap=None):
        st.html('<h3 class="pl-h3">Related documents</h3>')
        _number("Related documents", at.RELATED, 0, about=definition("related document"))
        _number("Matches followed", at.EXPANDING, 0)
        _number("Related per match", at.FAN_OUT, 1, value=DEFAULTS.max_fan_out, about=definition("fan-out"))
        about = "Leaves out documents that more than this share link to, such as a licence. 100: no limit."
        _number("Hub limit, %", at.LINKED, 1, value=DEFAULTS.max_linked_percent, about=about)


def _filter(choice: FilterChoice) -> None:
    """Conditions on metadata: picked from what the corpus has, or written; below them its fields, with counts."""
    st.html('<h3 class="pl-h3">Filter</h3>')
    st.multiselect(
        "Only documents with",
        choice.options,
        key=at.WHERE,
        bind="query-params",
        accept_new_options=True,
        max_selections=MAX_CONDITIONS,
        placeholder="status=accepted, date>=2024",
        help=f"All must be met. Forms: {FORMS}. Case is ignored.".replace("*", r"\*"),
    )
    _select(
        "Among",
        ["both", "seeds", "related"],
        at.WHERE_FOR,
        "Filter the matches (seeds), the related documents, or both.",
    )
    if choice.about:
        st.html(
            '<details class="pl-filterable"><summary>What can be filtered by</summary>'
            f'<ul class="pl-fields">{choice.about}</ul></details>'
        )
    else:
        st.html('<p class="pl-about-preset">No metadata field has a value that several documents share.</p>')


def _scope() -> None:
    """The part of the corpus that most candidates belong to."""
    st.html('<h3 class="pl-h3">Scope</h3>')
    _select(
        "Dominant scope",
        ["label", "filter"],
        at.SCOPE,
        "label: shown only. filter: only documents of the dominant scope become matches.",
    )
    _select("Scope by", [AUTOMATIC, "ingestion_id", "doc_type", "cluster"], at.FIELD)


def _preset(choice: TypeChoice) -> None:
    st.segmented_control(
        "Preset",
        ["balanced", "literal"],
        default=DEFAULTS.preset,
        required=True,
        key=at.PRESET,
        bind="query-params",
        on_change=_preset_chosen,
        args=(choice,),
    )


def _preset_chosen(choice: TypeChoice) -> None:
    """Types that nobody chose are those of the preset: ``literal`` allows what the workspace switches off as well."""
    if set(st.session_state.get(at.TYPES) or ()) == set(choice.default):
        literal = st.session_state[at.PRESET] == "literal"
        st.session_state[at.TYPES] = list(choice.names if literal else choice.followed)


def _literal_facts() -> str:
    """What ``literal`` fixes, in place of the inputs for it."""
    chunks = int(st.session_state.get(at.CHUNKS) or DEFAULTS.model_copy(update=LITERAL).chunk_limit)
    most = int(st.session_state.get(at.DOCS) or 100)
    facts = (
        ("Matches", f"the documents of the {chunks:,} most similar passages; names in the question are ignored"),
        (
            "Related",
            f"every relationship of every match is followed until the plan has {most} documents",
        ),
        ("Passages", "by similarity only, with no limit per document"),
    )
    rows = "".join(f"<li><b>{name}</b><span>{words}</span></li>" for name, words in facts)
    return f'<p class="pl-about-preset">As in the specification:</p><ul class="pl-literal">{rows}</ul>'


def mode_words() -> str:
    """``Empty = set by the mode: accurate 6 documents, 40 % of them related; fast 5 documents, 20 % related``."""
    accurate, *others = (
        (f"{name} {mode.max_documents:,} documents, {mode.related_share * 100:.0f} %") for name, mode in MODES.items()
    )
    return "Empty = set by the mode: " + "; ".join(
        [f"{accurate} of them related", *(f"{other} related" for other in others)]
    )


def type_label(name: str) -> str:
    """A type's name as a label; simple names stay as they are, because the label stands in the URL too."""
    return name if _SIMPLE.match(name) else escape.label(name)
