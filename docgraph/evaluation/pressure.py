"""Adds up what limits do over a set, and says which change the tune half speaks for and the hold-out half bears out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.evaluation import EQUAL, Answer, Difference, Outcome
from docgraph.domain.query_set import Half
from docgraph.domain.scoreboard import HalfEvidence, LimitChange, LimitPoint, LimitSweep
from docgraph.evaluation.measuring import NamedMeasure
from docgraph.evaluation.summing_up import counted, differences

TODAY = "today"
"""The name of the setting that nothing is changed of."""

SURE = 0.05
"""A change holds when its corrected p on the hold-out half is below."""

_ANSWERED = Answer()


@dataclass(frozen=True)
class Read:
    """What one setting read for one question; ``found`` = relevant documents among them."""

    value: float | None
    found: int
    documents: float
    tokens: float


@dataclass(frozen=True)
class Tried:
    """One question under every setting, by the setting's name."""

    query_id: str
    half: Half
    n_relevant: int
    reads: Mapping[str, Read]


def point(tried: Sequence[Tried], name: str, *, value: int) -> LimitPoint:
    """One setting over all questions."""
    reads = [each.reads[name] for each in tried]
    known = [each.value for each in reads if each.value is not None]
    return LimitPoint(
        value=value,
        documents=_mean([each.documents for each in reads]),
        tokens=_mean([each.tokens for each in reads]),
        mean=_mean(known),
        n=len(known),
        found=sum(each.found for each in reads) if any(each.n_relevant for each in tried) else None,
    )


def changes(
    tried: Sequence[Tried], sweeps: Sequence[LimitSweep], *, name: Callable[[LimitSweep, int], str], measure: str
) -> tuple[LimitChange, ...]:
    """For every limit the value that gains most on the tune half, where one gains; the largest gain first.

    Of equal gains the one that reads fewest tokens is taken, then the one nearest to today. Questions that are held
    out have no part in that: they only say of each change whether it holds.
    """
    tune = [each for each in tried if each.half == "tune"]
    held_out = [each for each in tried if each.half == "hold_out"]
    best = [found for each in sweeps if (found := _best(tune, each, name=name)) is not None]
    best.sort(key=lambda found: (-found[1], found[0].field))
    names = [name(sweep, value) for sweep, _, value in best]
    tested = _tested(held_out, names, measure=measure)
    made = []
    for (sweep, _, value), changed, difference in zip(best, names, tested, strict=True):
        chose = counted(_outcomes(tune, [changed], measure=measure), TODAY, changed, measure=NamedMeasure(measure))
        made.append(
            LimitChange(
                field=sweep.field,
                before=sweep.today,
                after=value,
                tune=_evidence(tune, "tune", changed=changed, difference=chose),
                hold_out=_evidence(held_out, "hold_out", changed=changed, difference=difference),
                holds=_holds(difference),
            )
        )
    return tuple(made)


def _best(
    tune: Sequence[Tried], sweep: LimitSweep, *, name: Callable[[LimitSweep, int], str]
) -> tuple[LimitSweep, float, int] | None:
    """(sweep, gain, value); ``None`` where nothing is judged, or no value is better than today's."""
    now = point(tune, TODAY, value=sweep.today).mean
    if now is None:
        return None
    found = []
    for each in sweep.points:
        here = point(tune, name(sweep, each.value), value=each.value)
        gain = round((here.mean or 0.0) - now, 12)  # equal gains are equal, whatever the rounding of their sums
        if gain > EQUAL:
            found.append((-gain, here.tokens or 0.0, abs(each.value - sweep.today), each.value))
    if not found:
        return None
    loss, _, _, value = min(found)
    return sweep, -loss, value


def _tested(held_out: Sequence[Tried], names: Sequence[str], *, measure: str) -> tuple[Difference, ...]:
    if not names:
        return ()
    outcomes = _outcomes(held_out, names, measure=measure)
    return differences(outcomes, (TODAY, *names), measures=[NamedMeasure(measure)])


def _outcomes(tried: Sequence[Tried], names: Sequence[str], *, measure: str) -> list[Outcome]:
    """The questions as an evaluation of today's setting and others has them."""
    every = (TODAY, *names)
    return [
        Outcome(
            query_id=each.query_id,
            query=each.query_id,
            half=each.half,
            n_relevant=each.n_relevant,
            answers=dict.fromkeys(every, _ANSWERED),
            values={one: {measure: each.reads[one].value} for one in every},
        )
        for each in tried
    ]


def _evidence(tried: Sequence[Tried], half: Half, *, changed: str, difference: Difference) -> HalfEvidence:
    pairs = [(each.reads[TODAY], each.reads[changed]) for each in tried]
    return HalfEvidence(
        half=half,
        found=(sum(now.found for now, _ in pairs), sum(then.found for _, then in pairs)),
        n_relevant=sum(each.n_relevant for each in tried),
        difference=difference,
        tokens=_mean([then.tokens - now.tokens for now, then in pairs]),
        queries=_differing(tried, changed),
    )


def _differing(tried: Sequence[Tried], changed: str) -> tuple[str, ...]:
    gains = []
    for each in tried:
        now, then = each.reads[TODAY].value, each.reads[changed].value
        if now is not None and then is not None and abs(then - now) > EQUAL:
            gains.append((now - then, each.query_id))
    return tuple(query_id for _, query_id in sorted(gains))


def _holds(difference: Difference) -> bool:
    known = difference.mean is not None and difference.p_corrected is not None
    return known and (difference.mean or 0.0) > 0 and (difference.p_corrected or 0.0) < SURE


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
