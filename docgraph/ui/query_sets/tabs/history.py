"""The evaluations over time as lines, and as rows to compare, pin, resume and delete."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.ui.frame import assets, escape, layout, navigation
from docgraph.ui.frame.state import guarded_click
from docgraph.ui.query_sets.evaluating import asking, begin
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.answers.inputs import BY, GATE, put, take, value_of
from docgraph.ui.query_sets.tabs.row_keys import choice
from docgraph.views.query_sets.history import change_words, chart_html, data_words, labels, look, points
from docgraph.views.words.counts import UNKNOWN, n_of_m, plural
from docgraph.views.words.evaluation import difference_words, interval_words, mean_words, measure_title
from docgraph.views.words.moments import moment, person, revision


def history_html(
    runs: Sequence[KeptEvaluation],
    measure: str,
    *,
    gate: str,
    height: int,
    most: int,
    of: Collection[str] = (),
    most_feet: int = 8,
) -> str:
    """Head, lines and feet; empty while no whole evaluation has the measure. ``gate`` as the address names it.

    ``of`` = the configurations that are drawn; without them all.
    """
    drawn = points(runs, measure, most=most)
    names = {name: label for name, label in labels(runs, measure).items() if not of or name in of}
    if not drawn:
        return ""
    chart = chart_html(drawn, names, measure=measure, height=height, gate=_minimum(gate, measure), most_feet=most_feet)
    legend = "".join(
        f'<span><i class="qs-key qs-line-{look(place)}"><i class="qs-point qs-line-{look(place)}"></i></i>'
        f"{escape.html(escape.shorten(label, 24))}</span>"
        for place, label in enumerate(names.values())
    )
    n_open = sum(not each.whole for each in runs)
    rest = f'<p class="qs-note">{plural(n_open, "unfinished evaluation")} not shown.</p>' if n_open else ""
    return (
        f'<div class="qs-boxhead"><h2 class="dg-h2">History, {escape.html(measure_title(measure))}</h2>'
        f'<p class="qs-keys">{legend}</p></div>{chart}{rest}'
    )


def _minimum(gate: str, measure: str) -> float | None:
    """The height of the gate, where it is one of this measure."""
    named, _, number = gate.rpartition("=")
    try:
        return float(number) if named.rpartition(":")[2] == measure else None
    except ValueError:
        return None


_BY_KEY, MOST = "qs-history-by", 24
"""Evaluations that are drawn; all are listed."""


def draw(scope: Scope) -> None:
    """Draw the lines and the list."""
    assets.style(__file__, "questions.css")
    if not scope.runs:
        layout.empty("No evaluations yet", "Evaluate the set. Every evaluation is saved here.")
        return
    measures = list(dict.fromkeys(name for each in scope.runs for name in each.measures))
    asked = value_of(BY)
    measure = asked if asked in measures else measures[0]
    with st.container(key="qs-history-by-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<span class="dg-note">Measure</span>')
        looks = {each: measure_title(each) for each in measures}
        choice(st.selectbox, "Measure", looks, name=BY, key=_BY_KEY, now=measure, take=take, width=160)
    html = history_html(scope.runs, measure, gate=value_of(GATE), height=180, most=MOST)
    if html:
        st.html(f'<div class="qs-box qs-wide">{html}</div>')
    with st.container(key="qs-runs", gap=None):
        st.html(_head_html(measure))
        for place, run in enumerate(scope.runs):
            earlier = scope.runs[place + 1] if place + 1 < len(scope.runs) else None
            _row(scope, run, earlier, measure)


_HEADS = ("Asked", "Questions", "Data", "Since the one before", "A → B", "Difference, 95 %")


def _head_html(measure: str) -> str:
    cells = "".join(f"<span>{name}</span>" for name in _HEADS)
    return (
        f'<div class="qs-tablehead"><h2 class="dg-h2">Evaluations</h2><span class="dg-note">'
        f'{escape.html(measure_title(measure))}</span></div><div class="qs-run qs-rowhead">{cells}</div>'
    )


def _row(scope: Scope, run: KeptEvaluation, earlier: KeptEvaluation | None, measure: str) -> None:
    with st.container(key=f"qs-run-{run.evaluation_id}", horizontal=True, vertical_alignment="center", gap=None):
        st.html(_row_html(run, earlier, measure))
        with st.container(key=f"qs-acts-{run.evaluation_id}", horizontal=True, gap="small"):
            query = {"set": run.query_set, "evaluation": run.evaluation_id}
            if run.n:
                navigation.link("query_sets", "Show", query=query)
            if scope.may_write:
                _acts(scope, run)


def _row_html(run: KeptEvaluation, earlier: KeptEvaluation | None, measure: str) -> str:
    means = {each.configuration: each.mean for each in run.figures if each.measure == measure}
    first, last = run.configurations[0], run.configurations[-1]
    found = next((each for each in run.differences if (each.b, each.measure) == (last.name, measure)), None)
    sides = f"{mean_words(means.get(first.name), measure)} → {mean_words(means.get(last.name), measure)}"
    sure = f"<small>{interval_words(found)}</small>" if found is not None and found.low is not None else ""
    gained = difference_words(None if found is None else found.mean, measure)
    pin = f'<span class="qs-pin">{layout.glyph("pin", "pinned")}</span>' if run.pinned else ""
    note = f"<small>{escape.html(escape.shorten(run.note, 80))}</small>" if run.note else ""
    labels = escape.html(escape.shorten(f"{first.label} → {last.label}", 60))
    changed = change_words(earlier, run) if earlier is not None else UNKNOWN
    asked = n_of_m(run.n, run.n_asked) if run.whole else f"{run.n:,} of {run.n_asked:,}, unfinished"
    cells = (
        f"{pin}{escape.html(moment(run.at))}<small>by {escape.html(person(run.by))}</small>{note}",
        asked,
        f"{data_words(run)}<small>rev <code>{revision(run.revision)}</code></small>",
        escape.html(changed),
        f"<b>{sides}</b><small>{labels}</small>",
        f"<b>{gained}</b>{sure}",
    )
    return f'<div class="qs-run">{"".join(f"<span>{each}</span>" for each in cells)}</div>'


def _acts(scope: Scope, run: KeptEvaluation) -> None:
    busy = asking(scope) is not None
    if not run.whole and not busy and all(each.source == "request" for each in run.configurations):
        st.button("Resume", key=f"qs-resume-{run.evaluation_id}", type="tertiary", on_click=begin, args=(scope, run))
    if run.whole:
        label = "Unpin" if run.pinned else "Pin"
        st.button(label, key=f"qs-pin-{run.evaluation_id}", type="tertiary", on_click=_pin, args=(scope, run))
    is_asked = busy and scope.newest is not None and run.evaluation_id == scope.newest.evaluation_id
    with st.popover("Remove", key=f"qs-removing-{run.evaluation_id}", type="tertiary", disabled=is_asked):
        st.html('<p class="dg-note">This deletes its answers. The questions and judgments stay.</p>')
        st.button("Delete evaluation", key=f"qs-remove-{run.evaluation_id}", on_click=_remove, args=(scope, run))


def _pin(scope: Scope, run: KeptEvaluation) -> None:
    guarded_click(scope.docgraph.query_sets.pin, run.evaluation_id, not run.pinned)


def _remove(scope: Scope, run: KeptEvaluation) -> None:
    if guarded_click(scope.docgraph.query_sets.remove_run, run.evaluation_id):
        put("evaluation", "")
