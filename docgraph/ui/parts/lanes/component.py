"""The component that draws documents in lanes: what every mode of it has, on the page and in the browser."""

from __future__ import annotations

from typing import Any

from docgraph.ui.frame import assets


def lanes(name: str, host: str, inside: str, *, css: tuple[str, ...], js: tuple[str, ...]) -> Any:
    """A mode: its name, the class and attributes of its host, what stands in it, its style sheets and its script."""
    end = '<div class="tip" hidden></div><div class="live" aria-live="polite"></div></div>'
    return assets.component(
        name,
        __file__,
        html=f'<div class="lanes {host}>{inside}{end}',
        css=("drawing.css", *css),
        js=("drawing.js", "frame/mounting.js", "frame/selection.js", *js),
    )
