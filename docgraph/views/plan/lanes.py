"""Where everything stands in the plan graph: three fixed lanes, one row a document, all in CSS pixels.

Heights are decided here alone. Widths are given for a few panel widths (``STOPS``); the component interpolates between
them, so that the same plan in the same panel gives the same pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEAD = 36
"""Height of a lane's head; the first row starts below it."""

NODE = 52
PITCH = 60
"""Height of a document's card, and the distance from one card to the next."""


Stops = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
"""Panel width → left edge and width of each lane."""


@dataclass(frozen=True)
class Density:
    """How high a document is drawn, and the distance from one to the next."""

    node: int
    pitch: int


CARDS = Density(NODE, PITCH)
ROWS = Density(28, 33)
"""Small plans are drawn as cards; from ``MANY`` documents on each takes one line."""

MANY = 13
GROUP_PITCH = 31
GROUP_PAD = 4
GROUP_MORE = 20
GROUP_GAPS = (12, 34)
"""Inside a group of expanded documents: distance of its rows, free room around them, the line that counts the rest;
and the least and the largest distance of two groups."""

CUT_GAP = 12
CUT_HEAD = 26
CUT_ROW = 20
"""A cut list: distance to the last card, its head, each of its rows."""

LANE_FOOT = 12
MIN_HEIGHT = 420
PORT_STEP = 8
"""Distance of edges where they leave a seed."""

LABEL_STEP = 22
"""Distance of edges where they reach a document: as far apart as a label is high."""

STOPS = (
    (720, ((8, 96), (132, 232), (512, 200))),
    (888, ((8, 112), (156, 280), (604, 276))),
    (1000, ((8, 128), (180, 308), (704, 288))),
    (1160, ((8, 140), (204, 372), (800, 352))),
    (1500, ((8, 180), (260, 480), (1012, 480))),
)
"""Panel width → (query, seeds, expanded); between two stops everything moves in proportion."""


ROW_STOPS = (
    (720, ((8, 22), (36, 272), (420, 292))),
    (876, ((8, 22), (38, 330), (520, 348))),
    (1040, ((8, 24), (42, 412), (606, 426))),
    (1150, ((8, 24), (42, 464), (668, 474))),
    (1500, ((8, 28), (46, 620), (838, 654))),
)
"""The same for a plan drawn in rows: the question is a bracket beside the seeds."""

WIDE_STOPS = (
    (720, ((8, 22), (36, 226), (366, 346))),
    (876, ((8, 22), (38, 252), (406, 462))),
    (1040, ((8, 24), (42, 318), (470, 562))),
    (1150, ((8, 24), (42, 350), (510, 632))),
    (1500, ((8, 28), (46, 456), (626, 866))),
)
"""The same for expanded documents in two columns."""


def row_top(row: int, density: Density = CARDS) -> int:
    """Upper edge of the document in ``row`` (from 0)."""
    return HEAD + row * density.pitch


def row_centre(row: int, density: Density = CARDS) -> int:
    """Middle of the document in ``row``."""
    return row_top(row, density) + density.node // 2


def rows_end(n_rows: int, density: Density = CARDS) -> int:
    """Where a lane's cut list may begin."""
    return HEAD + n_rows * density.pitch - (density.pitch - density.node) + CUT_GAP if n_rows else HEAD


def assign_rows(document_ids: Sequence[str], kept: Mapping[str, int] | None = None) -> dict[str, int]:
    """Document → row. A document in ``kept`` keeps its row; the others fill the free rows in the order given.

    So a seed stands at the same pixel with and without relationships, and a new one never moves it.
    """
    kept = kept or {}
    rows = {document_id: kept[document_id] for document_id in document_ids if document_id in kept}
    taken = set(rows.values())
    free = (row for row in range(len(document_ids) + len(taken) + 1) if row not in taken)
    for document_id in document_ids:
        if document_id not in rows:
            rows[document_id] = next(free)
    return rows


def fitting_rows(top: int, height: int, *, at_least: int = 3) -> int:
    """How many rows of a cut list fit between ``top`` and the lane's end."""
    return max((height - LANE_FOOT - CUT_HEAD - top) // CUT_ROW, at_least)
