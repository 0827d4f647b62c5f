"""Both plans of a comparison on the screen in one picture: an inline component that draws ``views.lanes.union``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal

from docgraph.domain.comparison import Comparison
from docgraph.ui.parts.lanes.canvas import lanes
from docgraph.views.lanes.lines import LABEL_PAD, LABEL_SHARE
from docgraph.views.lanes.union import HEAD, STOPS, union
from docgraph.views.words.judgments import TAG_WORDS

ALL = 10_000
"""More documents than a plan may hold."""

View = Literal["change", "a", "b"]
"""Which of the runs is drawn; every document keeps its pixel in all three."""

_COMPONENT = lanes(
    "union_lanes",
    "ul",
    '<div class="canvas"><div class="under"></div><svg aria-hidden="true"></svg></div>',
    css=("lanes.css", "union.css", "stack.css"),
    js=("lanes.js", "stack.js", "union.js"),
    attributes='role="group"',
)


def union_lanes(
    comparison: Comparison,
    *,
    key: str,
    view: View = "change",
    selected: str | None = None,
    whole: bool = False,
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw both plans, every document with ``whole``.

    ``on_select`` runs after ``st.session_state[key].selected`` changed (a document_id, or None).
    """
    data = payload(comparison, view=view, selected=selected, whole=whole)
    _COMPONENT(key=key, data=data, default={"selected": selected}, on_selected_change=on_select or _nothing)


def _nothing() -> None:
    """Nobody listens."""


def payload(
    comparison: Comparison, *, view: View = "change", selected: str | None = None, whole: bool = False
) -> dict[str, Any]:
    """What the component is given: where everything stands, in pixels; a width decides the lanes alone."""
    drawn = union(comparison, fitting=ALL, max_rows=ALL) if whole else union(comparison)
    return {
        "view": view,
        "stops": STOPS,
        "head": HEAD,
        "height": drawn.height,
        "heads": drawn.heads,
        "cut_head": drawn.cut_head,
        "cut": [asdict(row) for row in drawn.cut],
        "notes": drawn.notes,
        "folds": [{"lane": fold.lane, "y": fold.y, "text": fold.text} for fold in drawn.folds],
        "alt": f"Documents in the plan. {drawn.spoken}",
        "label_share": LABEL_SHARE,
        "label_pad": LABEL_PAD,
        "boxes": [
            {**asdict(box), "id": box.document_id, "key": box.key, "said": TAG_WORDS[box.tag]} for box in drawn.boxes
        ],
        "lines": [
            {
                "id": line.id,
                "label": line.label,
                "short": line.short,
                "dash": line.dash,
                "look": line.look,
                "spoken": line.spoken,
                "from_ys": line.from_ys,
                "to_y": line.to_y,
                "ids": (),
                "ends": (*line.sources, line.target),
                "keys": (*(f"seed:{source}" for source in line.sources), f"expanded:{line.target}"),
                "hovers": line.target,
                "chooses": line.target,
            }
            for line in drawn.lines
        ],
        "selected": selected,
    }
