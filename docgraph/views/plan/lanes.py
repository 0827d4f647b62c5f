"""Where everything stands in the plan graph: three fixed lanes, one row a document, all in CSS pixels.

Heights are decided here alone. Widths are given for a few panel widths (``STOPS``); the component interpolates between
them, so that the same plan in the same panel gives the same pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

HEAD = 36
"""Height of a lane's head; the first row starts below it."""

NODE = 52
PITCH = 60
"""Height of a document's card, and the distance from one card to the next."""

CUT_GAP = 12
CUT_HEAD = 26
CUT_ROW = 20
"""A cut list: distance to the last card, its head, each of its rows."""

LANE_FOOT = 12
MIN_HEIGHT = 420
LANE_PAD = 8
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


def row_top(row: int) -> int:
    """Upper edge of the card in ``row`` (from 0)."""
    return HEAD + row * PITCH


def row_centre(row: int) -> int:
    """Middle of the card in ``row``."""
    return row_top(row) + NODE // 2


def rows_end(n_rows: int) -> int:
    """Where a lane's cut list may begin."""
    return HEAD + n_rows * PITCH - (PITCH - NODE) + CUT_GAP if n_rows else HEAD


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
