"""What every tab of the Query sets page is given."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.query_set import QuerySetSummary
from docgraph.orchestration.docgraph import Docgraph


@dataclass(frozen=True)
class Desk:
    """The product over one workspace, the set that is chosen and its evaluation (``None``: there is none).

    ``who`` = the name that this session's reader signs with, empty while it is not known. ``may_write`` = whether they
    and this dashboard may change what is kept.
    """

    docgraph: Docgraph
    workspace: str
    chosen: QuerySetSummary | None
    evaluation: KeptEvaluation | None
    who: str
    may_write: bool
