"""The lower half of the inspector: why any document is in the plan, or everything that keeps it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from docgraph.domain.explanation import Explanation, Obstacle
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.documents import DocumentNames, document_names
from docgraph.ui.parts.type_pills import line_sample
from docgraph.ui.plan.state import WHY_NOT
from docgraph.ui.plan.view import PlanView, use_remedy
from docgraph.views.lanes.layout import Dash, dash
from docgraph.views.plan.draft.steps import as_step
from docgraph.views.plan.remedies import obstacle_words, remedy_words
from docgraph.views.words import counts


def why_not(view: PlanView) -> None:
    """The question and its answer; a frozen run whose workspace is gone can only say so."""
    if not view.live:
        gone = "The workspace of this run was deleted, so this cannot be answered."
        st.html(f'<p class="pl-h3">Why not</p><p class="pl-muted">{gone}</p>')
        return
    names = document_names(view.workspace)
    options = names.ids
    asked = st.session_state.get(WHY_NOT)
    if asked is not None and asked not in names.titles:
        options = [asked, *options]
    st.selectbox(
        "Why not",
        options,
        index=None,
        format_func=names.with_id,
        key=WHY_NOT,
        placeholder="Choose any document",
        accept_new_options=not names.complete,
    )
    asked = st.session_state.get(WHY_NOT)
    if asked is None:
        total = (
            f"{names.total:,} documents"
            if names.complete
            else f"{len(options):,} of {names.total:,} listed; type an id"
        )
        st.html(f'<p class="pl-muted">Why is a document in the plan, or why not? {total}.</p>')
        return
    _ask(view, str(asked), names)


def _ask(view: PlanView, asked: str, names: DocumentNames) -> None:
    workspace = view.workspace
    if view.run.plan.corpus_revision != workspace.revision:
        st.html('<p class="pl-muted">The data changed since this run; this answer uses today’s data.</p>')
    try:
        explanation = _explain(workspace.name, workspace.state, view.run.request.model_dump_json(), asked)
    except DocgraphError as problem:
        st.html(f'<p class="pl-muted">{escape.html(problem.message)}</p>')
        return
    _answer(explanation, view, names)


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _explain(workspace: str, revision: str, request_json: str, document_id: str) -> Explanation:
    del revision  # part of the key only
    request = RetrievalRequest.model_validate_json(request_json)
    return resources.docgraph(workspace).explain(request, document_id)


def _answer(explanation: Explanation, view: PlanView, names: DocumentNames) -> None:
    if explanation.in_plan:
        place = f"position {explanation.place or 0:,}"
        role = "match" if explanation.role == "seed" else "related"
        n = len(view.run.plan.document_ids)
        who = escape.html(explanation.document_id)
        st.html(f'<p class="pl-obstacle">In the plan: {who}, {role}, {place} of {n}.</p>')
        return
    own = "not ranked"
    if explanation.rank:
        own = f"rank {explanation.rank:,} of {explanation.n_documents:,} by {explanation.signal}"
    who = f'<code class="pl-id">{escape.html(explanation.document_id)}</code>'
    st.html(f'<p class="pl-facts">{who} Not in the plan: {own}</p>')
    for i, obstacle in enumerate(explanation.obstacles):
        st.html(_obstacle(obstacle, names, asked=explanation.document_id, styles=view.styles))
        _what_if(obstacle.remedy, view, names, asked=explanation.document_id, key=f"plan_what_if_{i}")


def _obstacle(obstacle: Obstacle, names: DocumentNames, *, asked: str, styles: Mapping[str, Dash]) -> str:
    text = obstacle_words(obstacle)
    shown = _edge_lines(obstacle.edges[:3], names, asked=asked, styles=styles)
    more = len(obstacle.edges) - 3
    rest = f'<p class="pl-muted">and {counts.plural(more, "more relationship")}</p>' if more > 0 else ""
    return f'<div class="pl-obstacle">{layout.glyph("cut")}<div><p>{escape.html(text)}</p>{shown}{rest}</div></div>'


def _edge_lines(
    edges: Sequence[tuple[str, str, str]], names: DocumentNames, *, asked: str, styles: Mapping[str, Dash]
) -> str:
    def end(document_id: str) -> str:
        if document_id == asked:
            return "it"
        title, shown = names.title(document_id), escape.html(document_id)
        return escape.html(title) + (
            "" if title == document_id else f' <code class="dg-id" title="{shown}">{shown}</code>'
        )

    return "".join(
        f'<p class="pl-via"><span>{end(a)}</span>{line_sample(styles.get(via, dash(via)))}<b>{escape.html(via)}</b>'
        f"<span>{end(b)}</span></p>"
        for a, via, b in edges
    )


def _what_if(remedy: Mapping[str, Any], view: PlanView, names: DocumentNames, *, asked: str, key: str) -> None:
    if not remedy or as_step(view.run.request, remedy) is None:
        return
    named = remedy.get("seed_document_ids") or (asked,)
    title = "" if named[-1] == asked else escape.shorten(names.title(str(named[-1])), 40)
    words = remedy_words(view.run.request, view.run.plan, remedy, title=title)
    if words:
        st.button(escape.label(words), key=key, on_click=partial(use_remedy, view, remedy))
