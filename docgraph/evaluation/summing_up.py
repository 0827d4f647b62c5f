"""Outcomes of questions summed up: means, differences with their certainty, and the same for slices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docgraph.domain.evaluation import Difference, Figure, Outcome, Slice
from docgraph.evaluation.measuring import NamedMeasure
from docgraph.evaluation.significance import corrected, interval, p_value


def figures(
    outcomes: Sequence[Outcome], configurations: Sequence[str], *, measures: Sequence[NamedMeasure]
) -> tuple[Figure, ...]:
    """The mean of each measure for each configuration, measure by measure, over the questions where it is known."""
    found = []
    for measure in measures:
        for name in configurations:
            known = [value for each in outcomes if (value := each.value(name, measure.name)) is not None]
            mean = sum(known) / len(known) if known else None
            found.append(Figure(configuration=name, measure=measure.name, mean=mean, n=len(known)))
    return tuple(found)


def differences(
    outcomes: Sequence[Outcome], configurations: Sequence[str], *, measures: Sequence[NamedMeasure]
) -> tuple[Difference, ...]:
    """From the first configuration to each other one, configuration by configuration, with intervals and p values."""
    a, *others = configurations
    made = [_difference(outcomes, a, b, measure=measure) for b in others for measure in measures]
    adjusted = corrected([each.p for each in made])
    n_tests = sum(each is not None for each in adjusted)
    return tuple(
        each.model_copy(update={"p_corrected": p, "n_tests": n_tests}) for each, p in zip(made, adjusted, strict=True)
    )


def slices(
    outcomes: Sequence[Outcome], configurations: Sequence[str], *, measures: Sequence[NamedMeasure]
) -> tuple[Slice, ...]:
    """The kinds by name, where there are several, then the two halves: means and mean differences, without a test."""
    kinds = sorted({each.kind for each in outcomes})
    wanted = [("kind", kind) for kind in kinds] if len(kinds) > 1 else []
    halves = {each.half for each in outcomes}
    if len(halves) > 1:
        wanted += [("half", "tune"), ("half", "hold_out")]
    return tuple(
        _slice([each for each in outcomes if getattr(each, by) == name], by, name, configurations, measures)
        for by, name in wanted
    )


def _slice(
    outcomes: Sequence[Outcome], by: str, name: str, configurations: Sequence[str], measures: Sequence[NamedMeasure]
) -> Slice:
    a, *others = configurations
    return Slice(
        by="kind" if by == "kind" else "half",
        name=name,
        n=len(outcomes),
        figures=figures(outcomes, configurations, measures=measures),
        differences=tuple(counted(outcomes, a, b, measure=measure) for b in others for measure in measures),
    )


def counted(outcomes: Sequence[Outcome], a: str, b: str, *, measure: NamedMeasure) -> Difference:
    """The mean difference and what became of the questions; a cost makes none of them better or worse."""
    known = _known(outcomes, a, b, measure.name)
    mean = sum(known) / len(known) if known else None
    made = Difference(a=a, b=b, measure=measure.name, mean=mean, n=len(known))
    if measure.is_cost:
        return made
    return made.model_copy(update=Counter(each.change(a, b, measure.name) for each in outcomes))


def _difference(outcomes: Sequence[Outcome], a: str, b: str, *, measure: NamedMeasure) -> Difference:
    """The same, with its interval; what is neither better nor worse is not tested."""
    known = _known(outcomes, a, b, measure.name)
    bounds = interval(known)
    low, high = bounds if bounds is not None else (None, None)
    p = None if measure.is_cost else p_value(known)
    return counted(outcomes, a, b, measure=measure).model_copy(update={"low": low, "high": high, "p": p})


def _known(outcomes: Sequence[Outcome], a: str, b: str, measure: str) -> list[float]:
    return [value for each in outcomes if (value := each.difference(a, b, measure)) is not None]
