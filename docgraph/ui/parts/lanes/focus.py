"""The neighbourhood of two documents on the screen: boxes as buttons over an SVG of lines, in three lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docgraph.ui.parts.lanes.canvas import lanes
from docgraph.views.relationships.edges.focus import FocusGraph

_COMPONENT = lanes(
    "focus_graph",
    "fg",
    '<div class="canvas"><div class="under"></div><svg aria-hidden="true"></svg></div>',
    css=("lanes.css", "focus.css", "stack.css"),
    js=("lanes.js", "stack.js", "focus.js"),
    attributes='role="group"',
)
STOPS = (
    (560, ((0, 120), (220, 120), (440, 120))),
    (720, ((0, 156), (282, 156), (564, 156))),
    (960, ((0, 220), (370, 220), (740, 220))),
    (1280, ((0, 320), (480, 320), (960, 320))),
)
"""Width of the panel → left edge and width of each lane; between two stops everything moves in proportion."""


def payload(graph: FocusGraph, *, selected: str | None) -> dict[str, Any]:
    """What the component is given."""
    hubs = ", ".join(f"{node.hub} is {node.title}" for node in graph.nodes if node.hub)
    alt = f"{hubs}; {graph.shown}. Arrow keys move, Enter selects. The table below shows the same data."
    return graph.data | {"stops": STOPS, "selected": selected, "alt": alt}


def focus_graph(graph: FocusGraph, *, key: str, selected: str | None, on_select: Callable[[], None]) -> None:
    """Draw the graph. ``on_select`` runs after ``st.session_state[key].selected`` changed (an id, or None)."""
    data = payload(graph, selected=selected)
    _COMPONENT(key=key, data=data, height="content", default={"selected": selected}, on_selected_change=on_select)
