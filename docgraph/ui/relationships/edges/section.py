"""All relationships: found, filtered, in pages, one open beside the table, one added; or as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from docgraph.domain.frozen import fingerprint
from docgraph.domain.overrides import EdgeKey, edge_text, parse_edge
from docgraph.domain.type_roles import ROLE_WORDS
from docgraph.errors import RequestError
from docgraph.ui.frame import assets, layout, resources
from docgraph.ui.frame.chosen import picked, put
from docgraph.ui.parts.background import follow
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import DOCUMENT, checked, found, rows, titles
from docgraph.ui.relationships.edges.add import add_panel, propose
from docgraph.ui.relationships.edges.detail import detail
from docgraph.ui.relationships.edges.filters import (
    DIRECTION,
    TYPE,
    choose_type,
    filters,
    forget,
    search,
)
from docgraph.ui.relationships.edges.matrix import Inputs, Opened, draw_matrix
from docgraph.views.relationships.edges.rows import (
    ORDERS,
    EdgeFilter,
    EdgeRow,
    Order,
    filtered,
    is_cell,
    table,
)
from docgraph.views.words.counts import n_of_m

ORDER, EDGE = "order", "edge"
"""Name of the open relationship in the address, written as ``from|type|to``."""

VIEW, LIST, MATRIX = "view", "List", "Matrix"
PAGE_ROWS, ROW_HEIGHT = 200, 34
PANEL, FILES = "panel", "files"
"""Name and value in the address while import and export are open."""
_PAGE, _PANEL = "docgraph.edges.page", "docgraph.edges.panel"


def count(workspace: str) -> int | None:
    """How many relationships there are."""
    return resources.docgraph(workspace).workspace.n_relationships


def draw(workspace: str, *, files: Callable[[str], None]) -> None:
    """The place: filters, what can be done, the table, and the relationship that the address names.

    ``files`` draws import and export.
    """
    assets.style(__file__, "section.css")
    boxes = st.container(key="re-filters", horizontal=True, vertical_alignment="bottom", gap="small")
    bar = st.container(key="re-bar", horizontal=True, vertical_alignment="center", gap="small")
    with bar:
        view = _view()
    if st.query_params.get(PANEL) == FILES:
        with st.container(key="re-files", gap="small"):
            files(workspace)
    if view == MATRIX:
        draw_matrix(workspace, Inputs(boxes, bar, search, choose_type, _open_cell))
        with bar:
            _files_button()
        return
    everything = rows(workspace)
    with boxes:
        wanted = filters(workspace, everything)
    matching = found(workspace, wanted, _order())
    with bar:
        adding = _bar(workspace, len(matching), len(everything), wanted)
        _files_button()
    if adding:
        add_panel(workspace, close=_close_panel)
    opened = _opened()
    if opened is None:
        _rows(workspace, matching, None, wanted)
        return
    left, right = st.columns([5, 7], gap="medium")
    with left:
        _rows(workspace, matching, opened, wanted)
    with right, st.container(key="re-detail", gap="small"):
        detail(workspace, opened, show=show, close=close)


def show(key: EdgeKey) -> None:
    """Open this relationship: its key goes into the address."""
    st.query_params[EDGE] = edge_text(key)


def close() -> None:
    """Close the open one."""
    st.query_params.pop(EDGE, None)


def _open_cell(opened: Opened) -> None:
    """Show the list of what is behind a cell of the matrix; where nothing is, a curator gets a draft of it."""
    forget()
    close()
    st.session_state[VIEW] = LIST
    st.session_state[TYPE] = opened.relation_type
    put(DOCUMENT, opened.document_id)
    put(DIRECTION, opened.direction)
    _close_panel()
    cell = EdgeFilter(
        relation_type=opened.relation_type, document_id=opened.document_id, direction=opened.direction or ""
    )
    if state.curator() and is_cell(cell) and not filtered(rows(resources.current_workspace().name), cell):
        _fill(cell)


def _opened() -> EdgeKey | None:
    text = st.query_params.get(EDGE)
    if not text:
        return None
    try:
        return parse_edge(text)
    except RequestError as problem:
        layout.error(problem)
        return None


# ------------------------------------------------------------ filters


def _view() -> str:
    """The list, or the same relationships as a matrix."""
    chosen = st.segmented_control(
        "View",
        [LIST, MATRIX],
        default=LIST,
        required=True,
        key=VIEW,
        bind="query-params",
        label_visibility="collapsed",
        wrap=False,
    )
    return str(chosen or LIST)


def _files_button() -> None:
    """The way to import and export, and back."""
    opened = st.query_params.get(PANEL) == FILES
    st.button(
        "Close import, export" if opened else "Import, export…",
        key="docgraph.edges.files",
        on_click=put,
        args=(PANEL, None if opened else FILES),
    )


def _order() -> Order:
    chosen = st.session_state.get(ORDER, "from")
    return chosen if chosen in ORDERS else "from"


def _bar(workspace: str, n: int, m: int, wanted: EdgeFilter) -> bool:
    """How many are shown and their order; returns whether one is being added."""
    shown = f"{n_of_m(n, m)} relationships" if wanted.on else f"{m:,} relationships"
    st.html(f'<p class="re-count" role="status"><b>{shown}</b></p>')
    checking = state.checking(workspace)
    if checking.running:
        follow(checking, _checks_running, every=1.0)
    elif not checked(workspace):
        how = "failed" if checking.failed else "were stopped"
        st.html(f'<p class="dg-note">The checks {how}, so questions and findings are not known (--).</p>')
    st.selectbox(
        "Order",
        list(ORDERS),
        key=ORDER,
        format_func=lambda name: ORDERS[name],
        label_visibility="collapsed",
        width=210,
    )
    if state.curator():
        st.button("Add a relationship…", key="docgraph.edges.add", on_click=_toggle)
        return bool(st.session_state.get(_PANEL))
    if state.may_write(workspace):
        st.html('<p class="dg-note">Switch editing on to add and change relationships.</p>')
    return False


def _checks_running() -> None:
    st.html('<p class="dg-note">Checks are running. Questions and findings show -- until they finish.</p>')


def _toggle() -> None:
    st.session_state[_PANEL] = not st.session_state.get(_PANEL)


def _close_panel() -> None:
    st.session_state[_PANEL] = False


# ------------------------------------------------------------ the table


def _rows(workspace: str, matching: Sequence[EdgeRow], opened: EdgeKey | None, wanted: EdgeFilter) -> None:
    if not matching:
        _nothing(workspace, wanted)
        return
    page = _page(matching, opened, wanted)
    part = matching[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]
    keys = [row.key for row in part]
    name = f"docgraph.edges.table.{fingerprint([list(key) for key in keys])[:16]}"
    at = [keys.index(opened)] if opened in keys else []
    if name in st.session_state and dict(st.session_state[name])["selection"]["rows"] != at:
        # Opened or closed by something else than a click on a row.
        st.session_state[name] = {"selection": {"rows": at, "columns": [], "cells": []}}
    decided = resources.docgraph(workspace).workspace.decided
    st.dataframe(
        pd.DataFrame(table(part, narrow=opened is not None, in_plans=lambda name: ROLE_WORDS[decided.of(name).role])),
        hide_index=True,
        key=name,
        selection_mode="single-row",
        on_select=lambda: _open_row(name, keys),
        selection_default={"selection": {"rows": at}},
        height=min(38 + ROW_HEIGHT * len(part), 590),
        row_height=ROW_HEIGHT,
        alt="Relationships; select one to open it",
        column_config={
            "Questions": st.column_config.NumberColumn(
                "Questions", format="localized", width=80, help="Saved questions that it adds a document to"
            ),
            "Findings": st.column_config.NumberColumn(
                "Findings", format="localized", width=80, help="Open findings about it"
            ),
            "From id": st.column_config.TextColumn(width=132),
            "To id": st.column_config.TextColumn(width=132),
            "Provenance": st.column_config.TextColumn(width=210),
            "In plans": st.column_config.TextColumn(width=120, help="How plans use its type"),
            "Sentence": st.column_config.TextColumn(width=420, help="The sentence that states it, if a text does"),
            "From": st.column_config.TextColumn(width=None if opened is None else 172),
            "Type": st.column_config.TextColumn(width=120 if opened is None else 104),
        },
        placeholder="--",
    )
    if len(matching) > PAGE_ROWS:
        _pager(page, len(matching))


def _page(matching: Sequence[EdgeRow], opened: EdgeKey | None, wanted: EdgeFilter) -> int:
    """The page that is shown; another filter or order begins again, with the open relationship in sight."""
    asked = (wanted, _order())
    kept, page = st.session_state.get(_PAGE, (None, 0))
    if kept != asked:
        at = next((i for i, row in enumerate(matching) if row.key == opened), 0)
        page = at // PAGE_ROWS
    page = min(page, (len(matching) - 1) // PAGE_ROWS)
    st.session_state[_PAGE] = (asked, page)
    return int(page)


def _pager(page: int, n: int) -> None:
    first, last = page * PAGE_ROWS + 1, min((page + 1) * PAGE_ROWS, n)
    with st.container(key="re-pager", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Previous", key="docgraph.edges.previous", on_click=_turn, args=(-1,), disabled=page == 0)
        st.html(f'<p class="dg-note">{first:,} to {last:,} of {n:,}</p>')
        st.button("Next", key="docgraph.edges.next", on_click=_turn, args=(1,), disabled=last == n)


def _turn(step: int) -> None:
    asked, page = st.session_state.get(_PAGE, (None, 0))
    st.session_state[_PAGE] = (asked, max(0, page + step))


def _open_row(name: str, keys: Sequence[EdgeKey]) -> None:
    key = picked(name, keys)
    put(EDGE, edge_text(key) if key else None)


def _nothing(workspace: str, wanted: EdgeFilter) -> None:
    if is_cell(wanted):
        _hole(workspace, wanted)
    elif wanted.on:
        layout.empty("No relationship matches", "Shorten the search, or reset a filter.")
    else:
        layout.empty(
            "No relationships",
            "This workspace has none yet. Plans still work, with matches only.",
        )
    if wanted.on:
        st.button("Show all relationships", key="docgraph.edges.all", on_click=forget, type="primary")


def _hole(workspace: str, wanted: EdgeFilter) -> None:
    """A cell of the matrix with nothing in it: what is missing, and the way to add it."""
    title, name = titles(workspace)[wanted.document_id], wanted.relation_type
    leads = wanted.direction == "outgoing"
    said = f"{title} leads to nothing as {name}" if leads else f"Nothing leads to {title} as {name}"
    if state.curator():
        layout.empty(said, "A gap in the matrix. You can add a relationship as a draft.")
        if not st.session_state.get(_PANEL):
            st.button("Add one…", key="docgraph.edges.fill", on_click=_fill, args=(wanted,))
    elif state.may_write(workspace):
        layout.empty(said, "A gap in the matrix. Switch editing on to add a relationship.")
    else:
        layout.empty(said, "A gap in the matrix.")


def _fill(wanted: EdgeFilter) -> None:
    propose(wanted.document_id, wanted.relation_type, wanted.direction)
    st.session_state[_PANEL] = True
