"""The traceability matrix: the documents that are shown, the grid whose cells open, the gaps, and the files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.curation import MatrixColumn, MatrixDirection, MatrixRow, TraceabilityMatrix
from docgraph.orchestration.relationships.traceability import MatrixKind
from docgraph.ui.frame import assets, escape, layout, resources
from docgraph.ui.frame.download import download
from docgraph.views.relationships.edges.matrix import MatrixGrid, RowFilter, matrix_grid, wanted_rows
from docgraph.views.words.counts import n_of_m, plural

KEY = "docgraph.matrix.table"
_ALT = "Traceability matrix: documents by relationship type. Shaded cells are gaps. Enter opens a cell"
_COMPONENT = assets.component(
    "traceability_matrix",
    __file__,
    html=f'<div class="matrix"><table role="grid" aria-label="{_ALT}"><thead></thead><tbody></tbody></table></div>',
    css=("matrix.css",),
    js=("matrix.js",),
)
_DIRECTIONS: dict[str, MatrixDirection] = {"outgoing": "outgoing", "incoming": "incoming"}


class Opened(NamedTuple):
    """What was opened: a document, and of a cell its relation type and direction.

    They are "" and None where the document itself was opened.
    """

    document_id: str
    relation_type: str
    direction: MatrixDirection | None


def _draw_grid(grid: MatrixGrid, on_open: Callable[[Opened], None]) -> None:
    """Draw the grid; ``on_open`` is called with what a click or Enter opened."""

    def told() -> None:
        opened = opened_by(st.session_state[KEY].opened)
        if opened is not None:
            on_open(opened)

    _COMPONENT(key=KEY, data=grid, on_opened_change=told)


def opened_by(told: object) -> Opened | None:
    """What the browser says was opened; None where it says nothing that a matrix has.

    ``told`` = ``{"document": id, "type": relation type or "", "direction": "outgoing", "incoming" or ""}``.
    """
    if not isinstance(told, dict):
        return None
    document_id, name, direction = (told.get(each) for each in ("document", "type", "direction"))
    if not isinstance(document_id, str) or not document_id:
        return None
    way = _DIRECTIONS.get(direction) if isinstance(direction, str) else None
    return Opened(document_id, name, way) if isinstance(name, str) and name and way else Opened(document_id, "", None)


ROWS_OF, HOLES = "documents", "holes"
"""Names in the address: the documents' type, and whether only rows with holes are shown."""
MAX_ROWS, MAX_COLUMNS = 300, 60


class Inputs(NamedTuple):
    """What the list and the matrix share: two rows of the page, the inputs of the search and the relation type, and how
    the list is opened at a cell.
    """

    filters: DeltaGenerator
    bar: DeltaGenerator
    search: Callable[[], str]
    choose_type: Callable[[Sequence[str]], str]
    open: Callable[[Opened], None]


def draw_matrix(workspace: str, shared: Inputs) -> None:
    """The matrix with its filters, its counts and its files."""
    whole = _matrix(workspace, _version(workspace), "", "")
    with shared.filters:
        text = shared.search()
        kind = _documents(sorted({row.doc_type for row in whole.rows if row.doc_type}))
        name = shared.choose_type(sorted({column.relation_type for column in whole.columns}))
        only = bool(st.toggle("Gaps only", key=HOLES, bind="query-params"))
    matrix = whole if not kind and not name else _matrix(workspace, _version(workspace), kind, name)
    rows = wanted_rows(matrix, RowFilter(text, only))
    with shared.bar:
        _bar(workspace, matrix, rows)
    if not matrix.columns:
        layout.empty("No relationships here", "These documents have no relationships in either direction.")
        return
    _columns(matrix.columns)
    if not rows:
        layout.empty("No document matches", "Shorten the search, or show all documents.")
        return
    _draw_grid(matrix_grid(rows[:MAX_ROWS], matrix.columns[:MAX_COLUMNS]), shared.open)
    _not_drawn(rows, matrix.columns)


def _documents(kinds: Sequence[str]) -> str:
    """The type of the documents that are rows; "" = all."""
    chosen = st.selectbox(
        "Documents",
        ["", *kinds],
        key=ROWS_OF,
        bind="query-params",
        width=170,
        format_func=lambda kind: kind or "all",
    )
    return str(chosen or "")


def _version(workspace: str) -> str:
    here = resources.docgraph(workspace).workspace
    return "|".join((here.state, *here.off_relation_types))


@st.cache_resource(max_entries=8, ttl="1h", show_spinner=False)
def _matrix(workspace: str, version: str, kind: str, name: str) -> TraceabilityMatrix:
    del version  # part of the key only
    relationships = resources.docgraph(workspace).relationships
    return relationships.matrix(doc_type=kind or None, relation_types=(name,) if name else None)


def _bar(workspace: str, matrix: TraceabilityMatrix, rows: Sequence[MatrixRow]) -> None:
    """How many documents are shown, how many have a hole, and the files."""
    shown = n_of_m(len(rows), len(matrix.rows)) if len(rows) < len(matrix.rows) else f"{len(rows):,}"
    holes = f"{matrix.n_with_holes:,} with a gap"
    st.html(f'<p class="re-count" role="status"><b>{shown} documents</b>, {holes}</p>')
    seen = matrix.model_copy(update={"rows": tuple(rows)})
    files: tuple[tuple[MatrixKind, str], ...] = (("csv", "CSV"), ("xlsx", "Excel"))
    for kind, label in files:
        download(
            label,
            partial(resources.docgraph(workspace).relationships.matrix_file, seen, kind),
            f"{workspace}-matrix.{kind}",
            key=f"docgraph.matrix.{kind}",
            disabled=not rows,
        )


def _columns(columns: Sequence[MatrixColumn]) -> None:
    """How many documents have something in each column."""
    told = "".join(
        f"<li><b>{escape.html(column.name)}</b> "
        f"{column.n_filled:,} of {column.n_filled + column.n_holes:,} have one, "
        f"{plural(column.n_holes, 'gap') if column.n_holes else 'no gap'}</li>"
        for column in columns
    )
    with st.expander(f"Gaps in {plural(len(columns), 'column')}", expanded=len(columns) <= 6):
        st.html(
            f'<ul class="re-columns">{told}</ul><p class="dg-note">A gap: no stored relationship. '
            "→ from the document, ← to the document. Types that plans do not use are left out. "
            "Click a cell, or press Enter, to open it.</p>"
        )


def _not_drawn(rows: Sequence[MatrixRow], columns: Sequence[MatrixColumn]) -> None:
    """What the table leaves out, which the files have."""
    left = [
        plural(n - most, f"more {what}")
        for n, most, what in ((len(rows), MAX_ROWS, "document"), (len(columns), MAX_COLUMNS, "column"))
        if n > most
    ]
    if left:
        said = f"{' and '.join(left)} not shown. Search, choose a type, or download the file, which has all."
        st.html(f'<p class="dg-note">{said}</p>')
