"""One action on many relationships: which of them it changes, which it leaves, and which cannot take it and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.edit import Edit
from docgraph.domain.overrides import EdgeKey
from docgraph.views.relationships.edges.rows import EdgeRow
from docgraph.views.words.counts import plural

BulkAction = Literal["accept", "retype", "remove"]
BULK: dict[BulkAction, str] = {"accept": "Accept", "retype": "Change type to", "remove": "Remove"}

TWICE = "this pair already has this type"


@dataclass(frozen=True)
class BulkPlan:
    """What one action would do to ``n`` relationships.

    ``edits`` = those that change, in the order of the rows; ``left`` = how many others stay as they are and why, in
    words; ``refused`` = those that cannot take it, with the reason.
    """

    n: int
    edits: tuple[Edit, ...] = ()
    left: tuple[str, ...] = ()
    refused: tuple[tuple[EdgeRow, str], ...] = ()

    @property
    def sentence(self) -> str:
        """``would change 14 of 57; 41 are already reviewed; 2 cannot: there is the same pair …``."""
        parts = [f"would change {len(self.edits):,} of {plural(self.n, 'relationship')}"]
        parts += self.left
        reasons = Counter(why for _, why in self.refused)
        parts += [f"{n:,} not possible: {why}" for why, n in sorted(reasons.items())]
        return "; ".join(parts)


def bulk_plan(
    rows: Sequence[EdgeRow], action: BulkAction, *, relation_type: str = "", there: Collection[EdgeKey] = ()
) -> BulkPlan:
    """What ``action`` does to ``rows``; ``there`` = the keys of all relationships of the workspace."""
    if action == "remove":
        return BulkPlan(len(rows), tuple(Edit(action="remove", key=row.key) for row in rows))
    if action == "accept":
        open_rows = [row for row in rows if not row.reviewed_by]
        left = len(rows) - len(open_rows)
        edits = tuple(Edit(action="accept", key=row.key) for row in open_rows)
        return BulkPlan(
            len(rows), edits, (f"{left:,} {'is' if left == 1 else 'are'} already reviewed",) if left else ()
        )
    if not relation_type:
        return BulkPlan(len(rows))
    return _retyped(rows, relation_type, set(there))


def _retyped(rows: Sequence[EdgeRow], relation_type: str, taken: set[EdgeKey]) -> BulkPlan:
    edits, refused, same = [], [], 0
    for row in rows:
        start, via, end = row.key
        if via == relation_type:
            same += 1
        elif (start, relation_type, end) in taken:
            refused.append((row, TWICE))
        else:
            taken.add((start, relation_type, end))
            edits.append(Edit(action="retype", key=row.key, relation_type=relation_type))
    left = (f"{same:,} {'has' if same == 1 else 'have'} this type already",) if same else ()
    return BulkPlan(len(rows), tuple(edits), left, tuple(refused))
