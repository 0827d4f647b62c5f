"""Scores of every relationship and every limit over a query set: passages added, documents displaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from docgraph.domain.evaluation import Difference
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.query_set import Half

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


class BoilerplateTarget(Frozen):
    """A document to which very many relationships lead, or that very many questions get for nothing.

    ``linked_by`` = documents that lead to it. ``takes_no_place`` = so many do that plans pass it over
    (``max_linked_percent``). ``fired`` = questions into which a relationship brings it; ``bad`` = those in which it is
    judged not relevant. Where it takes places, no question has it judged relevant.
    """

    document_id: Identifier
    linked_by: int = 0
    takes_no_place: bool = False
    fired: int = 0
    bad: int = 0


class Scoreboard(Frozen):
    """The relationships of a workspace over a query set.

    ``edges``: stars by what is lost without them, free riders by tokens, others by questions; then dead ones by key, up
    to ``max_dead`` of ``n_dead``. ``types`` and ``extractors`` by questions. ``boilerplate`` by questions, then by how
    many documents lead there. ``n`` = questions that were planned, ``n_judged`` = those with a value of ``measure``.
    ``failures`` = (query_id, reason). ``stopped`` = ended early.
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
    boilerplate: tuple[BoilerplateTarget, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    def of_class(self, edge_class: EdgeClass) -> tuple[EdgeScore, ...]:
        """The relationships of one class, in their order."""
        return tuple(each for each in self.edges if each.edge_class == edge_class)


LimitField = Literal["max_documents", "max_expanded", "max_expanding_seeds", "max_fan_out"]
"""Limits of a request that are swept: documents in all, places kept for related ones, seeds that expand, fan-out."""


class LimitPoint(Frozen):
    """A limit at one value, over the questions of a set.

    ``documents`` and ``tokens`` = means of what is read. ``mean`` = that of the measure over the ``n`` questions of
    which it is known. ``found`` = relevant documents that are read, over all questions. ``None`` = not known.
    """

    value: int
    documents: float | None = None
    tokens: float | None = None
    mean: float | None = None
    n: int = 0
    found: int | None = None


class LimitSweep(Frozen):
    """One limit at several values, smallest first, everything else as it is today; ``today`` = its value now.

    ``without`` = the same with relationships off, where the limit still means something (``max_documents``).
    """

    field: LimitField
    today: int
    points: tuple[LimitPoint, ...]
    without: tuple[LimitPoint, ...] = ()

    def at(self, value: int) -> LimitPoint | None:
        """The point of one value; ``None`` when it was not tried."""
        return next((each for each in self.points if each.value == value), None)


class HalfEvidence(Frozen):
    """What a change of a limit does on one half of a set.

    ``found`` = relevant documents that are read today and after it, of ``n_relevant``. ``difference`` = of the measure,
    from today to it. ``tokens`` = how many more are read, on average. ``queries`` = ids of the questions whose value
    differs, those that gain most first.
    """

    half: Half
    found: tuple[int, int] = (0, 0)
    n_relevant: int = 0
    difference: Difference
    tokens: float | None = None
    queries: tuple[Identifier, ...] = ()


class LimitChange(Frozen):
    """One limit at the value that is best on the tune half, and what the hold-out half says of it.

    ``tune`` chose it, so it has no interval and no test. ``hold_out`` has both, corrected over all changes that are
    tested. ``holds`` = the hold-out half gains too, and that is more than chance (corrected p below 0.05).
    """

    field: LimitField
    before: int
    after: int
    tune: HalfEvidence
    hold_out: HalfEvidence
    holds: bool = False


class CapPressure(Frozen):
    """What every limit costs and gains over a query set, with the change that the set speaks for, if any.

    ``fields`` = of every request. ``changes``: at most one a limit, by their gain on the tune half. ``n`` = questions
    that were asked, ``n_judged`` = those with a value of ``measure``, ``n_relevant`` = documents known to be relevant
    to them. ``failures`` = (query_id, reason); such a question counts nowhere. ``stopped`` = ended early.
    """

    name: str
    workspace: str
    revision: str = ""
    measure: str
    fields: Mapping[str, Any] = Field(default_factory=dict)
    n: int = Field(ge=0)
    n_judged: int = Field(ge=0)
    n_relevant: int = Field(ge=0)
    sweeps: tuple[LimitSweep, ...] = ()
    changes: tuple[LimitChange, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    @property
    def suggested(self) -> LimitChange | None:
        """The first change that holds on the hold-out half; ``None``: keep today's settings."""
        return next((each for each in self.changes if each.holds), None)

    def sweep(self, field: LimitField) -> LimitSweep | None:
        """The sweep of one limit; ``None`` where the request leaves no choice."""
        return next((each for each in self.sweeps if each.field == field), None)
