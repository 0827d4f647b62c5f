"""docgraph: plan retrieval over related documents, see why each one is included, then execute the plan.

>>> import docgraph
>>> with docgraph.connect(workspace="harbor") as dg:                          # doctest: +SKIP
...     run = dg.run(docgraph.RetrievalRequest(query="Why did we leave the message broker?"))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import docgraph.domain.shown as _shown

if TYPE_CHECKING:
    from docgraph.aio import AsyncDocgraph, aconnect
    from docgraph.bootstrap import connect
    from docgraph.domain.comparison import Comparison
    from docgraph.domain.context import RetrievedContext
    from docgraph.domain.conversation import ConversationState, Turn
    from docgraph.domain.edit import Edit
    from docgraph.domain.evaluation import Evaluation, KeptEvaluation
    from docgraph.domain.finding import CheckReport, Finding, Rule
    from docgraph.domain.graph import Document, Relationship
    from docgraph.domain.impact import ImpactReport
    from docgraph.domain.judgment import Judgment, PassageJudgment
    from docgraph.domain.packet import (
        ConfidenceSummary,
        ContextCandidate,
        ContextPacket,
        NextAction,
        PacketRequest,
        RetrievalResponse,
    )
    from docgraph.domain.plan import RetrievalPlan, parse_plan
    from docgraph.domain.query_set import JudgedQuery, QuerySet, StoredQuerySet
    from docgraph.domain.request import RetrievalRequest
    from docgraph.domain.run import Run
    from docgraph.domain.saved_run import SavedRun
    from docgraph.domain.suggestion import Suggestion
    from docgraph.domain.vocabulary import Vocabulary
    from docgraph.errors import DocgraphError
    from docgraph.orchestration.docgraph import Docgraph
    from docgraph.views.notebook.page import display

_shown.drawn_by(lambda: importlib.import_module("docgraph.views.notebook.page"))

__version__ = "0.1.0"

__all__ = [
    "AsyncDocgraph",
    "CheckReport",
    "Comparison",
    "ConfidenceSummary",
    "ContextCandidate",
    "ContextPacket",
    "ConversationState",
    "Docgraph",
    "DocgraphError",
    "Document",
    "Edit",
    "Evaluation",
    "Finding",
    "ImpactReport",
    "JudgedQuery",
    "Judgment",
    "KeptEvaluation",
    "NextAction",
    "PacketRequest",
    "PassageJudgment",
    "QuerySet",
    "Relationship",
    "RetrievalPlan",
    "RetrievalRequest",
    "RetrievalResponse",
    "RetrievedContext",
    "Rule",
    "Run",
    "SavedRun",
    "StoredQuerySet",
    "Suggestion",
    "Turn",
    "Vocabulary",
    "__version__",
    "aconnect",
    "connect",
    "display",
    "parse_plan",
]

_HOMES = {
    "AsyncDocgraph": "docgraph.aio",
    "CheckReport": "docgraph.domain.finding",
    "Comparison": "docgraph.domain.comparison",
    "ConfidenceSummary": "docgraph.domain.packet",
    "ContextCandidate": "docgraph.domain.packet",
    "ContextPacket": "docgraph.domain.packet",
    "ConversationState": "docgraph.domain.conversation",
    "Docgraph": "docgraph.orchestration.docgraph",
    "DocgraphError": "docgraph.errors",
    "Document": "docgraph.domain.graph",
    "Edit": "docgraph.domain.edit",
    "Evaluation": "docgraph.domain.evaluation",
    "Finding": "docgraph.domain.finding",
    "ImpactReport": "docgraph.domain.impact",
    "JudgedQuery": "docgraph.domain.query_set",
    "Judgment": "docgraph.domain.judgment",
    "KeptEvaluation": "docgraph.domain.evaluation",
    "NextAction": "docgraph.domain.packet",
    "PacketRequest": "docgraph.domain.packet",
    "PassageJudgment": "docgraph.domain.judgment",
    "QuerySet": "docgraph.domain.query_set",
    "Relationship": "docgraph.domain.graph",
    "RetrievalPlan": "docgraph.domain.plan",
    "RetrievalRequest": "docgraph.domain.request",
    "RetrievalResponse": "docgraph.domain.packet",
    "RetrievedContext": "docgraph.domain.context",
    "Rule": "docgraph.domain.finding",
    "Run": "docgraph.domain.run",
    "SavedRun": "docgraph.domain.saved_run",
    "StoredQuerySet": "docgraph.domain.query_set",
    "Suggestion": "docgraph.domain.suggestion",
    "Turn": "docgraph.domain.conversation",
    "Vocabulary": "docgraph.domain.vocabulary",
    "aconnect": "docgraph.aio",
    "connect": "docgraph.bootstrap",
    "display": "docgraph.views.notebook.page",
    "parse_plan": "docgraph.domain.plan",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import docgraph`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'docgraph' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
