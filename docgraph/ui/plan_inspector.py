"""The panel beside the graph: the selected document or edge with every reason, and "why not …?" for any document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from docgraph.domain.explanation import Explanation, Obstacle
from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui import escape, frame, plan_state, resources
from docgraph.ui.plan_controls import TypeChoice
from docgraph.ui.plan_documents import DocumentNames, document_names, provenance
from docgraph.ui.plan_marks import line_sample
from docgraph.ui.plan_remedies import use_remedy
from docgraph.ui.plan_state import TAB, WHY_NOT
from docgraph.ui.state import session
from docgraph.views import obstacles
from docgraph.views.legend import dash
from docgraph.views.reasons import ReasonLine, SelectedDocument, SelectedEdge, selected_document, selected_edge
from docgraph.views.remedies import changed, in_words
from docgraph.views.wording import ordinal, score, score_name


def inspector(run: Run, workspace: Workspace, choice: TypeChoice) -> None:
    """Draw both halves."""
    selected = session().selected
    with st.container(key="plan_selected", gap="xsmall"):
        _selected(run, workspace, selected)
    with st.container(key="plan_why_not", gap="xsmall"):
        _why_not(run, workspace, choice)


def _selected(run: Run, workspace: Workspace, selected: str | None) -> None:
    edges = [edge for edge in run.plan.edges if selected is not None]
    stored = provenance(workspace, edges) if edges else {}
    document = selected_document(run, selected, stored)
    edge = selected_edge(run, selected, stored)
    if document is not None:
        st.html(_document(document))
        with st.container(horizontal=True, gap="xsmall", key="plan_selected_actions"):
            st.button("Show its chunks", key="plan_show_chunks", on_click=_show_chunks)
    elif edge is not None:
        st.html(_edge(edge))
    else:
        st.html(
            '<p class="pl-h3">Nothing selected</p><p class="pl-muted">Click a document or an edge in the graph, '
            "or a row under Table. Arrow keys move through the graph, Escape clears.</p>"
        )


def _show_chunks() -> None:
    st.session_state[TAB] = "Evidence"
    st.session_state[plan_state.ONLY_SELECTED] = "Selected"
    st.rerun()


def _document(document: SelectedDocument) -> str:
    sign = frame.glyph("seed" if document.role == "seed" else "added", document.role)
    cards = "".join(_reason(line) for line in document.reasons)
    note = f'<p class="pl-note">{escape.html(document.note)}</p>' if document.note else ""
    return (
        f'<div class="pl-title">{sign}<span>{escape.html(document.title)}</span></div>'
        f'<p class="pl-facts">{escape.html(document.facts)}</p>'
        f'<h3 class="pl-h3">{escape.html(document.why)}</h3>{cards}{note}'
    )


def _reason(line: ReasonLine) -> str:
    found = f'<span class="pl-found">{escape.html(line.found)}</span>' if line.found else ""
    quote = f'<p class="pl-quote">“{escape.html(line.text)}”</p>' if line.text else ""
    return (
        f'<div class="pl-reason"><p>{frame.glyph("seed")}<b>{escape.html(line.from_title)}</b></p>'
        f'<p class="pl-via">{line_sample(line.dash)}<b>{escape.html(line.via)}</b>{found}</p>{quote}</div>'
    )


def _edge(edge: SelectedEdge) -> str:
    line = edge.line
    found = f'<p class="pl-facts">Found by {escape.html(line.found)}</p>' if line.found else ""
    quote = f'<p class="pl-quote">“{escape.html(line.text)}”</p>' if line.text else ""
    return (
        f'<div class="pl-title pl-edge">{line_sample(line.dash)}<span>{escape.html(line.via)}</span></div>'
        f'<p class="pl-facts">Relationship, 1 hop, outgoing</p>'
        f'<div class="pl-reason"><p class="pl-end"><i>from</i>{frame.glyph("seed")}'
        f"<b>{escape.html(line.from_title)}</b></p>"
        f'<p class="pl-end"><i>to</i>{frame.glyph("added")}<b>{escape.html(line.to_title)}</b></p>{quote}</div>'
        f'{found}<p class="pl-note">{escape.html(edge.note)}</p>'
    )


# ---------------------------------------------------------------- why not …?


def _why_not(run: Run, workspace: Workspace, choice: TypeChoice) -> None:
    names = document_names(workspace)
    options = names.ids
    asked = st.session_state.get(WHY_NOT)
    if asked is not None and asked not in names.titles:
        options = [asked, *options]
    st.selectbox(
        "Why not", options, index=None, format_func=names.title, key=WHY_NOT, placeholder="Choose any document",
        accept_new_options=not names.complete,
    )  # fmt: skip
    asked = st.session_state.get(WHY_NOT)
    if asked is None:
        total = (
            f"{names.total:,} documents"
            if names.complete
            else f"{len(options):,} of {names.total:,} listed; type an id"
        )
        st.html(f'<p class="pl-muted">Why is a document in the plan, or why not? {total}.</p>')
        return
    try:
        explanation = _explain(workspace.name, workspace.revision, run.request.model_dump_json(), str(asked))
    except DocgraphError as problem:
        st.html(f'<p class="pl-muted">{escape.html(problem.message)}</p>')
        return
    _answer(explanation, run, names, choice=choice)


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _explain(workspace: str, revision: str, request_json: str, document_id: str) -> Explanation:
    del revision  # part of the key only
    from docgraph.domain.request import RetrievalRequest

    request = RetrievalRequest.model_validate_json(request_json)
    return resources.docgraph(workspace).explain(request, document_id)


def _answer(explanation: Explanation, run: Run, names: DocumentNames, *, choice: TypeChoice) -> None:
    if explanation.in_plan:
        place = ordinal(explanation.place or 0)
        role = "a seed" if explanation.role == "seed" else "expanded"
        st.html(f'<p class="pl-obstacle">It is in the plan: {role}, {place} of {len(run.plan.document_ids)}.</p>')
        return
    rank = f"rank {explanation.rank:,} of {explanation.n_documents:,}" if explanation.rank else "not ranked"
    own = f"{score_name(explanation.signal or '').capitalize()} {score(explanation.score)}"
    st.html(f'<p class="pl-facts">Not in the plan. {own}, {rank}</p>')
    for i, obstacle in enumerate(explanation.obstacles):
        st.html(_obstacle(obstacle, names, asked=explanation.document_id))
        _what_if(obstacle, run, explanation, choice=choice, key=f"plan_what_if_{i}")


def _obstacle(obstacle: Obstacle, names: DocumentNames, *, asked: str) -> str:
    text = obstacles.in_words(obstacle)
    shown = _edge_lines(obstacle.edges[:3], names, asked=asked)
    more = len(obstacle.edges) - 3
    rest = f'<p class="pl-muted">and {more} more {"edge" if more == 1 else "edges"}</p>' if more > 0 else ""
    return f'<div class="pl-obstacle">{frame.glyph("cut")}<div><p>{escape.html(text)}</p>{shown}{rest}</div></div>'


def _edge_lines(edges: Sequence[tuple[str, str, str]], names: DocumentNames, *, asked: str) -> str:
    def end(document_id: str) -> str:
        return "it" if document_id == asked else escape.html(names.title(document_id))

    return "".join(
        f'<p class="pl-via"><span>{end(a)}</span>{line_sample(dash(via))}<b>{escape.html(via)}</b>'
        f"<span>{end(b)}</span></p>"
        for a, via, b in edges
    )


def _what_if(obstacle: Obstacle, run: Run, explanation: Explanation, *, choice: TypeChoice, key: str) -> None:
    if not obstacle.remedy or changed(run.request, obstacle.remedy) is None:
        return
    words = in_words(run.request, run.plan, obstacle.remedy)
    if not words:
        return
    st.button(
        f"What if: {escape.label(words)}", key=key, on_click=partial(use_remedy, run, obstacle.remedy, choice)
    )  # fmt: skip
