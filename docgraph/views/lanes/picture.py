"""A picture of one side of a comparison as data: boxes, lines and notes in pixels, and where its lanes stand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from docgraph.views.lanes.lines import Line
from docgraph.views.lanes.notes import Note
from docgraph.views.lanes.rows import Lane

Which = Literal["a", "b"]
Look = Literal["kept", "added", "left", "future", "moved", "ghost"]
"""``future``: on the other side only; ``moved``: there in the other lane; ``ghost``: the place of one that moved."""

WIDTH = 574
GAP = 8
"""Distance between two boxes."""

TITLE_X, TITLE_END = 25, 8
"""Where a title begins inside its box, and what stays free behind it."""

TITLE_LINES = 3
"""A title takes as many lines as it needs, up to this."""

LINE = 13
ONE_LINE = 28
Span = tuple[int, int]

STOPS: tuple[tuple[int, tuple[Span, Span]], ...] = (
    (440, ((26, 138), (280, 160))),
    (520, ((28, 172), (326, 194))),
    (574, ((28, 194), (350, 224))),
    (720, ((28, 258), (430, 290))),
    (900, ((28, 344), (530, 370))),
    (1200, ((28, 480), (680, 520))),
)
"""Width of the picture → left edge and width of (seeds, expanded); between two stops everything moves in proportion."""


@dataclass(frozen=True)
class Box:
    """One document in one lane, in pixels: its wrapped title, the note below it, and a tip that says all."""

    key: str
    document_id: str
    title: str
    lane: Lane
    look: Look
    x: float
    y: float
    w: float
    h: float
    lines: tuple[str, ...] = ()
    note: str = ""
    tip: str = ""

    @property
    def here(self) -> bool:
        """Whether the document is in this side's plan, in this lane."""
        return self.look in ("kept", "added", "moved")


@dataclass(frozen=True)
class Picture:
    """One side, ready to be drawn. ``height`` holds boxes and notes, ``query_y`` is the question's middle."""

    side: Which
    label: str
    figures: str
    width: int
    height: float
    query_y: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    notes: tuple[Note, ...]
    spoken: str
    empty: str = ""

    @property
    def head(self) -> str:
        """``A MS3 — 6 documents, 1,842 tokens``."""
        return f"{self.side.upper()} {self.label} — {self.figures}"


@dataclass(frozen=True)
class TwinLanes:
    """Both pictures, and the sentence that says how they belong together."""

    a: Picture
    b: Picture
    note: str

    def side(self, which: Which) -> Picture:
        """One of the two."""
        return self.a if which == "a" else self.b


def lanes_at(width: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Left edge and width of (seeds, expanded) in a picture of ``width`` pixels; as in twin_lanes.js."""
    inner = min(max(width, STOPS[0][0]), STOPS[-1][0])
    for (low, left), (high, right) in pairwise(STOPS):
        if inner <= high:
            share = (inner - low) / (high - low)
            x, w = ([left[i][k] + (right[i][k] - left[i][k]) * share for i in (0, 1)] for k in (0, 1))
            ends = (round(x[0] + w[0]), round(x[1] + w[1]))
            return (round(x[0]), ends[0] - round(x[0])), (round(x[1]), ends[1] - round(x[1]))
    return STOPS[-1][1]
