"""The one list: filters, and a row for each saved question with a link over it that opens it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.chosen import put
from docgraph.ui.parts.runs.data import rows
from docgraph.ui.query_sets.listing import question_outcomes
from docgraph.views.query_sets.saved import NO_SET, ONLY, QuestionOutcome, QuestionRow, filtered
from docgraph.views.words.address import QUERY
from docgraph.views.words.counts import UNKNOWN, n_of_m, plural

FIND, IN_SET, ONLY_KIND, EVERYWHERE = "find", "in", "only", "everywhere"
INPUTS = (FIND, IN_SET, ONLY_KIND, EVERYWHERE)
PAGE_ROWS = 50
"""Rows that are drawn at first, and more with each *Show more*."""

_DRAWN = "docgraph.questions.drawn"
_IN_SET, _ONLY = "qn-in-set", "qn-only"
_SIGNS: Mapping[int, tuple[layout.Glyph, str, str]] = {
    1: ("up", "more relevant documents are found", "qn-better"),
    -1: ("down", "fewer relevant documents are found", "qn-worse"),
    0: ("kept", "", "qn-equal"),
}


def filters(sets: Sequence[QuerySetSummary]) -> Callable[[Sequence[QuestionRow]], tuple[QuestionRow, ...]]:
    """Draw text, set and kind; returns what keeps the rows that pass."""
    with st.container(key="qn-filters", horizontal=True, vertical_alignment="center", gap="small"):
        text = st.text_input(
            "Search questions",
            key=FIND,
            bind="query-params",
            placeholder="Part of a question, name, note or id",
            label_visibility="collapsed",
            max_chars=200,
            width=300,
        )
        in_set = _in_set(sets) if sets else ""
        only = _only()
        if len(resources.workspaces()) > 1:
            st.checkbox("All workspaces", key=EVERYWHERE, bind="query-params")
    found = [row.run_id for row in rows(text, everywhere=everywhere())] if text else []
    return lambda every: filtered(every, text=text or "", found=found, in_set=in_set, only=only)


def everywhere() -> bool:
    """Whether what other workspaces saved is listed, too."""
    asked = str(st.query_params.get(EVERYWHERE, "")).lower() == "true"
    return bool(st.session_state.get(EVERYWHERE, asked))


def _in_set(sets: Sequence[QuerySetSummary]) -> str:
    names = ["", *(each.name for each in sets), NO_SET]
    asked = st.query_params.get(IN_SET, "")
    st.session_state[_IN_SET] = asked if asked in names else ""
    words = {"": "All sets", NO_SET: "In no set"}
    return str(
        st.selectbox(
            "Set",
            names,
            key=_IN_SET,
            format_func=lambda name: words.get(name) or escape.shorten(name, 60),
            label_visibility="collapsed",
            width=200,
            on_change=_take,
            args=(IN_SET, _IN_SET, ""),
        )
        or ""
    )


def _only() -> str:
    asked = st.query_params.get(ONLY_KIND, "all")
    st.session_state[_ONLY] = asked if asked in ONLY else "all"
    return str(
        st.segmented_control(
            "Show",
            list(ONLY),
            key=_ONLY,
            required=True,
            format_func=lambda name: ONLY[str(name)],
            label_visibility="collapsed",
            on_change=_take,
            args=(ONLY_KIND, _ONLY, "all"),
        )
        or "all"
    )


def _take(name: str, key: str, default: str) -> None:
    """Write what a widget says into the address (in a callback)."""
    put(name, str(st.session_state.get(key) or ""), default)


def question_list(found: Sequence[QuestionRow], *, n: int, shown: str | None) -> None:
    """Draw the rows; ``n`` = how many there are without a filter, ``shown`` = the question that is open beside them."""
    drawn = found[: int(st.session_state.get(_DRAWN, PAGE_ROWS))]
    if not found:
        layout.empty("No question matches the filter", f"{plural(n, 'question')} without the filter.")
        st.button("Show all questions", key="docgraph.questions.show_all", on_click=_forget_filters, type="primary")
        return
    outcomes = question_outcomes(drawn, resources.current_workspace().name)
    with st.container(key="qn-list", gap=None):
        st.html(HEAD)
        for place, row in enumerate(drawn):
            _row(row, place, outcomes, shown=row.query == shown)
    if len(drawn) < len(found):
        label = f"{n_of_m(len(drawn), len(found))}: show more"
        st.button(label, key="docgraph.questions.more", on_click=_show_more, type="tertiary")


def _show_more() -> None:
    st.session_state[_DRAWN] = int(st.session_state.get(_DRAWN, PAGE_ROWS)) + PAGE_ROWS


def _forget_filters() -> None:
    st.session_state[FIND] = ""
    for name in (IN_SET, ONLY_KIND):
        st.query_params.pop(name, None)


HEAD = (
    '<div class="qn-row qn-headrow" aria-hidden="true"><span>Question</span><span>Sets</span><span>Saved</span>'
    "<span>Judged</span><span>With relationships</span><span></span></div>"
)


def _row(row: QuestionRow, place: int, outcomes: Mapping[str, QuestionOutcome | None], *, shown: bool) -> None:
    with st.container(key=f"qn-row-{place}{'-shown' if shown else ''}", gap=None):
        st.html(cells(row, outcome=outcomes.get(row.query), counting=row.query not in outcomes))
        query = {QUERY: row.query} if not row.workspace else {"run": row.runs[0].run_id, EVERYWHERE: "true"}
        kept = {name: str(st.query_params[name]) for name in INPUTS if name in st.query_params}
        navigation.link("query_sets", f"Open {escape.label(row.query, limit=120)}", query={**kept, **query})


def cells(row: QuestionRow, *, outcome: QuestionOutcome | None, counting: bool = False) -> str:
    """HTML of one row; ``counting`` = its outcome is on the way."""
    sets = ", ".join(row.sets) or UNKNOWN
    where = f"<small>{escape.html(row.workspace)}</small>" if row.workspace else ""
    saved = layout.glyph("pin", "pinned") if any(run.pinned for run in row.runs) else ""
    result = '<i class="qn-muted">counting</i>' if counting and not row.workspace else outcome_html(outcome)
    return (
        f'<div class="qn-row"><span class="qn-q" title="{escape.html(escape.shorten(row.query, 400))}">'
        f"{escape.html(escape.shorten(row.query, 300))}{where}</span>"
        f'<span class="qn-sets" title="{escape.html(sets)}">{escape.html(escape.shorten(sets, 80))}</span>'
        f'<span class="qn-saved{"" if row.runs else " qn-none"}">{saved}{escape.html(row.saved_words)}</span>'
        f'<span class="qn-judged{"" if row.n_judged else " qn-none"}">{escape.html(row.judged_words)}</span>'
        f'<span class="qn-result">{result}</span>{layout.glyph("chevron")}</div>'
    )


def outcome_html(outcome: QuestionOutcome | None) -> str:
    """``▲ 2 → 3 of 3 2 in, 1 out``."""
    if outcome is None:
        return UNKNOWN
    sign, said, look = _SIGNS[outcome.better]
    mark = f'<span class="{look}">{layout.glyph(sign, said)}</span>' if outcome.n_relevant or outcome.same else ""
    rest = f"<small>{escape.html(outcome.rest)}</small>" if outcome.rest else ""
    return f"{mark}<b>{escape.html(outcome.value)}</b>{rest}"
