"""The reranker that a plan names, asked for its scores of passages: this one or nobody, all of them or an error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from docgraph.domain.plan import RetrievalPlan
from docgraph.errors import EmbedderError, PlanError
from docgraph.ports.retrieval import NamedReranker

Read = Callable[[Sequence[str]], Sequence[float]]


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


def _scores(reranker: NamedReranker, query: str, texts: Sequence[str]) -> list[float]:
    said = {each.index: each.score for each in reranker.rerank(query, list(texts))}
    if said.keys() != set(range(len(texts))):
        raise EmbedderError(
            f"the reranker {reranker.model_id!r} scored {len(said)} of {len(texts)} passages",
            hint="a plan that names a reranker needs its score for every passage: reranker = none does without",
        )
    return [said[index] for index in range(len(texts))]
