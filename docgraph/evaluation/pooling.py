"""Passages to judge: pooled from what evaluations read, blind, shuffled by a seed, those that decide most first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.evaluation import Answer, Change, Outcome, change_between
from docgraph.domain.frozen import fingerprint
from docgraph.domain.judging import Coverage, Passage, Pile, Pool, PooledQuestion
from docgraph.domain.query_set import RELEVANT, JudgedQuery
from docgraph.evaluation.measuring import NamedMeasure

Hashes = Callable[[str], Mapping[str, str]]
"""document_id → hash of the text of each of its passages, by chunk_id, as the workspace holds them now."""


@dataclass(frozen=True)
class Read:
    """What one evaluation read for one question, by configuration; ``None`` for one without an answer."""

    documents: tuple[tuple[str, ...] | None, ...]
    passages: frozenset[tuple[str, str]]
    """(document_id, chunk_id); of other systems in their own capitals."""


def read_of(outcome: Outcome, configurations: Sequence[str]) -> Read:
    """What the configurations of these names read. A passage whose document is not told from its id is not named."""
    passages: set[tuple[str, str]] = set()
    documents: list[tuple[str, ...] | None] = []
    for answer in map(outcome.answers.get, configurations):
        documents.append(None if answer is None or answer.failure else answer.documents)
        known = {} if answer is None else {each.casefold(): each for each in answer.documents}
        for chunk_id in () if answer is None else answer.chunks:
            start, _, number = chunk_id.rpartition("#")
            if start.casefold() in known:
                document_id = known[start.casefold()]
                passages.add((document_id, f"{document_id}#{number}"))
    return Read(tuple(documents), frozenset(passages))


def pooled(query_id: str, query: str, reads: Sequence[Read], *, hashes: Hashes) -> tuple[PooledQuestion, int, int]:
    """The union of what evaluations read for one question (the newest first), how many of their documents name no
    passage, and how many of their passages are gone.
    """
    named = {each for read in reads for each in read.passages}
    documents = {each for read in reads for ids in read.documents for each in ids or ()}
    passages = [
        Passage(query_id=query_id, query=query, document_id=document_id, chunk_id=chunk_id, text_hash=text_hash)
        for document_id, chunk_id in sorted(named)
        if (text_hash := hashes(document_id).get(chunk_id))
    ]
    question = PooledQuestion(query_id=query_id, query=query, passages=tuple(passages), read=reads[0].documents)
    return question, len(documents - {document_id for document_id, _ in named}), len(named) - len(passages)


def settles(question: PooledQuestion, query: JudgedQuery, document_id: str, *, measure: NamedMeasure) -> bool:
    """Whether some grade of this document alone changes what the question counts as, from the first to any other.

    A document's grade is the highest that is known, so a lower one changes nothing; one that nobody judged takes any.
    """
    answers = [Answer(failure="failed") if read is None else Answer(documents=read) for read in question.read]
    known, now = query.grades.get(document_id), _counts(answers, query, measure)
    return any(
        _counts(answers, query.model_copy(update={"grades": {**query.grades, document_id: grade}}), measure) != now
        for grade in range(RELEVANT + 1)
        if known is None or grade > known
    )


def _counts(answers: Sequence[Answer], query: JudgedQuery, measure: NamedMeasure) -> tuple[Change, ...]:
    """What the question counts as, from the first configuration to each other one, under these grades."""
    first, *others = answers
    value = measure.value(first, query)
    return tuple(
        "failed" if first.failure or other.failure else change_between(value, measure.value(other, query))
        for other in others
    )


def pile(
    pool: Pool,
    queries: Mapping[str, JudgedQuery],
    judged: Mapping[tuple[str, str, str], int | None],
    *,
    by: str,
    seed: int,
    measure: NamedMeasure | None,
) -> Pile:
    """What is left to a judge and how far they are; ``judged`` = ``Passage.key`` → grade, of this judge alone.

    Those that decide (``settles``) stand before all others, in each of the two parts question by question: of the part
    that decides, the question that this judge has begun first, then those with more of them. Ties, questions and
    passages, are shuffled by the seed. A cost decides nothing, nor does a measure of something else than documents.
    """
    deciding: dict[str, set[str]] = {}
    left: list[Passage] = []
    begun: set[str] = set()
    done = 0
    for question in pool.questions:
        mine = [each for each in question.passages if each.key not in judged]
        left += mine
        done += not mine
        if len(mine) < len(question.passages):
            begun.add(question.query_id)
        deciding[question.query_id] = _deciding(question, queries.get(question.query_id), mine, measure)
    decides = [each for each in left if each.document_id in deciding[each.query_id]]
    counts = _counted(each.query_id for each in decides)
    rest = [each for each in left if each.document_id not in deciding[each.query_id]]
    shown = pool.passages
    return Pile(
        query_set=pool.query_set,
        by=by,
        seed=seed,
        passages=(*_shuffled(decides, begun, counts, seed), *_shuffled(rest, begun, {}, seed)),
        coverage=Coverage(
            shown=len(shown),
            judged=len(shown) - len(left),
            cannot_judge=sum(judged.get(each.key, 0) is None for each in shown),
            questions=len(pool.questions),
            questions_done=done,
            deciding=len(decides),
            deciding_questions=len(counts),
        ),
    )


def _deciding(
    question: PooledQuestion, query: JudgedQuery | None, left: Collection[Passage], measure: NamedMeasure | None
) -> set[str]:
    if query is None or measure is None or measure.judged is None or len(question.read) < 2:
        return set()
    documents = {each.document_id for each in left}
    return {each for each in documents if settles(question, query, each, measure=measure)}


def _counted(query_ids: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in query_ids:
        counts[each] = counts.get(each, 0) + 1
    return counts


def _shuffled(
    passages: Iterable[Passage], begun: Collection[str], counts: Mapping[str, int], seed: int
) -> list[Passage]:
    """Question by question: begun ones, those with more; the seed's hash decides what is left open."""

    def place(each: Passage) -> tuple[bool, int, str, str]:
        return (
            each.query_id not in begun,
            -counts.get(each.query_id, 0),
            fingerprint([seed, each.query_id]),
            fingerprint([seed, each.query_id, each.chunk_id]),
        )

    return sorted(passages, key=place)
