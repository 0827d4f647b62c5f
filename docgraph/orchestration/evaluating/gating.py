"""The gates of an evaluation, as surfaces ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.evaluation import Evaluation, Gate, GateResult
from docgraph.evaluation.gates import check_against, check_gates, check_names, check_unread, parse_gate


def parse_gates(given: Iterable[str], configurations: Sequence[str], measures: Sequence[str]) -> tuple[Gate, ...]:
    """Gates as ``recall@5=0.85`` or ``on:recall@5=0.85``, over what is going to be measured (no measures = default).

    Raises RequestError, and NotFoundError for a name that will not be there.
    """
    gates = tuple(parse_gate(text) for text in given)
    check_names(gates, configurations, measures)
    return gates


def gated(
    evaluation: Evaluation, gates: Sequence[Gate], earlier: Evaluation | None = None, *, allow_unread: bool = False
) -> tuple[GateResult, ...]:
    """What holds of the gates, then whether every mean is what it was in ``earlier``.

    Where any is asked for, lines of the files that are not read fail too, unless ``allow_unread``: a question or a
    judgment that is missing can make a mean better. Raises NotFoundError for a gate over what was not measured,
    RequestError for one that cannot be.
    """
    found = check_gates(evaluation, gates)
    if earlier is not None:
        found = (*found, *check_against(evaluation, earlier))
    return found if allow_unread or not found else (*found, *check_unread(evaluation))
