"""What the page is about: the workspace, the chosen set, its evaluations, and who works."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.query_set import QuerySetSummary
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.parts.runs.saving import person_name


@dataclass(frozen=True)
class Scope:
    """The product over one workspace, the set that is chosen and its evaluation (``None``: there is none).

    ``evaluation`` = the one that the address names, else the newest that has an outcome. ``who`` = the name that this
    session's reader signs with, empty while it is not known. ``may_write`` = whether they and this dashboard may change
    what is kept. ``runs`` = all evaluations of the set, newest first.
    """

    docgraph: Docgraph
    workspace: str
    chosen: QuerySetSummary | None
    evaluation: KeptEvaluation | None
    who: str
    may_write: bool
    runs: tuple[KeptEvaluation, ...] = field(default=(), repr=False)

    @property
    def newest(self) -> KeptEvaluation | None:
        """The evaluation that was begun last."""
        return self.runs[0] if self.runs else None

    @property
    def pinned(self) -> KeptEvaluation | None:
        """The baseline: the newest pinned one that is whole and is not the one that is shown."""
        shown = self.evaluation.evaluation_id if self.evaluation else ""
        return next((each for each in self.runs if each.pinned and each.whole and each.evaluation_id != shown), None)


def scope_of(docgraph: Docgraph, chosen: QuerySetSummary, *, may_write: bool) -> Scope:
    """The scope of a set, with the evaluation that the address names, else the newest that has an outcome."""
    runs = docgraph.query_sets.runs(chosen.name)
    asked = st.query_params.get("evaluation", "")
    named = next((each for each in runs if asked and each.evaluation_id == asked), None)
    shown = named or next((each for each in runs if each.n), None)
    return Scope(docgraph, docgraph.workspace_name, chosen, shown, person_name(), may_write, runs)
