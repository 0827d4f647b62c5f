"""What the two runs of a comparison are called on screen, and the tag that the field knows them by."""

from __future__ import annotations

from docgraph.domain.baselines import BASELINES, MS3, MS5_LABEL
from docgraph.domain.comparison import Side

_ON_SCREEN = {BASELINES[MS3][0]: "Without relationships", MS5_LABEL: "With relationships"}


def named(label: str) -> tuple[str, str]:
    """(name, tag) of a run's label: ``("Without relationships", "MS3")``; other runs have no tag."""
    return (_ON_SCREEN[label], label) if label in _ON_SCREEN else (label, "")


def side_name(side: Side) -> str:
    """The name of one side: ``Without relationships``, ``With relationships``, or what its run is called."""
    return named(side.label)[0]
