"""The gates of an evaluation, as surfaces ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.evaluation import Evaluation, Gate, GateResult
from docgraph.evaluation.gates import check_against, check_gates, check_names, parse_gate


def parse_gates(given: Iterable[str], configurations: Sequence[str], measures: Sequence[str]) -> tuple[Gate, ...]:
    """Gates as ``recall@5=0.85`` or ``on:recall@5=0.85``, over what is going to be measured (no measures = default).

    Raises RequestError, and NotFoundError for a name that will not be there.
    """
    gates = tuple(parse_gate(text) for text in given)
    check_names(gates, configurations, measures)
    return gates


def gated(evaluation: Evaluation, gates: Sequence[Gate], earlier: Evaluation | None = None) -> tuple[GateResult, ...]:
    """What holds of the gates, then whether every mean is what it was in ``earlier``.

    Raises NotFoundError for a gate over what was not measured, RequestError for one that cannot be.
    """
    found = check_gates(evaluation, gates)
    return found if earlier is None else (*found, *check_against(evaluation, earlier))
