"""What the two sides of a comparison are called, also where one is a ranking that is not docgraph's."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.domain.baselines import BASELINES, MS3, MS5_LABEL
from docgraph.domain.comparison import Change, Removal, Side
from docgraph.domain.ranking_comparison import RankingComparison, RankingRow
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.sections import reason_words

_ON_SCREEN = {BASELINES[MS3][0]: "Without relationships", MS5_LABEL: "With relationships"}


def named(label: str) -> tuple[str, str]:
    """(name, tag) of a run's label: ``("Without relationships", "MS3")``; other runs have no tag."""
    return (_ON_SCREEN[label], label) if label in _ON_SCREEN else (label, "")


def side_name(side: Side) -> str:
    """The name of one side: ``Without relationships``, ``With relationships``, or what its run is called."""
    return named(side.label)[0]


SIGNS: Mapping[Change, str] = {"kept": "= both", "added": "+ docgraph", "left": "− A alone"}


def place_words(place: int | None) -> str:
    """``3``; ``--`` where a side does not have it."""
    return UNKNOWN if place is None else f"{place:,}"


def score_words(score: float | None) -> str:
    """Four digits that tell, whatever the scale; ``--`` where none was given."""
    return UNKNOWN if score is None else f"{score:.4g}"


def figure_words(value: float | None) -> str:
    """Three decimals; ``--`` where there is no value."""
    return UNKNOWN if value is None else f"{value:.3f}"


def why_words(row: RankingRow, made: RankingComparison) -> str:
    """Why docgraph reads it, or what keeps it out as far as the plan says."""
    if row.role_b == "seed":
        return "match, by its own score"
    if row.role_b == "expanded":
        titles = {each.document_id: each.title for each in made.b.plan.seed_documents}
        return "; ".join(reason_words(each, titles) for each in row.reasons)
    if row.cut is not None:
        return f"left out: {Removal(cause=row.cut.limit, value=row.cut.value).short}"
    return "not considered by the plan"
