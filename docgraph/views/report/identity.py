"""What identifies the two sides of a report: the parameters of both requests, and hashes of all that decides them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import docgraph
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.frozen import fingerprint
from docgraph.domain.overrides import edge_text
from docgraph.domain.saved_run import content_hash
from docgraph.views.words import counts
from docgraph.views.words.texts import line


@dataclass(frozen=True)
class Compared:
    """One line with a value for either side."""

    name: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        """Whether the two sides say different things."""
        return self.a != self.b


def parameters(comparison: Comparison) -> tuple[Compared, ...]:
    """Every field of both requests with the value it had in the end, those that differ first, then by name."""
    a, b = dict(_parameters(comparison.a)), dict(_parameters(comparison.b))
    rows = [Compared(name, a.get(name, counts.UNKNOWN), b.get(name, counts.UNKNOWN)) for name in {**a, **b}]
    return tuple(sorted(rows, key=lambda row: (not row.differs, row.name)))


def hashes(comparison: Comparison) -> tuple[Compared, ...]:
    """What identifies both runs, the data under them and the program that compared them."""
    a, b = comparison.a.run, comparison.b.run
    whole = fingerprint(comparison.model_dump(mode="json"))
    return (
        Compared("plan", a.plan.plan_id, b.plan.plan_id),
        Compared("content", content_hash(a), content_hash(b)),
        Compared("corpus revision", line(a.plan.corpus_revision), line(b.plan.corpus_revision)),
        Compared("embedder", line(a.plan.embedder_id), line(b.plan.embedder_id)),
        Compared("index", a.context.index, b.context.index),
        Compared("comparison", whole, whole),
        Compared("docgraph", docgraph.__version__, docgraph.__version__),
    )


def _parameters(side: Side) -> Iterator[tuple[str, str]]:
    """(name, value): what was asked for, and where the request leaves a limit open, what the plan took."""
    taken = side.run.plan.constraints.model_dump()
    asked = side.run.request.model_dump()
    overrides = asked.pop("overrides")
    taken.pop("overrides")
    asked.pop("query")
    for name in sorted({**taken, **asked}):
        value = asked.get(name)
        yield name, _shown(taken.get(name) if value is None else value, name)
    for name, values in overrides.items():
        edges = name == "without_edges"
        yield name, _shown([edge_text(v) for v in values] if edges else values, name)


def _shown(value: Any, name: str) -> str:
    if value is None:
        return "all" if name == "relation_types" else counts.UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return line(", ".join(map(str, value))) or "none"
    return f"{value:,}" if isinstance(value, int) else line(str(value))
