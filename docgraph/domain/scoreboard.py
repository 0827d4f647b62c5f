"""What every relationship does over a query set: where it fires, what it brings and costs, what is lost without."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.overrides import EdgeKey

EdgeClass = Literal["star", "free_rider", "dead", "other"]
"""*star*: without it some judged question gets worse and none better. *free_rider*: it brings passages, nothing that
is judged relevant among them, and no judged question gets worse without it. *dead*: it fires for no question."""


class EdgeScore(Frozen):
    """One relationship, or all of one type or extractor, over the questions of a set.

    ``fired`` = questions whose plan it brings a document into, alone or with others. ``put_in`` = chunks of those
    documents that are read, ``tokens`` theirs, ``best_score`` the best similarity among them. ``pushed_out`` = chunks
    that would be read without it and are not. ``good`` and ``bad`` = documents brought in that are judged relevant, or
    not relevant, counted once a question. ``worse_without`` and ``better_without`` = judged questions whose value of
    the measure falls or rises when this relationship alone is left out: ``None`` for types and extractors, and where
    nothing was left out. ``queries`` = ids of the questions in which it fires.
    """

    key: EdgeKey | None = None
    name: str = ""
    relation_type: str = ""
    extractor: str = ""
    fired: int = 0
    put_in: int = 0
    tokens: int = 0
    best_score: float | None = None
    pushed_out: int = 0
    good: int = 0
    bad: int = 0
    worse_without: int | None = None
    better_without: int | None = None
    edge_class: EdgeClass = "other"
    queries: tuple[str, ...] = ()


class Scoreboard(Frozen):
    """The relationships of a workspace over a query set.

    ``edges``: stars by what is lost without them, free riders by tokens, others by questions; then dead ones by key, up
    to ``max_dead`` of ``n_dead``. ``types`` and ``extractors`` by questions. ``n`` = questions that were planned,
    ``n_judged`` = those with a value of ``measure``. ``failures`` = (query_id, reason). ``stopped`` = ended early.
    """

    name: str
    workspace: str
    revision: str = ""
    measure: str
    n: int = Field(ge=0)
    n_judged: int = Field(ge=0)
    n_relationships: int = Field(ge=0)
    n_dead: int = Field(ge=0)
    edges: tuple[EdgeScore, ...] = ()
    types: tuple[EdgeScore, ...] = ()
    extractors: tuple[EdgeScore, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    def of_class(self, edge_class: EdgeClass) -> tuple[EdgeScore, ...]:
        """The relationships of one class, in their order."""
        return tuple(each for each in self.edges if each.edge_class == edge_class)
