"""The relation types of a corpus with their line styles and what they did in one plan: legend and filter in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.plan import RetrievalPlan
from docgraph.views.lanes.layout import Dash, dashes


@dataclass(frozen=True)
class TypeEntry:
    """One relation type: edges in the plan, edges cut from it, edges in the whole corpus, and whether it is allowed."""

    relation_type: str
    dash: Dash
    allowed: bool
    n_plan: int = 0
    n_cut: int = 0
    n_corpus: int = 0

    @property
    def count(self) -> str:
        """``2``, ``1 of 2`` when edges were cut, ``off``."""
        if not self.allowed:
            return "off"
        return f"{self.n_plan} of {self.n_plan + self.n_cut}" if self.n_cut else str(self.n_plan)


def legend(
    corpus: Mapping[str, int], names: Sequence[str], *, allowed: frozenset[str], plan: RetrievalPlan | None = None
) -> tuple[TypeEntry, ...]:
    """One entry for each of ``names``, in their order; ``corpus`` counts edges by type."""
    styles = dashes({name: corpus.get(name, 0) for name in (*corpus, *names)})
    used, cut = Counter[str](), Counter[str]()
    if plan is not None:
        used.update(via for _, via, _ in plan.edges)
        cut.update(reason.via for document in plan.cut for reason in document.reasons)
    return tuple(
        TypeEntry(name, styles[name], name in allowed, used[name], cut[name], corpus.get(name, 0)) for name in names
    )
