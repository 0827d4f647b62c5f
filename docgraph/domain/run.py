"""One whole trip: request, plan, context, assembled text, contract checks and the trace of its steps."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.frozen import Frozen
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest


class TraceStep(Frozen):
    """One step: what went in, what came out, how long it took (milliseconds), and the statements it sent."""

    name: str
    inputs: dict[str, Any] = Field(default_factory=dict)
    outputs: dict[str, Any] = Field(default_factory=dict)
    milliseconds: float
    statements: tuple[str, ...] = ()


class ContractCheck(Frozen):
    """One promise of a run, whether it was kept, and the number that shows it ("0 chunks from unplanned …")."""

    name: str
    title: str
    passed: bool
    detail: str = ""


class Run(Frozen):
    """Everything about one question: what was asked, what was planned, what came back, what was promised."""

    request: RetrievalRequest
    plan: RetrievalPlan
    context: RetrievedContext
    assembled: AssembledContext
    contract: tuple[ContractCheck, ...] = ()
    trace: tuple[TraceStep, ...] = ()
