"""Gates: whether an evaluation reaches what it has to, and whether it is as good as an earlier one."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.evaluation import EQUAL, NEUTRAL, Evaluation, Gate, GateResult
from docgraph.errors import NotFoundError, RequestError
from docgraph.evaluation.measuring import canonical

SHOWN = 5
"""Questions that a line names."""


def parse_gate(text: str) -> Gate:
    """``recall@5=0.85`` or ``on:recall@5=0.85``. Raises RequestError."""
    named, separator, number = text.rpartition("=")
    configuration, _, measure = named.rpartition(":")
    try:
        at_least = float(number)
    except ValueError:
        at_least = -1.0
    if not separator or not measure.strip() or not 0.0 <= at_least <= 1.0:  # NaN is in no order with either
        raise RequestError(f"{text[:60]!r} is no gate", hint="write MEASURE=MINIMUM, such as recall@5=0.85")
    return Gate(measure=canonical(measure), at_least=at_least, configuration=configuration.strip())


def check_names(gates: Sequence[Gate], configurations: Sequence[str], measures: Sequence[str]) -> None:
    """Raises what ``check_gates`` raises for names, before anything is asked; empty ``measures`` = not known yet."""
    named = tuple(map(canonical, measures))
    for gate in gates:
        if gate.measure in NEUTRAL:
            raise RequestError(f"{gate.measure} is a cost: it has no minimum", hint="gate a measure of relevance")
        if (named and gate.measure not in named) or gate.configuration not in ("", *configurations):
            name, there = gate.configuration or configurations[-1], (*named, *configurations)
            raise NotFoundError(
                f"nothing is measured under {name[:40]}:{gate.measure[:40]}", hint=f"there is: {', '.join(there)}"
            )


def check_gates(evaluation: Evaluation, gates: Sequence[Gate]) -> tuple[GateResult, ...]:
    """One result a gate, in their order: a mean that is not known has not been reached, nor is one that failed.

    Raises NotFoundError for a measure or a configuration that the evaluation does not have, and RequestError for a
    cost: it has no minimum.
    """
    check_names(gates, [each.name for each in evaluation.configurations], evaluation.measures)
    return tuple(_checked(evaluation, gate) for gate in gates)


def _checked(evaluation: Evaluation, gate: Gate) -> GateResult:
    name = gate.configuration or evaluation.configurations[-1].name
    figure, title = evaluation.figure(name, gate.measure), f"{name}: {gate.measure}"
    if figure is None or figure.mean is None:
        return GateResult(name=title, passed=False, sentence=f"{title} is not known: no question is judged")
    if failed := tuple(dict.fromkeys(query_id for query_id, of, _ in evaluation.failures if of == name)):
        return GateResult(name=title, passed=False, sentence=f"{title}: {_some(failed)} got no answer", queries=failed)
    passed = figure.mean >= gate.at_least - EQUAL
    sign = "≥" if passed else "<"
    return GateResult(name=title, passed=passed, sentence=f"{title} {figure.mean:.3f} {sign} {gate.at_least:g}")


def check_unread(evaluation: Evaluation) -> tuple[GateResult, ...]:
    """One result that fails, where lines of the files were not read; none where all were."""
    unread = evaluation.unread
    if not unread:
        return ()
    title, n = "every line is read", len(unread)
    said = f"{n:,} {'line is' if n == 1 else 'lines are'} not read: {_some([each.place for each in unread])}"
    return (GateResult(name=title, passed=False, sentence=f"{said}; {unread[0].reason}"),)


def check_against(evaluation: Evaluation, earlier: Evaluation) -> tuple[GateResult, ...]:
    """Whether the means of every configuration that both have are what they were, over the questions that both asked.

    Costs do not count. Raises RequestError where there is nothing to compare.
    """
    before = {outcome.query_id: outcome for outcome in earlier.outcomes}
    names = [c.name for c in evaluation.configurations if c.name in {e.name for e in earlier.configurations}]
    measures = [m for m in evaluation.measures if m in earlier.measures and m not in NEUTRAL]
    common = [outcome for outcome in evaluation.outcomes if outcome.query_id in before]
    if not (names and measures and common):
        missing = "question" if not common else "configuration" if not names else "measure"
        raise RequestError(
            f"the earlier evaluation {earlier.name[:60]!r} has no {missing} of this one",
            hint="give a file that docgraph evaluate --json wrote over the same questions",
        )
    found = []
    for name in names:
        for measure in measures:
            pairs = [
                (outcome.query_id, then, now)
                for outcome in common
                if (then := before[outcome.query_id].value(name, measure)) is not None
                and (now := outcome.value(name, measure)) is not None
            ]
            lost = tuple(
                outcome.query_id
                for outcome in common
                if before[outcome.query_id].value(name, measure) is not None and outcome.value(name, measure) is None
            )
            found.append(_held(f"{name}: {measure}", pairs, lost))
    return tuple(found)


def _held(title: str, pairs: Sequence[tuple[str, float, float]], lost: tuple[str, ...]) -> GateResult:
    if lost:
        return GateResult(
            name=title, passed=False, sentence=f"{title}: {_some(lost)} had a value and has none now", queries=lost
        )
    if not pairs:
        return GateResult(name=title, passed=True, sentence=f"{title} is not known, then as now")
    then = sum(before for _, before, _ in pairs) / len(pairs)
    now = sum(after for _, _, after in pairs) / len(pairs)
    worse = tuple(query_id for query_id, before, after in pairs if after < before - EQUAL)
    passed = now >= then - EQUAL
    sentence = f"{title} {then:.3f} → {now:.3f}"
    return GateResult(
        name=title, passed=passed, sentence=f"{sentence}, worse: {_some(worse)}" if worse else sentence, queries=worse
    )


def _some(query_ids: Sequence[str]) -> str:
    more = f" and {len(query_ids) - SHOWN:,} more" if len(query_ids) > SHOWN else ""
    return f"{', '.join(query_ids[:SHOWN])}{more}"
