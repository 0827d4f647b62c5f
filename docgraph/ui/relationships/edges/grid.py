"""The traceability matrix on the screen: a grid whose cells open what is behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from docgraph.domain.curators.traceability import MatrixDirection
from docgraph.ui.frame import assets
from docgraph.views.relationships.edges.matrix import MatrixGrid

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


def matrix_grid(grid: MatrixGrid, on_open: Callable[[Opened], None]) -> None:
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
