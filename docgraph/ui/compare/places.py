"""The right panel: what was added and removed, the limit behind it, one remedy for each, and the figures."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.comparison import ChunkChange, Comparison
from docgraph.domain.run import Run
from docgraph.errors import DocgraphError
from docgraph.ui.compare import state
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.views.compare.figures import ToJudge, judged_number, numbers, to_judge
from docgraph.views.compare.remedies import LeftLine, left_lines
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import BASE, BASELINE, TAB, inputs_of, packed, text_of
from docgraph.views.words.changes import chunk_name
from docgraph.views.words.counts import plural, score
from docgraph.views.words.glossary import definition
from docgraph.views.words.judgments import Judged, JudgedTag, tag_of
from docgraph.views.words.sides import side_name


def judged_tile(comparison: Comparison, judged: Judged | None) -> None:
    """``nDCG@6``, its value on both sides, and what is judged; ``--`` with what is to be judged."""
    number = judged_number(comparison, judged)
    missing = to_judge(comparison, judged, only_a=EDITS in st.query_params)
    run = comparison.a.run if missing is not None and missing.side == "a" else comparison.b.run
    linked = missing is not None and _may_judge(run)
    note = "" if linked else f"<span>{escape.html(number.note)}</span>"
    with st.container(key="cp_judged", gap=None):
        st.html(
            f'<dl class="cp-numbers"><div><dt>{escape.html(number.title)}</dt>'
            f"<dd><b>{escape.html(number.value)}</b>{note}</dd></div></dl>"
        )
        if linked and missing is not None:
            _link(run, missing, missing.words)


def _link(run: Run, missing: ToJudge, label: str) -> None:
    said = f"{missing.words[:1].upper()}{missing.words[1:]} of {missing.side.upper()} on the Plan page, under Evidence"
    inputs = {**inputs_of(run.request), BASE: [text_of(run.request)], TAB: ["Evidence"]}
    query = packed(inputs, run.plan.workspace)
    navigation.link("plan", label, query=query, help=said)


def _may_judge(run: Run) -> bool:
    """Whether the workspace of the run is still there, and may be written to."""
    try:
        return resources.docgraph(run.plan.workspace).may_write()
    except DocgraphError:
        return False


MAX_LINES = 4
"""Rows of each kind until the rest is counted, with the way to all of them."""


def places_panel(comparison: Comparison, workspace: str, *, baseline: str, judged: Judged | None) -> None:
    """Changes alone: what keeps its place is one row; every chunk stands in the fold *Chunks*."""
    came, left = comparison.chunks_with("added"), comparison.chunks_with("left")
    with st.container(key="cp_places", border=True, gap=None):
        with st.container(key="cp_placeshead", horizontal=True, vertical_alignment="center", gap="small"):
            n, m = len(came) + len(left), len(comparison.chunks)
            note = f'<span class="dg-note">{n:,} of {m:,} passages changed</span>'
            st.html(f'<h2 class="dg-h2" title="{definition("context")}">Positions in the context{note}</h2>')
            st.button(f"All {m:,}", key="cp_all", type="tertiary", on_click=state.open_fold, args=("chunks",))
        with st.container(key="cp_rows", gap=None):
            st.html(_head(comparison) + _kept(comparison) + _came(comparison, came) + _line(comparison, left))
            _left(comparison, workspace, baseline=baseline)
        st.html(f'<p class="cp-rule">{escape.html(_rule(comparison))}</p>')
        with st.container(key="cp_tiles", horizontal=True, gap=None):
            st.html(_numbers_html(comparison))
            judged_tile(comparison, judged)


def _head(comparison: Comparison) -> str:
    a, b = ("Without", "With") if comparison.by_relationships else ("A", "B")
    names = [escape.html(side_name(side)) for side in (comparison.a, comparison.b)]
    said = "passage" if comparison.by_relationships else f"A = {names[0]}, B = {names[1]}"
    return (
        f'<div class="cp-place cp-placehead"><b>{a}</b><i></i><b>{b}</b><i></i><span title="{said}">{said}</span>'
        f"<em>{'score (same in both)' if comparison.by_relationships else 'score'}</em></div>"
    )


def _kept(comparison: Comparison) -> str:
    kept = comparison.chunks_with("kept")
    if not kept:
        return ""
    moved = sum(c.moved("document") != 0 for c in kept)
    places = [(c.place_a or 0, c.place_b or 0) for c in kept]
    a, b = (_range(sorted(pair[i] for pair in places)) for i in (0, 1))
    said = f"{plural(len(kept), 'passage')} unchanged"
    if moved:
        said = f"{plural(len(kept), 'passage')} with the same score, {moved:,} at another position"
    return (
        f'<div class="cp-place"><u>{a}</u>{_track("sheaf")}<u>{b}</u><i></i><span>{escape.html(said)}</span>'
        "<em></em></div>"
    )


def _range(places: Sequence[int]) -> str:
    """``1–8`` for places without a gap, else their number."""
    if places[-1] - places[0] + 1 != len(places):
        return f"{len(places):,}×"
    return f"{places[0]}–{places[-1]}" if len(places) > 1 else str(places[0])


def _came(comparison: Comparison, came: Sequence[ChunkChange]) -> str:
    rows = [
        f'<div class="cp-place cp-came"><u></u>{_track("came")}<u>{chunk.place_b}</u>{layout.glyph("added", "added")}'
        f'<span><span class="cp-name"><b>{escape.html(name[0])}</b>'
        f"{tag_html(tag_of(comparison, chunk.document_id))}</span>"
        f"<small>{escape.html(name[1])}</small></span><em>{score(chunk.score)}</em></div>"
        for chunk in came[:MAX_LINES]
        for name in [chunk_name(chunk)]
    ]
    more = len(came) - MAX_LINES
    return "".join(rows) + (f'<p class="cp-andmore">and {more:,} more added</p>' if more > 0 else "")


def _line(comparison: Comparison, left: Sequence[ChunkChange]) -> str:
    limit = comparison.b.run.plan.constraints.max_chunks
    full = comparison.b.run.context.n_chunks >= limit
    return f'<div class="cp-limit"><span>{f"limit: {limit:,}" if full else "removed"}</span></div>' if left else ""


def _left(comparison: Comparison, workspace: str, *, baseline: str) -> None:
    lines, n = left_lines(comparison), len(comparison.chunks_with("left"))
    against = {EDITS: [st.query_params[EDITS]]} if EDITS in st.query_params else {BASELINE: [baseline]}
    for i, line in enumerate(lines[:MAX_LINES]):
        with st.container(key=f"cp-left-{i}", gap=None):
            st.html(_gone(comparison, line))
            if line.remedy is not None:
                label, request = line.remedy
                navigation.link("compare", label, query={**inputs_of(request, workspace), **against})
    if len(lines) > MAX_LINES:
        st.button(
            f"{len(lines) - MAX_LINES:,} more: show all {n:,} removed",
            key="cp_left_all",
            type="tertiary",
            on_click=state.use_filter,
            args=(comparison, "left"),
        )


def _gone(comparison: Comparison, line: LeftLine) -> str:
    return (
        f'<div class="cp-place cp-gone"><u>{line.place}</u>{_track("left")}<u>–</u>{layout.glyph("left", "removed")}'
        f'<span><span class="cp-name"><span>{escape.html(line.document)}</span>'
        f"{tag_html(tag_of(comparison, line.document_id))}</span>"
        f"<small>{escape.html(line.brief)}</small></span><em>{line.score}</em></div>"
    )


def tag_html(tag: JudgedTag) -> str:
    """A judgment beside a name: green or red, drawn and said."""
    words = {"relevant": "relevant", "gained": "relevant", "lost": "relevant, lost", "missing": "relevant, not read"}
    if not tag:
        return ""
    sign: layout.Glyph = "check" if tag == "relevant" else "up" if tag == "gained" else "down"
    return f'<span class="cp-tag cp-tag-{tag}">{layout.glyph(sign)}{words[tag]}</span>'


def _track(name: str) -> str:
    """The way of a chunk from its place without to its place with; the style sheet draws it."""
    return f'<i class="cp-track cp-track-{name}"></i>'


def _rule(comparison: Comparison) -> str:
    if comparison.score_drift is None:
        return "No passage is in both runs, so no score can be compared."
    return "Relationships change which documents are read, never a score." if comparison.by_relationships else ""


def _numbers_html(comparison: Comparison) -> str:
    cells = "".join(
        f"<div><dt>{escape.html(n.title)}</dt><dd><b>{escape.html(n.value)}</b><span>{escape.html(n.note)}</span></dd></div>"
        for n in numbers(comparison)
    )
    return f'<dl class="cp-numbers">{cells}</dl>'
