"""Where the cursor is while findings are judged, and that the row of the open finding stays in sight."""

from __future__ import annotations

from docgraph.ui.frame import assets
from docgraph.ui.frame.shortcuts import class_of
from docgraph.ui.relationships.head import NAME

_CURSOR = assets.component("relationships_cursor", __file__, js=("frame/arrival.js", "cursor.js"))


def cursor(row: str, *, focus: int, focus_on: str) -> None:
    """``row`` = the open finding; a ``focus`` other than the last one puts the cursor into the field ``focus_on``."""
    data = {"row": row, "focus": focus, "focusOn": class_of(focus_on), "name": class_of(NAME)}
    _CURSOR(key="rl-cursor", data=data)
