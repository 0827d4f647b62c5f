"""What comparison asks for: measures of how much two rankings have in common, and of how good one is by judgments."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, Protocol, runtime_checkable


@runtime_checkable
class Measure(Protocol):
    """Compares two rankings. Plug-in folder: ``plugins/measures/``.

    ``kind``: ``overlap`` = over both lists; ``correlation`` = over the common part, which comparison cuts out first.
    ``formula`` is one line of plain text, ``source`` the paper; both are shown beside the value.
    """

    name: str
    title: str
    kind: Literal["overlap", "correlation"]
    formula: str
    source: str

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """The value for two lists of distinct ids, best first; ``None`` when it is undefined for them.

        An overlap lies in [0, 1] and is never asked about two empty lists; a correlation lies in [−1, 1] and gets
        two orders of the same ids.
        """
        ...


@runtime_checkable
class JudgedMeasure(Protocol):
    """Says how good one ranking is by what people judged relevant. Plug-in folder: ``plugins/measures/``.

    ``kind``: ``judged`` = shown beside every comparison, too; ``judged_in_sets`` = asked for by name over query sets.
    """

    name: str
    title: str
    kind: Literal["judged", "judged_in_sets"]
    formula: str
    source: str

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """The value in [0, 1] for the first ``k`` (≥ 1) of distinct ids, best first; whatever is not relevant is not.

        Where ``relevant`` is a mapping, its values are grades: whole numbers from 1, which measures that know gains
        take for them. ``None`` when nothing is ``relevant``. Deterministic.
        """
        ...


AnyMeasure = Measure | JudgedMeasure
"""What a file of ``plugins/measures/`` builds; ``kind`` tells which."""
