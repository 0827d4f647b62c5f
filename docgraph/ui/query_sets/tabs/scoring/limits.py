"""Beside the table: how much limits leave out, what the set speaks for, and documents that take places for nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping

import streamlit as st

from docgraph.boundary.records import as_request
from docgraph.domain.scoreboard import BoilerplateTarget, CapPressure, LimitChange, Scoreboard
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, navigation
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.scoring.table import document_html
from docgraph.ui.query_sets.tabs.scoring.work import Scoring
from docgraph.views.query_sets.pressure import caption, large_html, small_html
from docgraph.views.words.address import BASELINE, inputs_of, text_of
from docgraph.views.words.counts import plural
from docgraph.views.words.evaluation import (
    LIMIT_TITLES,
    change_words,
    found_words,
    proof_words,
    settings_to_copy,
    suggestion_reason,
    suggestion_title,
    tokens_words,
)

TARGETS = 3
"""Boilerplate targets that are named; the command line lists all."""

_LEGEND = (
    '<p class="qp-legend"><span><i class="qp-key qp-with"></i>With</span>'
    '<span><i class="qp-key qp-without"></i>Without</span><span><i class="qp-key qp-mark"></i>current value</span>'
    "<span>below: tokens per question</span></p>"
)


def limit_boxes(scope: Scope, job: Scoring) -> None:
    """Draw the pictures and the suggestion, or that they are still to come."""
    found = job.pressure
    if found is None:
        said = "Limits are tested after the relationships are scored." if job.running else "Limits were not tested."
        st.html(
            f'<div class="qs-box qp-box"><h2 class="dg-h2">Effect of limits</h2><p class="dg-note">{said}</p></div>'
        )
        return
    first = found.sweeps[0] if found.sweeps else None
    if first is None:
        st.html('<p class="dg-note">The request fixes its limits.</p>')
        return
    rest = small_html(found, found.sweeps[1:]) if len(found.sweeps) > 1 else ""
    st.html(
        f'<div class="qs-box qp-box"><h2 class="dg-h2">Effect of limits: '
        f"{escape.html(LIMIT_TITLES[first.field].lower())}</h2>"
        f'<p class="dg-note">{caption(found)}</p>{large_html(found, first)}{_LEGEND}{rest}</div>'
    )
    _suggestion(job, found)


def _suggestion(job: Scoring, found: CapPressure) -> None:
    change = found.suggested
    with st.container(key="qe-suggestion", gap=None):
        with st.container(key="qe-suggestion-head", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<h2 class="dg-h2">{escape.html(suggestion_title(found))}</h2>')
            if change is not None:
                _try(job, found, change)
        lines = "".join(_evidence_html(found, each) for each in found.changes)
        said = f"{suggestion_reason(found)} Settings change only when you change them."
        st.html(f'<p class="qe-reason">{escape.html(said)}</p>{lines}')
        if change is not None:
            st.code(json.dumps(settings_to_copy(found, change)), language=None)


def _evidence_html(found: CapPressure, change: LimitChange) -> str:
    look = " class='qe-holds'" if change == found.suggested else ""
    return (
        f"<p class='qe-evidence'><b{look}>{escape.html(change_words(change))}</b>"
        f"<em>{escape.html(tokens_words(change))}</em>"
        f"<span>Tune half {escape.html(found_words(change.tune))}; "
        f"hold-out {escape.html(proof_words(change, found.measure))}.</span></p>"
    )


def _try(job: Scoring, found: CapPressure, change: LimitChange) -> None:
    """The question that gains most, under today's settings and under the suggested ones."""
    gaining = (*change.hold_out.queries, *change.tune.queries, *job.queries)
    text = next((job.queries[each] for each in gaining if each in job.queries), "")
    try:
        a = as_request({**found.fields, "query": text})
        b = as_request({**settings_to_copy(found, change), "query": text})
    except DocgraphError:
        return
    query = {**inputs_of(b), BASELINE: [text_of(a)]}
    navigation.link("compare", "Try in Compare", query=query, help="For the question that gains most")


def target_box(scope: Scope, board: Scoreboard) -> None:
    """Documents to which very many relationships lead, or that questions get for nothing."""
    found = board.boilerplate
    if not found:
        return
    shown = found[:TARGETS]
    titles = {i: each.title for i, each in scope.docgraph.documents.by_id([each.document_id for each in shown]).items()}
    with st.container(key="qe-targets", gap=None):
        st.html(f'<h2 class="dg-h2">{plural(len(found), "boilerplate target")}</h2>')
        for place, each in enumerate(shown):
            with st.container(key=f"qe-target-{place}", horizontal=True, vertical_alignment="center", gap="small"):
                st.html(target_html(each, titles, n=board.n))
                query = {"tab": "edges", "at": each.document_id}
                navigation.link("relationships", "Open in Relationships", query=query)
        if len(found) > len(shown):
            st.html(f'<p class="dg-note">and {len(found) - len(shown):,} more: docgraph scoreboard lists them</p>')


def target_html(each: BoilerplateTarget, titles: Mapping[str, str], *, n: int) -> str:
    """One document, how many lead to it, and what that comes to."""
    linked = f"linked by {plural(each.linked_by, 'document')}"
    if each.takes_no_place:
        said = f"{linked}: uses no position"
    else:
        said = f"{linked}, read in {each.fired:,} of {plural(n, 'question')}: judged relevant in none"
    return f"<p class='qe-target'>{document_html(each.document_id, titles)}<small>{said}</small></p>"
