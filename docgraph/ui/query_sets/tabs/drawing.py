"""The lines over time as a box: on the Questions tab in small, on History at its width."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.ui.frame import escape
from docgraph.views.query_sets.history import chart_html, labels, look, points
from docgraph.views.words.counts import plural
from docgraph.views.words.evaluation import measure_title


def history_html(
    runs: Sequence[KeptEvaluation],
    measure: str,
    *,
    gate: str,
    height: int,
    most: int,
    of: Collection[str] = (),
    most_feet: int = 8,
) -> str:
    """Head, lines and feet; empty while no whole evaluation has the measure. ``gate`` as the address names it.

    ``of`` = the configurations that are drawn; without them all.
    """
    drawn = points(runs, measure, most=most)
    names = {name: label for name, label in labels(runs, measure).items() if not of or name in of}
    if not drawn:
        return ""
    chart = chart_html(drawn, names, measure=measure, height=height, gate=_minimum(gate, measure), most_feet=most_feet)
    legend = "".join(
        f'<span><i class="qs-key qs-line-{look(place)}"><i class="qs-point qs-line-{look(place)}"></i></i>'
        f"{escape.html(escape.shorten(label, 24))}</span>"
        for place, label in enumerate(names.values())
    )
    n_open = sum(not each.whole for each in runs)
    rest = f'<p class="qs-note">{plural(n_open, "unfinished evaluation")} not shown.</p>' if n_open else ""
    return (
        f'<div class="qs-boxhead"><h2 class="dg-h2">History, {escape.html(measure_title(measure))}</h2>'
        f'<p class="qs-keys">{legend}</p></div>{chart}{rest}'
    )


def _minimum(gate: str, measure: str) -> float | None:
    """The height of the gate, where it is one of this measure."""
    named, _, number = gate.rpartition("=")
    try:
        return float(number) if named.rpartition(":")[2] == measure else None
    except ValueError:
        return None
