"""Plans, contexts, comparisons, checks and evaluations as data frames; pandas is loaded with the first of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from docgraph.boundary.installed import need_extra
from docgraph.domain.comparison import Comparison
from docgraph.domain.context import RetrievedContext
from docgraph.domain.evaluation import Evaluation, KeptEvaluation
from docgraph.domain.finding import CheckReport
from docgraph.domain.plan import Reason, RetrievalPlan

if TYPE_CHECKING:
    from pandas import DataFrame

Columns = Mapping[str, str]
"""Column → its type in pandas, in order."""

TEXT, WHOLE, NUMBER, YES = "object", "Int64", "float64", "boolean"
PLAN: Columns = {
    **{"place": WHOLE, "role": TEXT, "document_id": TEXT, "title": TEXT, "rank": WHOLE, "score": NUMBER},
    **{"expands": YES, "named": TEXT, "reasons": TEXT, "limit": TEXT},
}
CONTEXT: Columns = {
    **{"rank": WHOLE, "document_id": TEXT, "title": TEXT, "place": WHOLE, "chunk_id": TEXT, "heading_path": TEXT},
    **{"score": NUMBER, "words": NUMBER, "rerank_score": NUMBER, "ground": TEXT, "token_count": WHOLE, "text": TEXT},
}
DOCUMENTS: Columns = {
    **{"change": TEXT, "document_id": TEXT, "title": TEXT, "place_a": WHOLE, "place_b": WHOLE},
    **{"role_a": TEXT, "role_b": TEXT, "score": NUMBER, "n_chunks_a": WHOLE, "n_chunks_b": WHOLE},
    **{"n_tokens_a": WHOLE, "n_tokens_b": WHOLE, "reasons": TEXT, "left_because": TEXT},
}
CHUNKS: Columns = {
    **{"change": TEXT, "document_id": TEXT, "title": TEXT, "chunk_id": TEXT, "heading_path": TEXT},
    **{"rank_a": WHOLE, "rank_b": WHOLE, "place_a": WHOLE, "place_b": WHOLE, "score_a": NUMBER, "score_b": NUMBER},
    **{"token_count": WHOLE, "text": TEXT, "left_because": TEXT},
}
CHECKS: Columns = {
    **{"severity": TEXT, "check_id": TEXT, "sentence": TEXT, "n_questions": WHOLE, "document_ids": TEXT},
    **{"relationships": TEXT, "evidence": TEXT, "finding_id": TEXT},
}
EVALUATION: Columns = {
    **{"query_id": TEXT, "query": TEXT, "kind": TEXT, "half": TEXT, "configuration": TEXT},
    **{"documents": TEXT, "failure": TEXT},
}
FIGURES: Columns = {"configuration": TEXT, "measure": TEXT, "mean": NUMBER, "n": WHOLE}
ROLES = {"seed": "seed", "expanded": "related", None: None}


@singledispatch
def frame(value: Any) -> DataFrame:
    """A new data frame of a value; see the ``to_pandas`` of each kind for its columns."""
    raise TypeError(f"{type(value).__name__} has no data frame")


@frame.register(RetrievalPlan)
def _plan(plan: RetrievalPlan) -> DataFrame:
    seeds = ({**_fields(d, PLAN), "role": "seed", "reasons": _reasons(d.reasons)} for d in plan.seed_documents)
    related = ({**_fields(d, PLAN), "role": "related", "reasons": _reasons(d.reasons)} for d in plan.expanded_documents)
    cut = ({**_fields(d, PLAN), "role": "cut", "place": None, "reasons": _reasons(d.reasons)} for d in plan.cut)
    return _made([*seeds, *related, *cut], PLAN)


@frame.register(RetrievedContext)
def _context(context: RetrievedContext) -> DataFrame:
    places = {i: place for place, i in enumerate(context.document_ids, start=1)}
    titles = {d.document.document_id: d.document.title for d in context.documents}
    rows = (
        {
            **_fields(chunk, CONTEXT),
            "document_id": i,
            "title": titles[i],
            "place": places[i],
            "heading_path": _path(chunk.heading_path),
            "token_count": chunk.passage_tokens,
            "text": chunk.passage,
        }
        for i, chunk in context.ranked_chunks
    )
    return _made(rows, CONTEXT)


@frame.register(Comparison)
def _comparison(comparison: Comparison, *, of: str = "documents") -> DataFrame:
    if of == "chunks":
        found = (
            {
                **_fields(c, CHUNKS),
                "heading_path": _path(c.heading_path),
                "left_because": c.left_because.short if c.left_because else "",
            }
            for c in comparison.chunks
        )
        return _made(found, CHUNKS)
    rows = (
        {
            **_fields(d, DOCUMENTS),
            "role_a": ROLES[d.role_a],
            "role_b": ROLES[d.role_b],
            "reasons": _reasons(d.reasons),
            "left_because": d.left_because.short if d.left_because else "",
        }
        for d in comparison.documents
    )
    return _made(rows, DOCUMENTS)


@frame.register(CheckReport)
def _checks(report: CheckReport) -> DataFrame:
    rows = (
        {
            **_fields(f, CHECKS),
            "document_ids": " ".join(f.document_ids),
            "relationships": "; ".join(" ".join(key) for key in f.relationships),
        }
        for f in report.queue
    )
    return _made(rows, CHECKS)


@frame.register(Evaluation)
def _evaluation(evaluation: Evaluation) -> DataFrame:
    return _made(evaluation.rows, {**EVALUATION, **dict.fromkeys(evaluation.measures, NUMBER)})


@frame.register(KeptEvaluation)
def _kept(evaluation: KeptEvaluation) -> DataFrame:
    return _made((_fields(figure, FIGURES) for figure in evaluation.figures), FIGURES)


def _made(rows: Iterable[Mapping[str, Any]], columns: Columns) -> DataFrame:
    need_extra("pandas", "a data frame")
    import pandas as pd  # half a second, for those alone who ask for a frame

    made = pd.DataFrame(list(rows), columns=list(columns), dtype=object)
    return made.astype(dict(columns))


def _fields(value: Any, columns: Columns) -> dict[str, Any]:
    return {name: getattr(value, name, None) for name in columns}


def _reasons(reasons: Iterable[Reason]) -> str:
    return "; ".join(f"{reason.via} from {reason.from_document_id}" for reason in reasons)


def _path(headings: Iterable[str]) -> str:
    return " > ".join(headings)
