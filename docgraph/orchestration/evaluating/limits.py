"""Runs a query set with every value of every limit, and recommends a change of settings."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from docgraph.boundary.records import as_request
from docgraph.domain.evaluation import Outcome
from docgraph.domain.query_set import QuerySet
from docgraph.domain.scoreboard import CapPressure, LimitField, LimitSweep
from docgraph.errors import RequestError
from docgraph.evaluation.pressure import TODAY, Read, Tried, changes, point
from docgraph.orchestration.evaluating.evaluate import GivenQuery, matched_set, outcomes_of, set_of, way_to_ask
from docgraph.orchestration.judgments import with_judgments
from docgraph.orchestration.session import HasSession, Session
from docgraph.planning.limits import Limits, decide_limits
from docgraph.ports import Progress

MEASURE = "recall@100"
"""Of all relevant documents those that are read: a plan has at most 100, whatever its limits."""

FIELDS: tuple[LimitField, ...] = get_args(LimitField)
MAX_DOCUMENTS, MAX_RELATED, MAX_EXPANDING = 12, 8, 6
FAN_OUTS = (1, 2, 3, 4, 5, 8)
MAX_VALUES = 50
"""Values of one limit: every one is a plan more for every question."""

_HINT = f"give LIMIT → values: {', '.join(FIELDS)}"


def limits(
    self: HasSession,
    queries: str | QuerySet | Iterable[GivenQuery],
    *,
    measure: str = MEASURE,
    request: Mapping[str, Any] | None = None,
    values: Mapping[LimitField, Iterable[int]] | None = None,
    workers: int = 2,
    progress: Progress | None = None,
) -> CapPressure:
    """Cost and gain of every limit over a query set, and the change of settings that it supports; read-only.

    ``queries`` = the name of a query set, or questions as ``Docgraph.evaluate`` takes them. Each limit is set to each
    of its values, one at a time: documents in all (1 to 12, with and without relationships), related documents,
    expanding seeds, fan-out; ``values`` names others. The rest is as ``request`` has it, and the current value is
    always included. Every value gives what ``Docgraph.evaluate`` gives for it. ``measure`` = recall over everything
    that is read, by default. The best value on the tuning half is tested on the held-out half
    (``CapPressure.changes``). All settings of a question read one snapshot. ``progress`` receives (n, N) questions and
    may stop the work. Raises UserError for an invalid request, before anything is asked.
    """
    session, started = self.session, time.monotonic()
    given = _kept(session, queries) if isinstance(queries, str) else set_of(queries)
    settings = _settings(dict(request or {}), values or {})
    way = way_to_ask(
        session,
        settings.asked,
        measures=(measure, "tokens", "documents"),
        request=None,
        workers=workers,
    )
    wanted = way.measures[0]
    if wanted.is_cost:
        raise RequestError(f"{wanted.name} is a cost: no limit is good or bad by it", hint="name recall@6")
    matched, _, revision = matched_set(session, given)
    tried, failures, n_asked = list[Tried](), list[tuple[str, str]](), 0
    for outcome in outcomes_of(way, matched, revision, progress=progress):
        n_asked += 1
        reason = next((answer.failure for answer in outcome.answers.values() if answer.failure), "")
        if reason:
            failures.append((outcome.query_id, reason))
        else:
            tried.append(_tried(outcome, wanted.name))
    sweeps = settings.sweeps(tried)
    return CapPressure(
        name=given.name,
        workspace=session.workspace,
        revision=revision,
        measure=wanted.name,
        fields=settings.fields,
        n=len(tried),
        n_judged=sum(each.reads[TODAY].value is not None for each in tried),
        n_relevant=sum(each.n_relevant for each in tried),
        sweeps=sweeps,
        changes=changes(tried, sweeps, name=settings.name, measure=wanted.name),
        failures=tuple(failures),
        stopped=n_asked < len(matched.queries),
        seconds=time.monotonic() - started,
    )


def _kept(session: Session, name: str) -> QuerySet:
    """A kept set with what people judged. Raises NotFoundError."""
    return with_judgments(session, session.query_sets.query_set(session.workspace, name).query_set)


def _tried(outcome: Outcome, measure: str) -> Tried:
    """What is kept of a question: numbers alone, however many settings there are."""
    reads = {
        name: Read(
            value=outcome.value(name, measure),
            found=outcome.n_relevant_read.get(name, 0),
            documents=float(len(answer.documents)),
            tokens=float(answer.tokens or 0),
        )
        for name, answer in outcome.answers.items()
    }
    return Tried(outcome.query_id, outcome.half, outcome.n_relevant, reads)


@dataclass
class _Settings:
    """Every setting that is asked, by name; two values that come to the same limits are one."""

    fields: dict[str, Any]
    now: Limits
    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[tuple[Limits, bool], str] = field(default_factory=dict)
    of: dict[LimitField, dict[int, str]] = field(default_factory=dict)
    without: dict[int, str] = field(default_factory=dict)

    def add(self, name: str, changed: Mapping[str, Any]) -> str | None:
        """The name of the setting; ``None`` for one that no request can have."""
        fields = {**self.fields, **changed}
        try:
            asked = as_request({**fields, "query": "?"})
        except RequestError:
            return None
        known = self.names.setdefault((decide_limits(asked), asked.use_relationships), name)
        if known == name:
            self.asked[name] = fields
        return known

    def name(self, sweep: LimitSweep, value: int) -> str:
        """The setting of one point."""
        return self.of[sweep.field][value]

    def sweeps(self, tried: Sequence[Tried]) -> tuple[LimitSweep, ...]:
        """Those limits of which there is a choice."""
        return tuple(
            LimitSweep(
                field=limit,
                today=getattr(self.now, limit),
                points=tuple(point(tried, name, value=value) for value, name in sorted(named.items())),
                without=tuple(point(tried, name, value=value) for value, name in sorted(self.without.items()))
                if limit == "max_documents"
                else (),
            )
            for limit, named in self.of.items()
            if len(named) > 1
        )


def _settings(fields: dict[str, Any], values: Mapping[LimitField, Iterable[int]]) -> _Settings:
    """Today's setting first. Raises RequestError for what is no request, and for values of no limit."""
    base = as_request({**fields, "query": "?"})
    if not base.use_relationships:
        raise RequestError("without relationships three of four limits mean nothing", hint="leave use_relationships on")
    now = decide_limits(base)
    made = _Settings(fields, now)
    made.add(TODAY, {})
    for limit, wanted in _values(now, values).items():
        made.of[limit] = {getattr(now, limit): TODAY}
        for value in wanted:
            name = made.add(f"{limit}={value}", {limit: value})
            if name is not None:
                made.of[limit].setdefault(value, name)
    for value in made.of.get("max_documents", ()):
        off = made.add(f"off, max_documents={value}", {"use_relationships": False, "max_documents": value})
        if off is not None:
            made.without[value] = off
    return made


def _values(now: Limits, given: Mapping[LimitField, Iterable[int]]) -> dict[LimitField, list[int]]:
    """The values of each limit, smallest first: those that were given, of none given all limits at their usual ones."""
    usual: dict[LimitField, Iterable[int]] = {
        "max_documents": range(1, MAX_DOCUMENTS + 1),
        "max_expanded": range(min(now.max_documents - 1, MAX_RELATED) + 1),
        "max_expanding_seeds": range(1, min(now.max_seeds, MAX_EXPANDING) + 1),
        "max_fan_out": FAN_OUTS,
    }
    unknown = [str(each) for each in given if each not in usual]
    if unknown:
        raise RequestError(f"{unknown[0][:60]!r} is not a limit that can be varied", hint=_HINT)
    found: dict[LimitField, list[int]] = {}
    for limit, wanted in (given or usual).items():
        asked = list(wanted)
        if len(asked) > MAX_VALUES or any(isinstance(each, bool) or not isinstance(each, int) for each in asked):
            raise RequestError(
                f"the values of {limit} are not at most {MAX_VALUES} whole numbers", hint="give a list of numbers"
            )
        found[limit] = sorted({*asked, getattr(now, limit)})
    return found
