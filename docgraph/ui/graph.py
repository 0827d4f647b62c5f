"""The plan graph on the screen: an inline component that draws the model of ``views.plan_graph`` with vis-network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from docgraph.views.plan_graph import PlanGraph

_HERE = Path(__file__).parent
_SCRIPTS = ("graph_cards.js", "graph_edges.js", "graph_lanes.js", "mounting.js", "selection.js", "graph.js")
"""One module in six texts; the last one holds the default export."""

_COMPONENT = st.components.v2.component(
    "docgraph_plan_graph",
    html=(
        '<div class="dg" tabindex="0" role="application">\n<div class="under"></div><div class="net"></div>'
        '<div class="over"></div><div class="tip" hidden></div><div class="live" aria-live="polite"></div></div>'
    ),
    css=(_HERE / "graph.css").read_text(encoding="utf-8"),
    js="\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)
MAX_HEIGHT = 720
"""A taller graph scrolls inside its panel."""


def library_url() -> str:
    """Where the launcher serves the vis-network file that pyvis ships."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return (f"/{base}" if base else "") + "/docgraph-assets/vis-network.min.js"


def plan_graph(
    graph: PlanGraph,
    *,
    selected: str | None,
    key: str,
    alt: str,
    on_select: Callable[[], None],
    on_action: Callable[[], None],
) -> None:
    """Draw the graph. ``on_select`` runs after ``st.session_state[key].selected`` changed (an id, or None).

    ``on_action`` runs after a click on a cut list or a double click: ``st.session_state[key].action`` is
    ``{"kind": …, …}`` with kind ``cut`` (document_id), ``promote`` (document_id), ``fix`` (block), ``fold`` (block) or
    ``all``.
    """
    height = min(int(graph.data["height"]), MAX_HEIGHT)
    data: dict[str, Any] = {**graph.data, "selected": selected, "lib": library_url(), "alt": alt, "panel": height}
    _COMPONENT(
        key=key,
        data=data,
        height=height,
        default={"selected": selected},
        on_selected_change=on_select,
        on_action_change=on_action,
    )
