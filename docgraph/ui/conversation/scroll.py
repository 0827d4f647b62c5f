"""Scrolling that widgets cannot do themselves: the newest turn, or the one that is chosen, comes into sight."""

from __future__ import annotations

from docgraph.ui.frame import assets

_SCROLL = assets.component("conversation_scroll", __file__, js=("frame/arrival.js", "scroll.js"))


def scroll(turns: int, selected: int) -> None:
    """A new number of ``turns`` scrolls to the last one, ``selected`` (0 = none) to that one."""
    _SCROLL(key="cv-scroll", data={"turns": turns, "selected": selected})
