"""A ranking that docgraph did not make beside one of its runs: both orders, what is common, what matched nothing."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.comparison import Change, Figure, RelevantDocument, Role
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.domain.judgment import JudgedFigure
from docgraph.domain.plan import CutDocument, Reason
from docgraph.domain.run import Run


class RankedDocument(Frozen):
    """One document of a ranking: ``place`` from 1, ``given`` = the id under which it was found.

    ``score`` is the ranking's own, on a scale of its own: it is shown and never compared with docgraph's. ``None``
    where none was given.
    """

    document_id: Identifier
    title: str
    place: int = Field(ge=1)
    given: str
    score: float | None = None


class OwnRanking(Frozen):
    """What a retriever of somebody's own found, or a file says that it found, for one question.

    ``documents`` best first, each once. ``n_results`` = results as they were given (several may name one document).
    ``unknown`` = ids that name no document or chunk of the workspace. ``failure`` = why there is no ranking.
    """

    label: str
    source: Literal["retriever", "file"]
    documents: tuple[RankedDocument, ...] = ()
    n_results: int = Field(default=0, ge=0)
    unknown: tuple[str, ...] = ()
    failure: str = ""


class RankingRow(Frozen):
    """One document of either side: *kept* = both read it, *added* = docgraph alone, *left* = the ranking alone.

    ``place_a`` = its place in the ranking, also where that lies behind the ``k`` that are compared. ``score_a`` is the
    ranking's own; ``score_b`` = similarity of its best chunk that docgraph reads. ``reasons`` = the relationships that
    bring it into docgraph's plan. ``cut`` = which limit keeps it out, where the plan names it. ``relevant``: as people
    judged it; ``None`` = nobody did.
    """

    document_id: Identifier
    title: str
    change: Change
    place_a: int | None = None
    place_b: int | None = None
    score_a: float | None = None
    score_b: float | None = None
    role_b: Role | None = None
    n_chunks_b: int = 0
    reasons: tuple[Reason, ...] = ()
    cut: CutDocument | None = None
    relevant: bool | None = None


class RankingComparison(Frozen):
    """A ranking (A) beside docgraph's run with its plan (B).

    The first ``k`` documents of the ranking are compared: as many as docgraph's plan may read. ``rows``: B's in plan
    order, then those that the ranking alone has, in its order. ``figures`` are over documents. ``judged`` and
    ``relevant`` are empty when nobody judged a document of the question. Where the ranking failed there is B alone. The
    run carries no trace, so equal inputs give an equal value.
    """

    schema_version: Literal["1"] = "1"
    a: OwnRanking
    b: Run
    k: int = Field(ge=1)
    rows: tuple[RankingRow, ...] = ()
    figures: tuple[Figure, ...] = ()
    judged: tuple[JudgedFigure, ...] = ()
    relevant: tuple[RelevantDocument, ...] = ()
    sentence: str = ""

    def rows_with(self, change: Change) -> tuple[RankingRow, ...]:
        """The rows of one kind, in their order."""
        return tuple(row for row in self.rows if row.change == change)

    @property
    def lost(self) -> tuple[RelevantDocument, ...]:
        """The documents judged relevant that the ranking has among its first ``k`` and docgraph does not read."""
        return tuple(each for each in self.relevant if each.in_a and not each.in_b)
