"""The component that draws documents in lanes: what every mode of it has, on the page and in the browser."""

from __future__ import annotations

from typing import Any

from docgraph.ui.frame import assets

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
