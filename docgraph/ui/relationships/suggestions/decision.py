"""One suggestion to judge: both texts, why it is suggested, what accepting it would change, and the keys for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Edit
from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import evidence as evidence_of
from docgraph.ui.relationships.data import vocabulary
from docgraph.ui.relationships.effect import compared_effect
from docgraph.ui.relationships.passages import passages
from docgraph.ui.relationships.suggestions import acts
from docgraph.views.relationships import suggestions
from docgraph.views.words.counts import UNKNOWN, ordinal, plural, score

NEW = "docgraph.suggestions.new_type"
_ROOM = "suggestions.drafts"
_KEYS = {
    letter: f"docgraph.suggestions.{name}"
    for letter, name in (
        ("a", "accept"),
        ("x", "reject"),
        ("t", "type"),
        ("f", "flip"),
        ("j", "next"),
        ("k", "previous"),
        ("u", "undo"),
    )
}


@dataclass(frozen=True)
class Draft:
    """What would be accepted: the type that was chosen ("" = none yet), and whether it is turned round."""

    relation_type: str = ""
    flipped: bool = False


def _draft(suggestion: Suggestion) -> Draft:
    drafts: dict[str, Draft] = state.memory().room.setdefault(_ROOM, {})
    return drafts.get(suggestion.suggestion_id) or Draft(next(iter(suggestion.relation_types), ""))


def _keep(suggestion: Suggestion, draft: Draft) -> None:
    state.memory().room.setdefault(_ROOM, {})[suggestion.suggestion_id] = draft


def judging(workspace: str, found: Suggestions, at: int | None) -> None:
    """Draw the pane for the suggestion at this place; None = there is none, only what was done can be undone."""
    if at is None:
        with st.container(key="rl-decide", gap=None):
            _undo_button(workspace)
        shortcuts({"u": _KEYS["u"]}, key="rs-keys")
        return
    suggestion = found.suggestions[at]
    draft = _draft(suggestion)
    st.html(_head_html(suggestion, found, at))
    edit = suggestion.edit(draft.relation_type, flipped=draft.flipped) if draft.relation_type else None
    ends = (suggestion.from_document_id, suggestion.to_document_id)
    evidence = evidence_of(workspace, *ends, revision=state.revision(workspace))
    stored = resources.docgraph(workspace).documents.by_id(ends)
    with st.container(key="rl-body", gap=None):
        passages(evidence, ends, edit.key if edit is not None else None, stored=stored)
        st.html(_facts_html(evidence, suggestion, found))
    with st.container(key="rl-decide", gap=None):
        _bar(workspace, found, at, edit)
    shortcuts(_KEYS, key="rs-keys")


def _head_html(suggestion: Suggestion, found: Suggestions, at: int) -> str:
    kind = escape.html(suggestions.KINDS[suggestion.kind])
    why = escape.html(suggestions.why(suggestion, found.n_questions))
    place = f"Suggestion, {at + 1:,} of {len(found.suggestions):,} open"
    return (
        f'<div class="rs-head"><h2 class="rl-h2">{sign()}<span>{kind}</span></h2>'
        f'<small>{place}</small><p class="rl-sentence">{why}.</p></div>'
    )


def sign() -> str:
    """HTML of the drawn sign of a suggestion: a relationship that is not there yet."""
    return '<span class="rl-sign rl-sign-suggestion" role="img" aria-label="Suggestion"></span>'


def _facts_html(evidence: EdgeEvidence, suggestion: Suggestion, found: Suggestions) -> str:
    """Five facts in a line; what is not known is ``--``."""
    naming = [
        (UNKNOWN if end is None else plural(end.n_naming, "sentence") if end.n_naming else "never")
        for end in (evidence.a, evidence.b)
    ]
    similarity = evidence.similarity if evidence.similarity is not None else suggestion.similarity
    rank = f", {ordinal(evidence.rank)} of {evidence.n_ranked:,}" if evidence.rank else ""
    facts = (
        f"similarity {score(similarity)}{rank}",
        f"read together by {suggestions.together(suggestion, found.n_questions)}",
        f"A mentions B: {naming[0]}",
        f"B mentions A: {naming[1]}",
        f"source on acceptance: {suggestions.provenance(suggestion, state.curator())}",
    )
    cells = "".join(f"<span>{escape.html(said)}</span>" for said in facts)
    return f'<p class="rl-facts rs-facts">{cells}</p>'


def _bar(workspace: str, found: Suggestions, at: int, edit: Edit | None) -> None:
    """The acts in one row, what accepting changes, type and reason, and the keys that move; they never change place."""
    suggestion, ids = found.suggestions[at], [each.suggestion_id for each in found.suggestions]
    others = [i for i in ids if i != suggestion.suggestion_id]
    after = ids[at + 1] if at + 1 < len(ids) else (others[-1] if others else "")
    before = ids[at - 1] if at else ids[0]
    writes = bool(state.curator())
    names = [use.relation_type for use in vocabulary(workspace).types]
    chosen = _draft(suggestion).relation_type
    known = not chosen or chosen in names
    ready = writes and edit is not None and (known or bool(st.session_state.get(NEW)))
    with st.container(key="rs-acts", horizontal=True, vertical_alignment="center", gap="small"):
        _decide(workspace, suggestion, edit, ready=ready, known=known, after=after)
        st.button(
            "Type",
            key="docgraph.suggestions.type",
            shortcut="t",
            on_click=_next_type,
            args=(suggestion, suggestions.choices(suggestion, names)),
            disabled=not names,
            help="Choose the next type",
        )
        st.button(
            "Reverse direction", key="docgraph.suggestions.flip", shortcut="f", on_click=_flip, args=(suggestion,)
        )
    with st.container(key="rs-effect", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="rs-label">Effect if accepted</p>')
        if edit is not None:
            compared_effect(workspace, [edit], key="docgraph.suggestions.effect", listed=False)
        else:
            st.html('<p class="dg-note">Choose a type to see it</p>')
    _fields(suggestion, edit, names, known=known)
    with st.container(key="rl-actfoot", horizontal=True, vertical_alignment="center", gap="small"):
        _move(before, after, at=at, n=len(ids))
        _undo_button(workspace)


def _fields(suggestion: Suggestion, edit: Edit | None, names: list[str], *, known: bool) -> None:
    """The type and the reason; where nobody edits, that editing is off."""
    with st.container(key="rs-draft", horizontal=True, vertical_alignment="center", gap="small"):
        _type_box(suggestion, names)
        if edit is not None and not known:
            st.checkbox(f"Make {escape.label(edit.key[1], limit=60)} a new type of this workspace", key=NEW)
        if state.curator():
            st.text_input(
                "Reason (optional)",
                key=acts.REASON,
                max_chars=2_000,
                label_visibility="collapsed",
                placeholder="Reason (optional)",
            )
        else:
            locked = "switch it on at the top right to accept or reject"
            st.html(f'<p class="rl-off">{layout.glyph("lock")}Editing is off: {locked}.</p>')


def _decide(workspace: str, suggestion: Suggestion, edit: Edit | None, *, ready: bool, known: bool, after: str) -> None:
    expected = {edit.key: ""} if edit is not None else {}
    st.button(
        "Accept",
        key="docgraph.suggestions.accept",
        shortcut="a",
        type="primary",
        disabled=not ready,
        on_click=acts.accept,
        args=(workspace, suggestion, edit),
        kwargs={"then": after, "new_types": not known, "expected": expected},
    )
    st.button(
        "Reject",
        key="docgraph.suggestions.reject",
        shortcut="x",
        disabled=not state.curator(),
        on_click=acts.reject,
        args=(workspace, suggestion),
        kwargs={"then": after},
    )


def _move(before: str, after: str, *, at: int, n: int) -> None:
    st.button(
        "Next",
        key="docgraph.suggestions.next",
        shortcut="j",
        on_click=acts.go,
        args=(after,),
        type="tertiary",
        disabled=at + 1 >= n,
    )
    st.button(
        "Previous",
        key="docgraph.suggestions.previous",
        shortcut="k",
        on_click=acts.go,
        args=(before,),
        type="tertiary",
        disabled=at == 0,
    )


def _undo_button(workspace: str) -> None:
    done = acts.last_done(workspace)
    if done is not None:
        said = f"Undo: {done.words[:1].lower()}{done.words[1:]}"
        st.button(
            escape.label(escape.shorten(said, 40)),
            key="docgraph.suggestions.undo",
            shortcut="u",
            on_click=acts.undo,
            args=(done,),
            type="tertiary",
            disabled=not state.curator(),
        )


def _box_key(suggestion: Suggestion) -> str:
    return f"docgraph.suggestions.type.{suggestion.suggestion_id}"


def _type_box(suggestion: Suggestion, names: list[str]) -> None:
    """The box with the types, proposed ones first."""
    chosen = _draft(suggestion).relation_type
    options = suggestions.choices(suggestion, [*names, *([chosen] if chosen else [])])
    key = _box_key(suggestion)
    st.session_state[key] = chosen or None
    st.selectbox(
        "As",
        options,
        key=key,
        index=None,
        placeholder="Choose a type, or type a new one",
        accept_new_options=True,
        on_change=_typed,
        args=(suggestion,),
        width=240,
        label_visibility="collapsed",
    )


def _typed(suggestion: Suggestion) -> None:
    chosen = " ".join(str(st.session_state.get(_box_key(suggestion)) or "").split())
    _keep(suggestion, replace(_draft(suggestion), relation_type=chosen))


def _next_type(suggestion: Suggestion, options: tuple[str, ...]) -> None:
    draft = _draft(suggestion)
    at = options.index(draft.relation_type) + 1 if draft.relation_type in options else 0
    _keep(suggestion, replace(draft, relation_type=options[at % len(options)]))


def _flip(suggestion: Suggestion) -> None:
    draft = _draft(suggestion)
    _keep(suggestion, replace(draft, flipped=not draft.flipped))
