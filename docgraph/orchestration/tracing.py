"""Records the steps of a run: what went in, what came out, how long it took, what was sent to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.run import TraceStep
from docgraph.ports import Snapshot
from docgraph.ports.spans import Spans, no_spans


@dataclass
class OpenStep:
    """A step while it runs; set ``outputs`` before it ends, and ``watched``: what a span says of it."""

    outputs: dict[str, Any] = field(default_factory=dict)
    watched: dict[str, Any] = field(default_factory=dict)


KINDS = {"embed query": "EMBEDDING", "execute": "RETRIEVER"}
"""Step → its kind as OpenInference has it; all others are links of a CHAIN."""


class Tracer:
    """Collects steps in the order in which they ended; ``clock`` gives seconds, ``spans`` tells whoever watches."""

    def __init__(self, clock: Callable[[], float], spans: Spans = no_spans) -> None:
        self._clock, self._spans = clock, spans
        self._steps: list[TraceStep] = []

    def copy(self) -> Tracer:
        """Another trace that begins with the steps of this one."""
        other = Tracer(self._clock, self._spans)
        other._steps = list(self._steps)
        return other

    @property
    def steps(self) -> tuple[TraceStep, ...]:
        """The finished steps."""
        return tuple(self._steps)

    @contextmanager
    def step(self, name: str, inputs: dict[str, Any], snapshot: Snapshot | None = None) -> Iterator[OpenStep]:
        """Time one step; statements sent through ``snapshot`` meanwhile belong to it."""
        step, started = OpenStep(), self._clock()
        with self._spans(name.replace(" ", "_"), {"openinference.span.kind": KINDS.get(name, "CHAIN")}) as tell:
            yield step
            tell(step.watched)
        milliseconds = round((self._clock() - started) * 1000, 3)
        statements = snapshot.statements() if snapshot else ()
        self._steps.append(
            TraceStep(name=name, inputs=inputs, outputs=step.outputs, milliseconds=milliseconds, statements=statements)
        )
