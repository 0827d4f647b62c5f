"""A picture of one side of a comparison as data: boxes, lines and notes in pixels, and where its lanes stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from docgraph.views.lanes.layout import Box, Span, spans
from docgraph.views.lanes.lines import TwinLine
from docgraph.views.lanes.notes import Note

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

STOPS = (
    (440, ((26, 138), (280, 160))),
    (520, ((28, 172), (326, 194))),
    (574, ((28, 194), (350, 224))),
    (720, ((28, 258), (430, 290))),
    (900, ((28, 344), (530, 370))),
    (1200, ((28, 480), (680, 520))),
)
"""Width of the picture → left edge and width of (seeds, expanded); between two stops everything moves in proportion."""


@dataclass(frozen=True, kw_only=True)
class TwinBox(Box):
    """A document on one side: its wrapped title, the note below it, and a tip that says all."""

    look: Look
    x: float
    w: float
    lines: tuple[str, ...] = ()
    note: str = ""
    tip: str = ""

    @property
    def id(self) -> str:
        """What a click chooses: the document, wherever it stands."""
        return self.document_id

    @property
    def key(self) -> str:
        """What tells it from the same document in the other lane."""
        return f"{self.lane}:{self.document_id}"

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
    boxes: tuple[TwinBox, ...]
    lines: tuple[TwinLine, ...]
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


def lanes_at(width: float) -> tuple[Span, Span]:
    """Left edge and width of (seeds, expanded) in a picture of ``width`` pixels, both ends rounded."""
    seeds, expanded = ((round(x), round(x + w) - round(x)) for x, w in spans(STOPS, width))
    return seeds, expanded
