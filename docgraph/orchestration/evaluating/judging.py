"""Judging the passages of a query set: what there is to judge, what is left to whom, and how far two agree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.judging import Agreement, Pile, Pool
from docgraph.domain.judgment import PassageJudgment, passage_hash
from docgraph.domain.query_set import JudgedQuery, StoredQuerySet
from docgraph.errors import NotFoundError
from docgraph.evaluation.agreement import agreement
from docgraph.evaluation.measuring import named_measures
from docgraph.evaluation.pooling import Read, pile, pooled, read_of
from docgraph.orchestration.judgments import question_as_kept
from docgraph.orchestration.session import Session


def to_pool(runs: Sequence[KeptEvaluation]) -> tuple[KeptEvaluation, ...]:
    """The newest evaluation that has an outcome, and those that are pinned, newest first."""
    asked = [each for each in runs if each.n]
    return tuple(each for index, each in enumerate(asked) if not index or each.pinned)


def pool_of(session: Session, stored: StoredQuerySet, evaluations: Sequence[KeptEvaluation]) -> Pool:
    """What the evaluations (the newest first) read for the questions that the set has now, in the set's order."""
    reads: dict[str, list[Read]] = {}
    queries = {each.query_id: each for each in stored.query_set.queries}
    for kept in evaluations:
        names = [each.name for each in kept.configurations]
        for outcome in session.query_sets.outcomes(session.workspace, kept.evaluation_id):
            if outcome.query_id in queries and queries[outcome.query_id].query == outcome.query:
                reads.setdefault(outcome.query_id, []).append(read_of(outcome, names))
    with session.reading() as snapshot:

        @cache
        def hashes(document_id: str) -> dict[str, str]:
            return {each.chunk_id: passage_hash(each.text) for each in snapshot.chunks(document_id)}

        found = [
            pooled(query_id, question_as_kept(each.query), reads[query_id], hashes=hashes)
            for query_id, each in queries.items()
            if query_id in reads
        ]
    return Pool(
        query_set=stored.name,
        evaluations=tuple(each.evaluation_id for each in evaluations),
        configurations=sum(len(each.configurations) for each in evaluations),
        measure=next((each.measures[0] for each in evaluations[:1]), ""),
        questions=tuple(question for question, _, _ in found),
        n_without_passages=sum(n for _, n, _ in found),
        n_gone=sum(n for _, _, n in found),
    )


def pile_of(session: Session, pool: Pool, queries: Sequence[JudgedQuery], *, by: str, seed: int) -> Pile:
    """What is left to a judge, by the judgments of now."""
    judged = {_key(each): each.grade for each in session.store().passages() if each.by == by}
    try:
        measure = named_measures([pool.measure], session.adapters.measures)[0] if pool.measure else None
    except NotFoundError:  # an evaluation by a plug-in that is not installed any more
        measure = None
    by_id = {each.query_id: each for each in queries}
    return pile(pool, by_id, judged, by=by, seed=seed, measure=measure)


def judges_of(session: Session, pool: Pool) -> dict[str, int]:
    """Judge → passages of the pool that they judged, *can't judge* among them; most first, then by name."""
    counts: dict[str, int] = {}
    here = {each.key for each in pool.passages}
    for each in session.store().passages():
        if _key(each) in here:
            counts[each.by] = counts.get(each.by, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def agreement_of(session: Session, pool: Pool, a: str, b: str) -> Agreement:
    """How far two judges agree on the pool's passages, by the judgments of now."""
    graded: dict[str, dict[tuple[str, str, str], int]] = {}
    for each in session.store().passages():
        if each.grade is not None:
            graded.setdefault(each.by, {})[_key(each)] = each.grade
    return agreement(a, b, graded=graded, passages=pool.passages)


def _key(judgment: PassageJudgment) -> tuple[str, str, str]:
    return judgment.query, judgment.document_id, judgment.text_hash
