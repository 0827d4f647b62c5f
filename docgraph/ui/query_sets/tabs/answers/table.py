"""The questions as rows, most changed first; the open one says what was added and removed, and leads to Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.boundary.records import as_request
from docgraph.domain.baselines import BASELINES, TODAY, baseline_request
from docgraph.domain.comparison import Comparison
from docgraph.domain.evaluation import Change, Configuration, Outcome
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.parts.comparison import beside, with_edits
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.answers.inputs import QUESTION, put, value_of
from docgraph.ui.query_sets.tabs.row_keys import MORE_ROWS, moves, unfold, unfolded
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
from docgraph.views.relationships.edges.edit_link import EDITS, packed_edits
from docgraph.views.words.address import BASELINE, inputs_of, text_of
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.evaluation import difference_words, measure_title


def request_of(configuration: Configuration, query: str) -> RetrievalRequest:
    """The request of a configuration for one question. Raises RequestError."""
    return baseline_request(as_request({**configuration.fields, "query": query}), configuration.baseline or TODAY)


def requests(part: Part, query: str) -> tuple[RetrievalRequest, RetrievalRequest] | None:
    """Those of A and B; ``None`` where one of them is no request, or edits are on the wrong side to compare."""
    if part.a.source != "request" or part.b.source != "request" or part.a.edits:
        return None
    try:
        a, b = request_of(part.a, query), request_of(part.b, query)
    except DocgraphError:
        return None
    return None if part.b.edits and a != b else (a, b)


def compare_query(part: Part, query: str) -> Mapping[str, list[str]] | None:
    """What the address of the Compare page says for these two sides, in the workspace that is open.

    ``None`` where it cannot show them.
    """
    both = requests(part, query)
    if both is None:
        return None
    a, b = both
    found = inputs_of(b)
    if part.b.edits:
        try:
            return {**found, EDITS: [packed_edits(part.b.edits)]}
        except DocgraphError:
            return None
    named = next((name for name in BASELINES if name != TODAY and baseline_request(b, name) == a), None)
    return {**found, BASELINE: [named or text_of(a)]}


def compared(part: Part, outcome: Outcome, workspace: str) -> Comparison | None:
    """The comparison of the two plans that the evaluation made; ``None`` when today's are others."""
    both = requests(part, outcome.query)
    if both is None:
        return None
    try:
        if part.b.edits:
            made = with_edits(both[1], packed_edits(part.b.edits), workspace)
        else:
            made = beside(*(resources.run(each, workspace) for each in both))
    except DocgraphError:
        return None
    then = tuple(outcome.answers[each.name].plan_id for each in (part.a, part.b))
    return made if then == (made.a.run.plan.plan_id, made.b.run.plan.plan_id) else None


KIND_LETTERS = 60
TAB = "questions"
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


def question_table(scope: Scope, part: Part, found: Sequence[tuple[Outcome, float | None]]) -> None:
    """Draw head, rows and foot."""
    at = open_of(found)
    mine = unfolded(TAB, part.evaluation.query_set, part.b.name, part.measure, part.half, len(found))
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
                    _opened(scope, part, outcome)
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


def _opened(scope: Scope, part: Part, outcome: Outcome) -> None:
    assert scope.chosen is not None
    with layout.guarded():
        came, went = documents_between(part, outcome)
        ids = [*(came or ()), *(went or ())]
        titles = {name: each.title for name, each in scope.docgraph.documents.by_id(ids).items()} if ids else {}
        made = opened(
            part,
            outcome,
            grades=_grades(scope, outcome.query_id) if ids else {},
            titles=titles,
            comparison=compared(part, outcome, scope.workspace) if ids else None,
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


def _grades(scope: Scope, query_id: str) -> Mapping[str, int]:
    """What is judged of a question now: by its set, and by people."""
    assert scope.chosen is not None
    return _judged(scope.workspace, scope.chosen.name, scope.chosen.at).get(query_id, {})


@st.cache_resource(max_entries=8, ttl=5, show_spinner=False)
def _judged(workspace: str, name: str, at: str) -> Mapping[str, Mapping[str, int]]:
    """Question → its grades; read anew after seconds, so that going through the rows reads a large set once."""
    del at  # part of the key only
    queries = resources.docgraph(workspace).query_sets.get(name).query_set.queries
    return {each.query_id: each.grades for each in queries}


def _foot(part: Part, found: Sequence[tuple[Outcome, float | None]], at: int) -> None:
    counts, shown = counted(part), min(unfolded(TAB).shown, len(found))
    rest = [f"{counts[name]:,} {words}" for name, words in list(CHANGE_WORDS.items())[2:] if counts[name]]
    end = f", {' and '.join(rest)} at the end" if rest and len(found) == len(part.outcomes) else ""
    with st.container(key="qs-foot", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="dg-note">{n_of_m(shown, len(found))} shown{end}</span>')
        if shown < len(found):
            more = min(MORE_ROWS, len(found) - shown)
            st.button(
                f"Show {plural(more, 'more question')}", key="qs-more", type="tertiary", on_click=unfold, args=(TAB,)
            )
        with st.container(key="qs-moves", horizontal=True, vertical_alignment="center", gap="small"):
            moves(len(found), at, id_of=lambda place: found[place][0].query_id, row=QUESTION, key="qs")
            st.html('<span class="dg-note"><kbd>Enter</kbd> Compare</span>')
