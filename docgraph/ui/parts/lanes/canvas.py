"""The lanes engine as a component of the page, and the plan drawn with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docgraph.ui.frame import assets
from docgraph.views.plan.graph import PlanGraph

_SAID = '<div class="tip" hidden></div><div class="live" aria-live="polite"></div>'


def lanes(name: str, mode: str, inside: str, *, css: tuple[str, ...], js: tuple[str, ...], attributes: str = "") -> Any:
    """A component of one mode: the class and the ``attributes`` of its host, what stands ``inside``, sheets, scripts.

    A mode draws with ``lanes.js`` (boxes as buttons over an SVG of lines) or by itself; all share ``drawing.js``.
    """
    return assets.component(
        name,
        __file__,
        html=f'<div class="lanes {mode}" {attributes}>{inside}{_SAID}</div>',
        css=("drawing.css", *css),
        js=("drawing.js", "frame/mounting.js", "frame/selection.js", *js),
    )


_COMPONENT = lanes(
    "plan_graph",
    "dg",
    '<div class="stage"><div class="under"></div><div class="net"></div><div class="over"></div></div>'
    '<div class="bar"></div><div class="list"></div>',
    css=("canvas.css", "view.css", "listing.css"),
    js=("cards.js", "edges.js", "blocks.js", "view.js", "listing.js", "canvas.js"),
    attributes='tabindex="0" role="application"',
)


def library_url() -> str:
    """Where the launcher serves the vis-network file that pyvis ships."""
    return assets.base_url() + "/docgraph-assets/vis-network.min.js"


def plan_graph(
    graph: PlanGraph,
    *,
    selected: str | None,
    key: str,
    alt: str,
    on_select: Callable[[], None],
    on_action: Callable[[], None],
) -> None:
    """Draw the graph at its full height, one of many documents fitted into the window: the page scrolls, not the graph.

    It can be zoomed and moved, and its documents dragged; all that stays for as long as the plan is the same. In a
    window too narrow for lanes it is an indented list.

    ``on_select`` runs after ``st.session_state[key].selected`` changed (an id, or None).
    ``on_action`` runs after a click on a cut list or a double click: ``st.session_state[key].action`` is
    ``{"kind": …, …}`` with kind ``cut`` (document_id), ``promote`` (document_id), ``fix`` (block), ``fold`` (block) or
    ``all``.
    """
    data: dict[str, Any] = {**graph.data, "selected": selected, "lib": library_url(), "alt": alt}
    _COMPONENT(
        key=key,
        data=data,
        height="content",
        default={"selected": selected},
        on_selected_change=on_select,
        on_action_change=on_action,
    )
