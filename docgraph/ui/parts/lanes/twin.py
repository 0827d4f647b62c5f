"""Both plans of a comparison on the screen: an inline component that draws ``views.lanes``, A above B."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from docgraph.domain.comparison import Comparison
from docgraph.ui.parts.lanes.component import lanes
from docgraph.views.lanes.drawing import twin_lanes as laid_out
from docgraph.views.lanes.picture import STOPS, Picture
from docgraph.views.lanes.svg import LABEL_PAD, LABEL_SHARE

_COMPONENT = lanes(
    "twin_lanes", "tl", '<div class="sides"></div>', css=("lanes.css", "twin.css"), js=("lanes.js", "twin.js")
)
WIDTHS = (440, 480, 520, 560, 600, 720)
"""Titles are wrapped for these widths; the browser takes the widest that fits and stretches the lanes to its own."""

HEAD = 28
"""Height of the line over a picture, in pixels."""


def twin_lanes(
    comparison: Comparison,
    *,
    key: str,
    only_changes: bool = False,
    selected: str | None = None,
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw both plans. ``on_select`` runs after ``st.session_state[key].selected`` changed (a document_id, or None).

    ``selected`` is drawn as chosen in both pictures.
    """
    data = payload(comparison, only_changes=only_changes, selected=selected)
    _COMPONENT(key=key, data=data, default={"selected": selected}, on_selected_change=on_select or _nothing)


def _nothing() -> None:
    """Nobody listens."""


def payload(comparison: Comparison, *, only_changes: bool = False, selected: str | None = None) -> dict[str, Any]:
    """What the component is given: what is drawn once, and for each width where it stands, in pixels."""
    twins = [laid_out(comparison, width=width, only_changes=only_changes) for width in WIDTHS]
    return {
        "sides": [_side(picture) for picture in (twins[0].a, twins[0].b)],
        "layouts": [
            {"width": width, "sides": [_places(twin.a), _places(twin.b)]}
            for width, twin in zip(WIDTHS, twins, strict=True)
        ],
        "stops": STOPS,
        "head": HEAD,
        "label_share": LABEL_SHARE,
        "label_pad": LABEL_PAD,
        "note": twins[0].note,
        "selected": selected,
    }


def _side(picture: Picture) -> dict[str, Any]:
    """What is the same at any width; a line is told apart and chosen by the document in which it ends."""
    return {
        **_of(picture, "label", "figures", "head", "spoken", "empty"),
        "letter": picture.side.upper(),
        "boxes": [
            {"id": b.document_id, **_of(b, "key", "title", "lane", "look", "tip", "here")} for b in picture.boxes
        ],
        "lines": [
            {
                **_of(line, "id", "label", "short", "dash", "look", "spoken"),
                "ids": (),
                "ends": (*line.sources, line.target),
                "keys": (*(f"seed:{source}" for source in line.sources), f"expanded:{line.target}"),
                "hovers": line.target,
                "chooses": line.target,
            }
            for line in picture.lines
        ],
    }


def _places(picture: Picture) -> dict[str, Any]:
    """What a width decides, in the order of ``_side``: how titles wrap, and with them every height."""
    return {
        **_of(picture, "height", "query_y"),
        "notes": [asdict(note) for note in picture.notes],
        "boxes": [{"rows": len(b.lines), **_of(b, "y", "h", "note")} for b in picture.boxes],
        "lines": [_of(line, "from_ys", "to_y") for line in picture.lines],
    }


def _of(value: object, *names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}
