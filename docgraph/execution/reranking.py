"""The reranker that a plan names, asked for its scores of passages: this one or nobody, all of them or an error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from operator import index

from docgraph.domain.plan import RetrievalPlan
from docgraph.errors import DocgraphError, EmbedderError, PlanError
from docgraph.ports.retrieval import NamedReranker

Read = Callable[[Sequence[str]], Sequence[float]]
FAULT = "this is a fault of the reranker plug-in: reranker = none does without"


def reading(plan: RetrievalPlan, reranker: NamedReranker | None) -> Read | None:
    """What gives the plan's reranker's scores of texts, in their order; None where the plan names nobody.

    Raises PlanError where ``reranker`` is not the one that the plan names: another would choose other passages.
    """
    wanted = plan.constraints.reranker
    if not wanted:
        return None
    if reranker is None or reranker.model_id != wanted:
        here = "none is configured" if reranker is None else f"{reranker.model_id!r} is configured"
        raise PlanError(
            f"the plan's passages are chosen with the reranker {wanted!r}, but here {here}",
            hint="set reranker and reranker_model to that one, or build the plan again from its query",
        )
    return partial(_scores, reranker, plan.query)


def checked_scores(reranker: NamedReranker, query: str, texts: Sequence[str]) -> dict[int, float]:
    """Place of a text → its score, of those that were scored.

    Raises EmbedderError for places that are none, scores that are no finite numbers, and, by the name of its class, for
    whatever else the reranker raises.
    """
    try:
        said = {index(each.index): float(each.score) for each in reranker.rerank(query, list(texts))}
    except DocgraphError:
        raise
    except Exception as error:
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} failed with {type(error).__name__}", hint=FAULT
        ) from error
    wrong = [place for place, score in said.items() if not (0 <= place < len(texts) and math.isfinite(score))]
    if wrong:
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} gave {said[wrong[0]]!r} for passage {wrong[0]} of {len(texts)}",
            hint=FAULT,
        )
    return said


def _scores(reranker: NamedReranker, query: str, texts: Sequence[str]) -> list[float]:
    said = checked_scores(reranker, query, texts)
    if said.keys() != set(range(len(texts))):
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} scored {len(said)} of {len(texts)} passages",
            hint="a plan that names a reranker needs its score for every passage: reranker = none does without",
        )
    return [said[place] for place in range(len(texts))]
