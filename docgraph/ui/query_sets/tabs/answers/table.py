"""The questions as rows, most changed first; the open one says what left and why, and leads to Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.domain.evaluation import Change, Outcome
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.query_sets.desk import Desk
from docgraph.ui.query_sets.tabs.answers.drill_down import compare_query, compared
from docgraph.ui.query_sets.tabs.answers.inputs import FIRST_ROWS, MORE_ROWS, QUESTION, memory, put, value_of
from docgraph.ui.query_sets.tabs.walking import moves
from docgraph.views.query_sets.opened import more_words, opened
from docgraph.views.query_sets.part import (
    Part,
    Row,
    bar,
    counted,
    documents_between,
    read_words,
    row_of,
    signed,
    value_words,
)
from docgraph.views.query_sets.verdict import CHANGE_WORDS
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.evaluation import difference_words, measure_title

KIND_LETTERS = 60
KEYS = {"j": "qs-next", "k": "qs-before", "Enter": "qs-compare"}
_SIGNS: dict[Change, tuple[layout.Glyph, str]] = {
    "improved": ("up", "improved"),
    "worse": ("down", "got worse"),
    "equal": ("kept", "equal"),
    "failed": ("cross", "no answer"),
}


def open_of(found: Sequence[tuple[Outcome, float | None]]) -> int:
    """The place of the row that stands open: the one that the address names, else the first."""
    asked = value_of(QUESTION)
    return next((place for place, (outcome, _) in enumerate(found) if outcome.query_id == asked), 0)


def question_table(desk: Desk, part: Part, found: Sequence[tuple[Outcome, float | None]]) -> None:
    """Draw head, rows and foot."""
    at, mine = open_of(found), memory()
    stamp = (part.evaluation.query_set, part.b.name, part.measure, part.half, len(found))
    if mine.of != stamp:
        mine.of, mine.shown = stamp, FIRST_ROWS
    mine.shown = max(mine.shown, at + 1)
    with st.container(key="qs-table", gap=None):
        st.html(_head_html(part))
        if not found:
            st.html('<p class="qs-none">No question matches the filter.</p>')
        for place, (outcome, _) in enumerate(found[: mine.shown]):
            row = row_of(part, outcome)
            with st.container(key=f"qs-row-{place}{'-open' if place == at else ''}", gap=None):
                st.html(_row_html(row, part, is_open=place == at))
                st.button(
                    escape.label(row.query, limit=200),
                    key=f"qs-open-{place}",
                    on_click=put,
                    args=(QUESTION, row.query_id),
                )
                if place == at:
                    _opened(desk, part, outcome)
        _foot(part, found, at)
    shortcuts(KEYS, key="qs-keys")


def _head_html(part: Part) -> str:
    slices = [each for each in part.evaluation.slices if each.by == "kind"] if part.half is None else []
    pills = ""
    for each in slices:
        mean = next((d.mean for d in each.differences if (d.b, d.measure) == (part.b.name, part.measure)), None)
        name = escape.html(escape.shorten(each.name or "no kind", KIND_LETTERS))
        pills += (
            f"<span class='qs-kind'><span>{name} {each.n:,}</span> <b>{difference_words(mean, part.measure)}</b></span>"
        )
    by = f"<span class='dg-note'>{escape.html(measure_title(part.measure))} by kind</span>" if pills else ""
    heads = (
        *("", "Question", "Kind", f"{layout.glyph('added')}In", f"{layout.glyph('left')}Out", "Relevant found"),
        *("", escape.html(measure_title(part.measure)), "Tokens", ""),
    )
    cells = "".join(f"<span>{each}</span>" for each in heads)
    return (
        f'<div class="qs-tablehead"><h2 class="dg-h2">Most changed first</h2><div tabindex="0" role="region" '
        f'aria-label="Kinds">{by}{pills}</div></div><div class="qs-row qs-rowhead">{cells}</div>'
    )


def _row_html(row: Row, part: Part, *, is_open: bool) -> str:
    sign, said = _SIGNS.get(row.change, ("kept", ""))
    mark = f"<span class='qs-{row.change}'>{layout.glyph(sign, said)}</span>" if said else "<span>--</span>"
    look, long = bar(row)
    side = "left" if row.change == "worse" else "right"
    drawn = f"<i class='qs-bar'><b class='qs-{look} qs-bar-{side}' style='width:{long * 50:.1f}%'></b></i>"
    cells = (
        mark,
        f"<span class='qs-q' title='{escape.html(row.query)}'>{escape.html(row.query)}</span>",
        f"<span title='{escape.html(row.kind)}'>{escape.html(escape.shorten(row.kind, KIND_LETTERS))}</span>",
        f"<span>{signed(row.came, '+')}</span>",
        f"<span>{signed(row.went, '−')}</span>",
        f"<span>{read_words(row)}</span>",
        drawn,
        f"<b>{value_words(row, part)}</b>",
        f"<span>{difference_words(row.tokens, 'tokens')}</span>",
        layout.glyph("chevron"),
    )
    return f'<div class="qs-row{" qs-row-open" if is_open else ""}">{"".join(cells)}</div>'


def _opened(desk: Desk, part: Part, outcome: Outcome) -> None:
    assert desk.chosen is not None
    with layout.guarded():
        came, went = documents_between(part, outcome)
        ids = [*(came or ()), *(went or ())]
        titles = {name: each.title for name, each in desk.docgraph.documents.by_id(ids).items()} if ids else {}
        made = opened(
            part,
            outcome,
            grades=_grades(desk, outcome.query_id) if ids else {},
            titles=titles,
            comparison=compared(part, outcome, desk.workspace) if ids else None,
        )
        lines = "".join(
            f"<p>{layout.glyph(line.sign, 'removed' if line.sign == 'left' else 'added')}"
            f"<b>{escape.html(escape.shorten(line.document_id, 60))}</b> "
            f"<span>{escape.html(escape.shorten(line.title, 80))}</span> <em>{escape.html(line.words)}</em></p>"
            for line in made.lines
        )
        more = f"<p class='qs-note'>{more_words(made.more)}</p>" if made.more else ""
        note = f"<p class='qs-note'>{escape.html(escape.shorten(made.note, 300))}</p>" if made.note else ""
        with st.container(key="qs-opened", horizontal=True, vertical_alignment="bottom", gap="small"):
            st.html(f'<div class="qs-why">{lines}{more}{note}</div>')
            query = compare_query(part, outcome.query)
            help = None if query is not None else "Open both requests in Compare, with changes on side B"
            if st.button("Open in Compare", key="qs-compare", type="primary", disabled=query is None, help=help):
                navigation.go_to("compare", query)


def _grades(desk: Desk, query_id: str) -> Mapping[str, int]:
    """What is judged of a question now: by its set, and by people."""
    assert desk.chosen is not None
    return _judged(desk.workspace, desk.chosen.name, desk.chosen.at).get(query_id, {})


@st.cache_resource(max_entries=8, ttl=5, show_spinner=False)
def _judged(workspace: str, name: str, at: str) -> Mapping[str, Mapping[str, int]]:
    """Question → its grades; read anew after seconds, so that going through the rows reads a large set once."""
    del at  # part of the key only
    queries = resources.docgraph(workspace).query_sets.get(name).query_set.queries
    return {each.query_id: each.grades for each in queries}


def _foot(part: Part, found: Sequence[tuple[Outcome, float | None]], at: int) -> None:
    counts, shown = counted(part), min(memory().shown, len(found))
    rest = [f"{counts[name]:,} {words}" for name, words in list(CHANGE_WORDS.items())[2:] if counts[name]]
    end = f", {' and '.join(rest)} at the end" if rest and len(found) == len(part.outcomes) else ""
    with st.container(key="qs-foot", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="dg-note">{n_of_m(shown, len(found))} shown{end}</span>')
        if shown < len(found):
            more = min(MORE_ROWS, len(found) - shown)
            st.button(f"Show {plural(more, 'more question')}", key="qs-more", type="tertiary", on_click=_more)
        with st.container(key="qs-moves", horizontal=True, vertical_alignment="center", gap="small"):
            moves(len(found), at, id_of=lambda place: found[place][0].query_id, row=QUESTION, key="qs")
            st.html('<span class="dg-note"><kbd>Enter</kbd> Compare</span>')


def _more() -> None:
    memory().shown += MORE_ROWS
