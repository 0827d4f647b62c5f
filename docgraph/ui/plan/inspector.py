"""The panel beside the graph: the selected document or edge with every reason and its what-ifs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.domain.anchors import section_name
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.state import session
from docgraph.ui.parts import copy_link
from docgraph.ui.parts.documents import provenance, section_chunks
from docgraph.ui.parts.type_pills import line_sample
from docgraph.ui.plan.passages import all_passages, back_to_passages
from docgraph.ui.plan.state import CHANGES_SHOWN, ONLY_SELECTED
from docgraph.ui.plan.tabs.evidence import best_html
from docgraph.ui.plan.view import PlanView, use_request
from docgraph.ui.plan.why_not import why_not
from docgraph.views.lanes.layout import Dash
from docgraph.views.plan.draft.steps import Step, add_seed, drop_seed, keep_seed, with_edge, without_edge
from docgraph.views.plan.evidence import best_passage
from docgraph.views.plan.reasons import (
    ReasonLine,
    SelectedDocument,
    SelectedEdge,
    selected_document,
    selected_edge,
)
from docgraph.views.plan.selection import (
    LeavingDocument,
    LeavingEdge,
    Move,
    gone_edges,
    leaving_document,
    leaving_edge,
    off_reasons,
)
from docgraph.views.words.address import TAB
from docgraph.views.words.provenance import Provenance


def inspector(view: PlanView) -> None:
    """Draw both halves."""
    with st.container(key="plan_selected", gap="xsmall"):
        _selected(view, session().selected)
    with st.container(key="plan_why_not", gap="xsmall"):
        why_not(view)


def _selected(view: PlanView, selected: str | None) -> None:
    stored = _stored(view) if selected is not None else {}
    document = selected_document(view.run, selected, stored)
    edge = selected_edge(view.run, selected, stored)
    if document is not None:
        back_to_passages(view)
        _document(view, document, stored)
    elif edge is not None:
        _edge(view, edge)
    elif not _leaving(view, selected, stored):
        all_passages(view)


def _stored(view: PlanView) -> Provenance:
    """Where the edges were found; a frozen run is drawn without it when its data are gone."""
    edges = [*view.run.plan.edges, *(gone_edges(view.comparison) if view.comparison else ())]
    if not edges or not view.live:
        return {}
    try:
        return provenance(view.workspace, edges)
    except DocgraphError:
        return {}


def _step(view: PlanView, label: str, step: Step, *, key: str, help: str) -> None:
    """A one-click what-if; nothing while it is impossible."""
    if step is not None and view.live:
        st.button(label, key=key, help=help, on_click=use_request, args=(view, step))


# ---------------------------------------------------------------- in the plan


def _document(view: PlanView, document: SelectedDocument, stored: Provenance) -> None:
    sign = layout.glyph("seed" if document.role == "seed" else "added", document.role)
    st.html(
        _title(sign, document.title, document.document_id, document.facts)
        + (f'<p class="pl-standing"><span>{escape.html(document.standing)}</span></p>' if document.standing else "")
        + _best(view, document.document_id)
        + f'<h3 class="pl-h3">{escape.html(document.why)}</h3>'
    )
    _reasons(view, document.reasons)
    if view.comparison is not None:
        off = off_reasons(view.comparison, document.document_id, stored, view.choice.shown)
        _reasons(view, off, start=len(document.reasons))
    if document.note:
        st.html(f'<p class="pl-note">{escape.html(document.note)}</p>')
    with st.container(horizontal=True, gap="xsmall", key="plan_selected_actions"):
        st.button("Show its passages", key="plan_show_chunks", on_click=_show_chunks)
        request, document_id = view.run.request, document.document_id
        if document.role == "seed":
            taken_back = document_id in request.overrides.added_seed_ids
            _step(
                view,
                "Remove as a match" if taken_back else "Try without this match",
                drop_seed(request, document_id),
                key="plan_drop_seed",
                help="Makes a draft; nothing stored changes",
            )
        elif document_id in request.overrides.dropped_seed_ids:
            _seed_again(view, document_id)
        else:
            _step(
                view,
                "Try as a match",
                add_seed(request, document_id),
                key="plan_add_seed",
                help="Makes a draft with it as the first match. Or double-click it in the graph",
            )


def _best(view: PlanView, document_id: str) -> str:
    """What is read of the document first, marked if somebody said that it answers; nothing where none is read."""
    best = best_passage(view.run, document_id, view.answers)
    return best_html(document_id, best) if best is not None else ""


def _seed_again(view: PlanView, document_id: str) -> None:
    _step(
        view,
        "Restore as a match",
        keep_seed(view.run.request, document_id),
        key="plan_keep_seed",
        help="Make it a match again",
    )


def _reasons(view: PlanView, lines: Sequence[ReasonLine], *, start: int = 0, only_on: bool = False) -> None:
    """One card an edge, each with its switch; with ``only_on`` those alone that can be switched on again."""
    for i, line in enumerate(lines, start=start):
        with st.container(key=f"plan_reason_{i}", gap=None):
            st.html(_reason(line, view.styles, _section(view, line)))
            if line.off or not only_on:
                _switch(view, line, key=f"plan_edge_{i}")


def _switch(view: PlanView, line: ReasonLine, *, key: str) -> None:
    request = view.run.request
    if line.off:
        _step(
            view,
            "Follow this relationship",
            with_edge(request, line.edge, view.choice.shown),
            key=key,
            help="Use it in the draft again",
        )
    else:
        _step(
            view,
            "Try without this relationship",
            without_edge(request, line.edge),
            key=key,
            help="Makes a draft; the stored relationship stays unchanged",
        )


def _edge(view: PlanView, edge: SelectedEdge) -> None:
    facts = "Relationship, 1 hop, outgoing"
    st.html(_edge_html(edge.line, facts, edge.note, view.styles, _section(view, edge.line)))
    with st.container(horizontal=True, gap="xsmall", key="plan_selected_actions"):
        _switch(view, edge.line, key="plan_edge_off")


def _show_chunks() -> None:
    st.session_state[TAB] = "Passages"
    st.session_state[ONLY_SELECTED] = st.session_state[CHANGES_SHOWN] = "Selected"
    st.rerun()


# ---------------------------------------------------------------- leaving with the draft


def _leaving(view: PlanView, selected: str | None, stored: Provenance) -> bool:
    """Draw the selection if it leaves with the draft; tells whether it does."""
    if view.comparison is None:
        return False
    document = leaving_document(view.comparison, selected, stored, view.choice.shown)
    edge = leaving_edge(view.comparison, selected, stored, view.choice.shown)
    if document is not None:
        _leaving_document(view, document)
    elif edge is not None:
        _leaving_edge(view, edge)
    return document is not None or edge is not None


def _leaving_document(view: PlanView, document: LeavingDocument) -> None:
    head = _title(layout.glyph("left", "removed"), document.title, document.document_id, document.facts)
    st.html(f'{head}<h3 class="pl-h3">{escape.html(document.why)}</h3>')
    _reasons(view, document.reasons, only_on=True)
    moves = "".join(_move(move) for move in document.moves)
    st.html(f'<h3 class="pl-h3">What changes</h3><ul class="pl-moves">{moves}</ul>')
    with st.container(horizontal=True, gap="xsmall", key="plan_selected_actions"):
        st.button("Show its passages", key="plan_show_chunks", on_click=_show_chunks)
        if document.dropped:
            _seed_again(view, document.document_id)
        else:
            _step(
                view,
                "Try as a match",
                add_seed(view.run.request, document.document_id),
                key="plan_add_seed",
                help="Makes a draft with it as the first match",
            )


def _leaving_edge(view: PlanView, edge: LeavingEdge) -> None:
    st.html(_edge_html(edge.line, "Not followed in this draft", edge.note, view.styles))
    if edge.line.off:
        with st.container(horizontal=True, gap="xsmall", key="plan_selected_actions"):
            _switch(view, edge.line, key="plan_edge_on")


def _move(move: Move) -> str:
    return (
        f"<li>{layout.glyph(move.sign)}<span>{escape.html(move.text)}</span>"
        f"<small>{escape.html(move.tokens)}</small></li>"
    )


# ---------------------------------------------------------------- as HTML


def _title(sign: str, title: str, document_id: str, facts: str) -> str:
    return (
        f'<div class="pl-title">{sign}<span>{escape.html(title)}</span></div>'
        f'<p class="pl-facts"><code class="pl-id">{escape.html(document_id)}</code> {escape.html(facts)}</p>'
    )


def _section(view: PlanView, line: ReasonLine) -> str:
    """*its section Limits*, each opened where it begins in the document; words alone where the data are gone."""
    if not line.sections:
        return ""
    chunks: dict[str, str] = {}
    if view.live:
        try:
            chunks = section_chunks(view.workspace, line.edge[2], line.sections)
        except DocgraphError:
            chunks = {}
    names = {section_name(path): chunks.get(path) for path in reversed(line.sections)}
    said = ", ".join(_opened(line.edge[2], name, chunk_id) for name, chunk_id in reversed(names.items()))
    return f'<p class="pl-section">{"its section" if len(names) == 1 else "its sections"} {said}</p>'


def _opened(document_id: str, name: str, chunk_id: str | None) -> str:
    if chunk_id is None:
        return f"<b>{escape.html(name)}</b>"
    query = navigation.in_workspace({"document": document_id, "chunk": chunk_id})
    to = escape.html(copy_link.address("/library", {key: [str(value)] for key, value in query.items()}))
    return f'<a href="{to}" target="_self" title="Open the document at this section">{escape.html(name)}</a>'


def _reason(line: ReasonLine, styles: Mapping[str, Dash], section: str) -> str:
    found = f'<span class="pl-found">{escape.html(line.found)}</span>' if line.found else ""
    quote = f'<p class="pl-quote">“{escape.html(line.text)}”</p>' if line.text else ""
    state = " pl-off" if line.off else ""
    via = f"{line.via} ({'type off' if line.off == 'type' else 'off'})" if line.off else line.via
    sample = line_sample(styles.get(line.via, line.dash))
    return (
        f'<div class="pl-reason{state}"><p>{layout.glyph("seed")}<b>{escape.html(line.from_title)}</b></p>'
        f'<p class="pl-via">{sample}<b>{escape.html(via)}</b>{found}</p>{section}{quote}</div>'
    )


def _edge_html(line: ReasonLine, facts: str, note: str, styles: Mapping[str, Dash], section: str = "") -> str:
    found = f'<p class="pl-facts">{escape.html(line.found[:1].upper() + line.found[1:])}</p>' if line.found else ""
    quote = f'<p class="pl-quote">“{escape.html(line.text)}”</p>' if line.text else ""
    sample = line_sample(styles.get(line.via, line.dash))
    return (
        f'<div class="pl-title pl-edge">{sample}<span>{escape.html(line.via)}</span></div>'
        f'<p class="pl-facts">{escape.html(facts)}</p>'
        f'<div class="pl-reason{" pl-off" if line.off else ""}"><p class="pl-end"><i>from</i>{layout.glyph("seed")}'
        f"<b>{escape.html(line.from_title)}</b></p>"
        f'<p class="pl-end"><i>to</i>{layout.glyph("added")}<b>{escape.html(line.to_title)}</b></p>'
        f'{section}{quote}</div>{found}<p class="pl-note">{escape.html(note)}</p>'
    )
