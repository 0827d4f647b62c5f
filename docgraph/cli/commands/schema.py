"""The command ``schema``: the published JSON Schemas of what docgraph reads and writes."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic import BaseModel

from docgraph.boundary.files.regular import reason_of
from docgraph.cli.session import JsonOption
from docgraph.cli.text.output import line, table, write_json
from docgraph.domain.calibration import CalibrationReport
from docgraph.domain.comparison import Comparison
from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.conversation import ConversationState, Turn
from docgraph.domain.evaluation import Evaluation, KeptEvaluation
from docgraph.domain.explanation import Explanation
from docgraph.domain.finding import CheckReport
from docgraph.domain.impact import ImpactReport
from docgraph.domain.imports.patch import SourcePatch
from docgraph.domain.imports.record import ImportDiff
from docgraph.domain.judgment import Judgment, PassageJudgment
from docgraph.domain.packet import PacketRequest, RetrievalResponse
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.query_set import StoredQuerySet
from docgraph.domain.report import IngestReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.errors import UserError

SchemaName = Literal[
    "assembled",
    "calibration-report",
    "check-report",
    "comparison",
    "context",
    "conversation-state",
    "evaluation",
    "explanation",
    "impact-report",
    "import-diff",
    "judgment",
    "kept-evaluation",
    "passage-judgment",
    "plan",
    "report",
    "request",
    "retrieval-request",
    "retrieval-response",
    "run",
    "saved-run",
    "source-patch",
    "stored-query-set",
    "turn",
]
SCHEMAS: dict[SchemaName, type[BaseModel]] = {
    "assembled": AssembledContext,
    "calibration-report": CalibrationReport,
    "check-report": CheckReport,
    "comparison": Comparison,
    "context": RetrievedContext,
    "conversation-state": ConversationState,
    "evaluation": Evaluation,
    "explanation": Explanation,
    "impact-report": ImpactReport,
    "import-diff": ImportDiff,
    "judgment": Judgment,
    "kept-evaluation": KeptEvaluation,
    "passage-judgment": PassageJudgment,
    "plan": RetrievalPlan,
    "report": IngestReport,
    "request": RetrievalRequest,
    "retrieval-request": PacketRequest,
    "retrieval-response": RetrievalResponse,
    "run": Run,
    "saved-run": SavedRun,
    "source-patch": SourcePatch,
    "stored-query-set": StoredQuerySet,
    "turn": Turn,
}
REQUESTS: tuple[SchemaName, ...] = ("request", "retrieval-request")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(name: SchemaName) -> dict[str, Any]:
    """The JSON Schema of ``name`` under its published field names."""
    content = SCHEMAS[name].model_json_schema(by_alias=True, mode="validation" if name in REQUESTS else "serialization")
    return {"$schema": DIALECT, **content}


def schema_text(name: SchemaName) -> str:
    """The schema as it stands in ``docs/schemas/<name>.json``."""
    return json_text.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n"


def schema(
    name: Annotated[SchemaName | None, typer.Argument(help="Schema to write; without one, all are listed.")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FOLDER", help="Write all schemas to a folder.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write the JSON Schema of a plan, a run or a report."""
    if write is not None:
        for each in SCHEMAS:
            _write(write / f"{each}.json", schema_text(each))
        line(f"Wrote {len(SCHEMAS)} schemas to {write}.", whole=True)
    elif name is not None:
        write_json(schema_of(name))
    elif json:
        write_json({"schemas": list(SCHEMAS)})
    else:
        table(
            ("schema", "of"), [(key, (model.__doc__ or "").split("\n")[0]) for key, model in SCHEMAS.items()], wrap=True
        )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"cannot write {str(path)!r}: {reason_of(error)}", hint="choose a folder you can write to"
        ) from error
