"""Cap pressure on a terminal: every limit at every value, and what the set speaks for."""

from __future__ import annotations

import json

from docgraph.cli.text.output import heading, line, table
from docgraph.domain.scoreboard import CapPressure, LimitPoint, LimitSweep
from docgraph.views.words.evaluation import (
    LIMIT_TITLES,
    asked_of,
    change_words,
    found_words,
    mean_words,
    proof_words,
    settings_to_copy,
    suggestion_reason,
    suggestion_title,
    title_of,
    tokens_words,
)

SHOWN = 10
_HEADS = ("value", "relevant read", "measure", "documents", "tokens")


def show_limits(found: CapPressure) -> None:
    """The sweeps, one a table, then the suggestion with its evidence."""
    line((f"{found.name}: {asked_of(found)}", "bold"), (f"  ({found.seconds:.1f} s)", "dim"))
    for sweep in found.sweeps:
        _sweep(found, sweep)
    heading(suggestion_title(found))
    line(suggestion_reason(found))
    for each in found.changes:
        said = f"{change_words(each)}: tune {found_words(each.tune)}; hold-out {proof_words(each, found.measure)}"
        line(f"{said}; {tokens_words(each)}")
    if (change := found.suggested) is not None:
        line(f"to copy: {json.dumps(settings_to_copy(found, change))}")
    line(("no setting is changed by this", "dim"))
    if found.failures:
        heading("No answer", f"{min(len(found.failures), SHOWN):,} of {len(found.failures):,}; --json lists all")
        table(("id", "reason"), found.failures[:SHOWN], wrap=True)


def _sweep(found: CapPressure, sweep: LimitSweep) -> None:
    aside = f"relevant documents read, of {found.n_relevant:,}; {title_of(found.measure)}; today {sweep.today:,}"
    heading(LIMIT_TITLES[sweep.field], aside)
    without = {each.value: each for each in sweep.without}
    heads = (*_HEADS, "read without") if without else _HEADS
    rows = []
    for each in sweep.points:
        row = (
            f"{each.value:,}{' today' if each.value == sweep.today else ''}",
            each.found,
            mean_words(each.mean, found.measure),
            mean_words(each.documents, "documents"),
            mean_words(each.tokens, "tokens"),
        )
        rows.append((*row, _found(without.get(each.value))) if without else row)
    table(heads, rows, right=heads[1:])


def _found(each: LimitPoint | None) -> int | None:
    return None if each is None else each.found
