"""One question: where it is asked again, what relationships change in it, its saved versions, what is judged of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.banner import current_revisions
from docgraph.ui.parts.runs.data import change
from docgraph.ui.query_sets.listing import question_outcomes
from docgraph.ui.query_sets.runs.detail import detail
from docgraph.ui.query_sets.table import INPUTS, outcome_html
from docgraph.views.query_sets.saved import QuestionRow
from docgraph.views.words.address import BASELINE, QUERY, RUN
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import name_of, person

PAGE = "query_sets"
MAX_VERSIONS, MAX_JUDGED = 20, 20


def question_detail(
    docgraph: Docgraph, row: QuestionRow, sets: Sequence[QuerySetSummary], opened: SavedRun | None
) -> None:
    """Draw it; ``opened`` = the saved version that the address names."""
    is_here = not row.workspace and docgraph.workspace_name in current_revisions()
    with st.container(key="qn-detail", gap="small"):
        with st.container(key="qn-title", horizontal=True, vertical_alignment="top", gap="small"):
            st.html(f'<h2 class="dg-h2">{escape.html(escape.shorten(row.query, 400))}</h2>')
            kept = {name: str(st.query_params[name]) for name in INPUTS if name in st.query_params}
            navigation.link(PAGE, "Close", query=kept)
        if is_here:
            _ways(docgraph, row, sets)
            _outcome(docgraph, row)
        _versions(row, opened)
    if opened is not None:
        detail(opened)
    if is_here:
        with st.container(key="qn-judged", gap="small"):
            _judgments(docgraph, row)


def _ways(docgraph: Docgraph, row: QuestionRow, sets: Sequence[QuerySetSummary]) -> None:
    asked = {QUERY: row.query, "workspace": docgraph.workspace_name}
    with st.container(key="qn-ways", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.link("plan", "Open in Plan", query=asked)
        navigation.link("compare", "Compare", query={**asked, BASELINE: "ms3"}, help="Without and with relationships")
        for each in sets:
            if each.name in row.sets:
                label = escape.label(f"In {escape.shorten(each.name, 40)}")
                navigation.link(PAGE, label, query={"set": each.name})


def _outcome(docgraph: Docgraph, row: QuestionRow) -> None:
    found = question_outcomes([row], docgraph.workspace_name)
    said = outcome_html(found[row.query]) if row.query in found else '<i class="qn-muted">counting</i>'
    st.html(f'<p class="qn-outcome qn-result" role="status"><span class="qn-muted">With relationships</span>{said}</p>')


def _versions(row: QuestionRow, opened: SavedRun | None) -> None:
    """Its saved versions, the newest first; each a link that opens it below."""
    layout.section("Saved versions", f"{len(row.runs):,}" if row.runs else "")
    if not row.runs:
        st.html(
            '<p class="dg-note">None yet. Choose <b>Save</b> in Plan to store the current answer. A saved version '
            "does not change, so you can share, review and compare it.</p>"
        )
        return
    revisions = current_revisions()
    with st.container(key="qn-versions", gap=None):
        for run in row.runs[:MAX_VERSIONS]:
            shown = opened is not None and opened.run_id == run.run_id
            _version(row, run, revisions.get(run.workspace), shown=shown)
    if len(row.runs) > MAX_VERSIONS:
        st.html(f'<p class="dg-note">{n_of_m(MAX_VERSIONS, len(row.runs))} shown. Search by name for another.</p>')


def _version(row: QuestionRow, run: RunSummary, revision_now: str | None, *, shown: bool) -> None:
    with st.container(key=f"qn-version-{run.run_id}{'-shown' if shown else ''}", gap=None):
        found = change(run)
        name = "" if run.name == row.query else f"<b>{escape.html(escape.shorten(name_of(run), 120))}</b>"
        by = escape.html(person(run.saved_by))
        st.html(
            f'<div class="qn-version">{name}<span>{marks.at(run.saved_at)} by {by}</span>'
            f"<span>{found.relevant} relevant found</span><span>{plural(run.n_tokens, 'token')}</span>"
            f"<code>{run.run_id}</code>{marks.state(run, revision_now)}{layout.glyph('chevron')}</div>"
        )
        kept = {name: str(st.query_params[name]) for name in INPUTS if name in st.query_params}
        label = f"Open {escape.label(name_of(run), limit=80)}, {escape.label(run.saved_at)}"
        navigation.link(PAGE, label, query={**kept, RUN: run.run_id})


def _judgments(docgraph: Docgraph, row: QuestionRow) -> None:
    """The documents that are judged for it, with who said so."""
    said = {each.document_id: each for each in docgraph.judgments.of_documents(row.query)}
    ids = list(dict.fromkeys((*sorted(row.relevant), *said)))
    layout.section("Judgments", row.judged_words if row.n_judged else "")
    if not ids:
        st.html(
            '<p class="dg-note">No documents are judged yet, so it is not known whether the answer improves (--). '
            "Open Compare to judge them.</p>"
        )
        return
    titles = docgraph.documents.by_id(ids[:MAX_JUDGED])
    items = ""
    for document_id in ids[:MAX_JUDGED]:
        helps = document_id in row.relevant
        title = titles[document_id].title if document_id in titles else "not stored"
        by = f" by {escape.html(person(said[document_id].by))}" if document_id in said else ""
        sign = layout.glyph("check" if helps else "cross")
        items += (
            f"<li>{sign}<span>{escape.html(escape.shorten(title, 120))} <code class='dg-id'>"
            f"{escape.html(escape.shorten(document_id, 60))}</code></span>"
            f"<small>{'relevant' if helps else 'not relevant'}{by}</small></li>"
        )
    more = f'<p class="dg-note">{n_of_m(MAX_JUDGED, len(ids))} are listed.</p>' if len(ids) > MAX_JUDGED else ""
    st.html(f'<ul class="qn-judgments">{items}</ul>{more}')
