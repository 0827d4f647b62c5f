"""Relationships as rows under their classes, or types and extractors, and what can be done with the chosen one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.boundary.records import as_request
from docgraph.domain.overrides import EdgeKey, edge_text
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.scoreboard import EdgeScore, Scoreboard
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.row_keys import MORE_ROWS, moves, unfold, unfolded
from docgraph.ui.query_sets.tabs.scoring.inputs import (
    CLASS,
    EDGE,
    asked_class,
    asked_edge,
    asked_group,
    asked_order,
    put,
)
from docgraph.ui.query_sets.tabs.scoring.work import Scoring
from docgraph.views.query_sets.edges import CLASS_TITLES, GROUPS, Cells, Section, cells, class_words, row_id, sections
from docgraph.views.words.address import BASE, BASELINE, inputs_of, text_of
from docgraph.views.words.counts import n_of_m, plural

LISTED = 50
"""Questions of one relationship that are listed."""


def edge_acts(job: Scoring, row: EdgeScore, titles: Mapping[str, str]) -> None:
    """Draw the buttons of the chosen row."""
    if row.key is None:
        st.html(f'<b class="qe-named">{escape.html(escape.shorten(row.name or "not said", 60))}</b>')
        return
    start, _, end = row.key
    named = " → ".join(escape.html(escape.shorten(each, 28)) for each in (start, end))
    st.html(f'<b class="qe-named">{named}</b>')
    if row.queries:
        _questions(job, row, row.key)
        first = _request(job, row.queries[0], without=row.key)
        base = _request(job, row.queries[0])
        if first is not None and base is not None:
            query = {**inputs_of(first), BASE: [text_of(base)]}
            navigation.link("plan", "Try without it", query=query, help="For the first of its questions")
    navigation.link("relationships", "Open in Relationships", query={"tab": "edges", "edge": edge_text(row.key)})


def _questions(job: Scoring, row: EdgeScore, key: EdgeKey) -> None:
    n = len(row.queries)
    opened = st.popover(
        "Its question" if n == 1 else f"Its {n:,} questions", key="qe-questions", on_change="rerun", width="content"
    )
    if not opened.open:
        return
    with opened:
        st.html('<p class="dg-note">Each opens in Compare, with and without this relationship.</p>')
        for query_id in row.queries[:LISTED]:
            a, b = _request(job, query_id, without=key), _request(job, query_id)
            if a is not None and b is not None:
                query = {**inputs_of(b), BASELINE: [text_of(a)]}
                navigation.link("compare", escape.label(job.queries[query_id], limit=120), query=query)
        if n > LISTED:
            st.html(f'<p class="dg-note">The first {LISTED} of {plural(n, "question")}.</p>')


def _request(job: Scoring, query_id: str, *, without: EdgeKey | None = None) -> RetrievalRequest | None:
    """The request that was scored, for one question; ``None`` where it cannot be."""
    fields = {**job.fields, "query": job.queries.get(query_id, "")}
    if without is not None:
        fields["overrides"] = {"without_edges": [without]}
    try:
        return as_request(fields)
    except DocgraphError:
        return None


TAB = "edges"
KEYS = {"j": "qe-next", "k": "qe-before"}
_HEADS = ("Passages added", "Best score", "Tokens used", "Displaced", "Judged good / bad")


def edge_table(scope: Scope, job: Scoring, board: Scoreboard) -> None:
    """Draw heads, rows and foot."""
    group, edge_class, order = asked_group(), asked_class(), asked_order()
    mine = unfolded(TAB, group, edge_class, order, board.name)
    found = sections(board, group=group, edge_class=edge_class, order=order, most=mine.shown)
    rows = [row for each in found for row in each.rows]
    at = next((place for place, row in enumerate(rows) if row_id(row) == asked_edge()), 0)
    titles = _titles(scope, rows)
    with st.container(key="qe-table", gap=None):
        st.html(_head_html(board, group))
        if not rows:
            st.html('<p class="qe-none">No relationship is in this class.</p>')
        place = 0
        for each in found:
            _section_head(each, board)
            for row in each.rows:
                _row(row, board, titles=titles, place=place, is_open=place == at)
                place += 1
        _foot(scope, job, rows=rows, at=at, titles=titles)
        _more(found)
    shortcuts(KEYS, key="qe-keys")


def _titles(scope: Scope, rows: Sequence[EdgeScore]) -> Mapping[str, str]:
    ids = dict.fromkeys(end for row in rows if row.key is not None for end in (row.key[0], row.key[2]))
    return {name: each.title for name, each in scope.docgraph.documents.by_id(list(ids)).items()} if ids else {}


def _head_html(board: Scoreboard, group: str) -> str:
    heads = "".join(f"<span>{each}</span>" for each in (f"Used in, of {board.n:,}", *_HEADS))
    name = {"edges": "Relationship", "types": "Type", "extractors": "Extractor"}[group]
    last = "Without it (judged only)" if group == "edges" else ""
    return f'<div class="qe-row qe-rowhead"><span>{name}</span>{heads}<span>{last}</span></div>'


def _section_head(each: Section, board: Scoreboard) -> None:
    if each.edge_class is None:
        return
    with st.container(key=f"qe-class-{each.edge_class}", horizontal=True, vertical_alignment="center", gap="small"):
        words = class_words(each.edge_class, board)
        st.html(
            f'<p class="qe-class"><i class="qe-sign qe-{each.edge_class}"></i><b>{CLASS_TITLES[each.edge_class]}</b>'
            f"<span>{words}</span></p>"
        )
        left = each.n - len(each.rows)
        if left and not asked_class():
            st.button(
                f"{left:,} more",
                key=f"qe-all-{each.edge_class}",
                type="tertiary",
                on_click=put,
                args=(CLASS, each.edge_class),
            )


def _row(row: EdgeScore, board: Scoreboard, *, titles: Mapping[str, str], place: int, is_open: bool) -> None:
    with st.container(key=f"qe-row-{place}{'-open' if is_open else ''}", gap=None):
        st.html(row_html(row, board, titles=titles))
        label = escape.label(" ".join(row.key) if row.key else row.name or "no name", limit=200)
        st.button(label, key=f"qe-pick-{place}", on_click=put, args=(EDGE, row_id(row)))


def row_html(row: EdgeScore, board: Scoreboard, *, titles: Mapping[str, str]) -> str:
    """One row; a group has no relationship to leave out."""
    said = cells(row, board)
    columns = (
        *(said.fired, said.put_in, said.best, said.tokens, said.pushed_out, said.judged),
        _without_html(said) if row.key is not None else "",
    )
    drawn = "".join(f"<span>{each}</span>" for each in columns)
    return f'<div class="qe-row"><div>{_name_html(row, titles)}</div>{drawn}</div>'


def _name_html(row: EdgeScore, titles: Mapping[str, str]) -> str:
    if row.key is None:
        return f"<p>{escape.html(escape.shorten(row.name or 'not said', 80))}</p>"
    start, name, end = row.key
    return (
        f"<p>{document_html(start, titles)}</p><p><i class='qe-arrow'></i><small>{escape.html(name)}</small>"
        f"{document_html(end, titles)}</p>"
    )


def document_html(document_id: str, titles: Mapping[str, str]) -> str:
    """Its title with its id; a document that is not stored is named by its id alone."""
    named = escape.html(document_id)
    said = f"<code class='dg-id' title='{named}'>{escape.html(escape.shorten(document_id, 60))}</code>"
    title = titles.get(document_id, "")
    return f"<span>{escape.html(escape.shorten(title, 120))}</span> {said}" if title else said


def _without_html(said: Cells) -> str:
    if said.without in ("worse", "both"):
        return f"<b>{layout.glyph('down')}{said.without_words}</b>"
    if said.without == "better":
        return f"<b class='qe-better'>{layout.glyph('up')}{said.without_words}</b>"
    return f"<em>{said.without_words}</em>"


def _foot(scope: Scope, job: Scoring, *, rows: Sequence[EdgeScore], at: int, titles: Mapping[str, str]) -> None:
    if not rows:
        return
    with st.container(key="qe-foot", horizontal=True, vertical_alignment="center", gap="small"):
        edge_acts(job, rows[at], titles)
        with st.container(key="qe-moves", horizontal=True, vertical_alignment="center", gap="small"):
            moves(len(rows), at, id_of=lambda place: row_id(rows[place]), row=EDGE, key="qe")


def _more(found: Sequence[Section]) -> None:
    """How many rows of one class or of a group are shown, while there are more; of all classes their heads say it."""
    if len(found) != 1 or len(found[0].rows) == found[0].n or (found[0].edge_class and not asked_class()):
        return
    listed, n = len(found[0].rows), found[0].n
    with st.container(key="qe-more-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="dg-note">{n_of_m(listed, n)} shown</span>')
        if listed == unfolded(TAB).shown:
            more = min(MORE_ROWS, n - listed)
            st.button(f"Show {plural(more, 'more row')}", key="qe-more", type="tertiary", on_click=unfold, args=(TAB,))


__all__ = ["GROUPS", "document_html", "edge_table"]
