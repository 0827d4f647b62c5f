"""The Questions tab: on how many questions it helps, where it hurts, how sure that is, and one question at a time."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from docgraph.domain.evaluation import Evaluation
from docgraph.ui.frame import assets, escape, layout, navigation
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.answers.inputs import BY, HALF, INPUTS, B, result, value_of
from docgraph.ui.query_sets.tabs.answers.report import report_popover
from docgraph.ui.query_sets.tabs.answers.sides import sides_row
from docgraph.ui.query_sets.tabs.answers.table import open_of, question_table
from docgraph.ui.query_sets.tabs.answers.verdict import ALL, gate_of, shown_change, verdict_panel
from docgraph.ui.query_sets.tabs.history import history_html
from docgraph.views.query_sets.history import since
from docgraph.views.query_sets.part import Part, in_order, part_of
from docgraph.views.query_sets.plots import legend_html, plots_html
from docgraph.views.words.counts import plural
from docgraph.views.words.evaluation import changed_data
from docgraph.views.words.moments import day

__all__ = ["INPUTS", "draw"]

LISTED = 2_000
"""Questions that are listed of a set that nobody asked yet."""


def draw(scope: Scope) -> None:
    """Draw the evaluation that is shown, or the questions while there is none."""
    assets.style(__file__, "questions.css")
    if scope.evaluation is None:
        _not_asked(scope)
    else:
        _answers(scope)


@st.fragment(key="qs-answers")
def _answers(scope: Scope) -> None:
    """Everything below the tabs. A key, a filter or a row draws this alone."""
    assert scope.evaluation is not None
    with layout.guarded():
        evaluation = result(scope.workspace, scope.evaluation)
        part = part_of(evaluation, b=value_of(B), measure=value_of(BY), half=value_of(HALF))
        if part is None:
            _alone(evaluation)
            return
        sides_row(scope, part)
        _warnings(scope, evaluation)
        verdict_panel(scope, part)
        change = shown_change()
        found = in_order(part, "" if change == ALL else change)
        with st.container(key="qs-columns", horizontal=True, gap="small"):
            with st.container(key="qs-side", gap="small"):
                _plots(scope, part, found[open_of(found)][0].query_id if found else "")
                _history(scope, part)
            with st.container(key="qs-main", gap=None):
                question_table(scope, part, found)


def _plots(scope: Scope, part: Part, opened: str) -> None:
    pinned = scope.pinned
    means: dict[str, float] = {}
    if pinned is not None and part.half is None:
        ends = (part.a.name, part.b.name)
        means = {d.measure: d.mean for d in pinned.differences if (d.a, d.b) == ends and d.mean is not None}
    labels = [escape.html(escape.shorten(each.label, 24)) for each in (part.b, part.a)]
    legend = legend_html(part, pinned=f"pinned {day(pinned.at)}" if pinned is not None and means else "")
    st.html(
        f'<div class="qs-box"><div class="qs-boxhead"><h2 class="dg-h2">Difference per question</h2>'
        f'<span class="dg-note">{labels[0]} minus {labels[1]}</span></div>'
        f"{plots_html(part, pinned=means, opened=opened)}{legend}</div>"
    )


def _history(scope: Scope, part: Part) -> None:
    """The last evaluations in small, with what became of the questions since the pinned one."""
    gate, _, _ = gate_of(part)
    shown = (part.a.name, part.b.name)
    html = history_html(scope.runs, part.measure, gate=gate, height=96, most=6, of=shown, most_feet=4)
    if not html:
        return
    note = ""
    if (pinned := scope.pinned) is not None:
        then = result(scope.workspace, pinned)
        found = since(then, part.evaluation, configuration=part.b.name, measure=part.measure)
        note = f"<p class='qs-note'>Since {day(pinned.at)}: {found.words}.</p>" if found is not None else ""
    with st.container(key="qs-small-history", gap=None):
        st.html(f"{html}{note}")
        query = {"set": part.evaluation.name, "tab": "history"}
        navigation.link("query_sets", "All evaluations", query=query)


def _warnings(scope: Scope, evaluation: Evaluation) -> None:
    """What is to be known before the numbers are believed."""
    said = [changed_data(evaluation)] if changed_data(evaluation) else []
    if evaluation.unmatched:
        n = plural(len(evaluation.unmatched), "judged document")
        said.append(f"{n} {'is' if len(evaluation.unmatched) == 1 else 'are'} not stored, so counted as not found")
    shown, newest = scope.evaluation, scope.newest
    if shown is not None and newest is not None and shown.evaluation_id != newest.evaluation_id:
        said.append("this is not the newest evaluation")
    if shown is not None and shown.revision != scope.docgraph.workspace.revision:
        said.append("the data have changed since")
    if said:
        words = "; ".join(said)
        st.html(f'<p class="qs-note" role="status">{escape.html(words[:1].upper() + words[1:])}.</p>')


def _alone(evaluation: Evaluation) -> None:
    """One configuration, or costs alone: there is nothing to compare."""
    layout.empty(
        "Nothing to compare",
        "This evaluation needs two configurations and a measure of relevance.",
    )
    report_popover(evaluation)
    st.dataframe(pd.DataFrame([each.model_dump() for each in evaluation.figures]), hide_index=True)


def _not_asked(scope: Scope) -> None:
    """The questions as the set has them."""
    assert scope.chosen is not None
    with layout.guarded():
        stored = scope.docgraph.query_sets.get(scope.chosen.name)
        queries = stored.query_set.queries
        ready = "Evaluate asks every question without and with relationships, and saves each answer."
        layout.empty("Not evaluated yet", ready)
        shown = queries[:LISTED]
        rows = [
            {"question": q.query, "kind": q.kind, "half": q.half.replace("_", "-"), "relevant": len(q.relevant) or None}
            for q in shown
        ]
        st.dataframe(
            pd.DataFrame(rows).astype({"relevant": "Int64"}),
            hide_index=True,
            row_height=32,
            placeholder="--",
            alt="Questions of the set",
            column_config={
                "question": st.column_config.TextColumn("question", width="large"),
                "relevant": st.column_config.NumberColumn("relevant documents", width=140),
            },
        )
        if len(queries) > len(shown):
            st.html(f'<p class="dg-note">The first {len(shown):,} of {len(queries):,}.</p>')
