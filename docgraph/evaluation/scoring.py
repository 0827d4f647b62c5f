"""Adds up what relationships do: from the plans and contexts of questions to a scoreboard's rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from docgraph.domain.context import RetrievedContext
from docgraph.domain.evaluation import EQUAL
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.query_set import JudgedQuery
from docgraph.domain.scoreboard import BoilerplateTarget, EdgeClass, EdgeScore

MIN_QUESTIONS = 10
"""In a small set a large share is a handful: a document that so many questions get at most is no boilerplate yet."""


@dataclass(frozen=True)
class Brought:
    """What one relationship brought into one question's answer."""

    key: EdgeKey
    extractor: str
    document_id: str
    chunks: int
    tokens: int
    best_score: float | None
    grade: int | None


@dataclass(frozen=True)
class Without:
    """What one question's answer is when one relationship is left out: values of the measure, chunks that come back."""

    key: EdgeKey
    value: float | None
    value_without: float | None
    came_back: int


@dataclass
class Scored:
    """What is known of one question."""

    query_id: str
    brought: Sequence[Brought] = ()
    without: Sequence[Without] = ()


@dataclass
class _Sum:
    fired: set[str] = field(default_factory=set)
    documents: dict[tuple[str, str], Brought] = field(default_factory=dict)
    came_back: int = 0
    worse: int = 0
    better: int = 0


def brought(plan: RetrievalPlan, context: RetrievedContext, query: JudgedQuery) -> tuple[Brought, ...]:
    """What each relationship of a plan brought in, in plan order; a document over several counts for each of them."""
    read = {each.document.document_id: each.chunks for each in context.documents}
    found = []
    for document in plan.expanded_documents:
        chunks = read.get(document.document_id, ())
        for reason in plan.bringing(document):
            found.append(
                Brought(
                    key=(reason.from_document_id, reason.via, document.document_id),
                    extractor=reason.extractor,
                    document_id=document.document_id,
                    chunks=len(chunks),
                    tokens=sum(chunk.token_count for chunk in chunks),
                    best_score=max((chunk.score for chunk in chunks), default=None),
                    grade=query.grades.get(document.document_id),
                )
            )
    return tuple(found)


def can_matter(plan: RetrievalPlan) -> tuple[EdgeKey, ...]:
    """The relationships that a plan's answer can depend on, each once, in plan order.

    Those that bring a document in. Where a seed has more than are read of it (``max_edges_per_seed``), also those that
    the plan names among what it cut: in the place of one of them another would be read.
    """
    keys = [(r.from_document_id, r.via, d.document_id) for d in plan.expanded_documents for r in plan.bringing(d)]
    if any(total.limit == "max_edges_per_seed" for total in plan.cut_totals):
        keys += [(r.from_document_id, r.via, d.document_id) for d in plan.cut for r in d.reasons]
        keys += [(r.from_document_id, r.via, d.document_id) for d in plan.seed_documents for r in d.reasons]
    return tuple(dict.fromkeys(keys))


def edge_scores(scored: Iterable[Scored], *, tested: bool = True) -> dict[EdgeKey, EdgeScore]:
    """One row for each relationship that fired, by key; ``tested`` = relationships were left out one by one."""
    sums: dict[EdgeKey, _Sum] = defaultdict(_Sum)
    extractors: dict[EdgeKey, str] = {}
    for question in scored:
        for each in question.brought:
            _add(sums[each.key], each, question.query_id)
            extractors[each.key] = each.extractor
        for left in question.without:
            if left.key not in sums:
                continue
            mine = sums[left.key]
            mine.came_back += left.came_back
            if left.value is not None and left.value_without is not None:
                mine.worse += left.value_without < left.value - EQUAL
                mine.better += left.value_without > left.value + EQUAL
    return {key: _row(mine, key, extractors[key], tested=tested) for key, mine in sums.items()}


def group_scores(scored: Sequence[Scored], name: Callable[[Brought], str]) -> tuple[EdgeScore, ...]:
    """The same for groups of relationships, by questions, then by name: a document counts once a group and question."""
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for question in scored:
        for each in question.brought:
            _add(sums[name(each)], each, question.query_id)
    rows = [_counted(mine).model_copy(update={"name": group}) for group, mine in sums.items()]
    return tuple(sorted(rows, key=lambda row: (-row.fired, row.name)))


def in_order(rows: Mapping[EdgeKey, EdgeScore]) -> tuple[EdgeScore, ...]:
    """Stars by what is lost without them, free riders by tokens, others by questions; equal ones by key."""

    def place(row: EdgeScore) -> tuple[object, ...]:
        by = {"star": -(row.worse_without or 0), "free_rider": -row.tokens, "dead": 0, "other": -row.fired}
        classes: tuple[EdgeClass, ...] = ("star", "free_rider", "other", "dead")
        return classes.index(row.edge_class), by[row.edge_class], row.key or ()

    return tuple(sorted(rows.values(), key=place))


def boilerplate_targets(
    keys: Iterable[EdgeKey], scored: Sequence[Scored], *, is_boilerplate: Callable[[int], bool], percent: int
) -> tuple[BoilerplateTarget, ...]:
    """The documents that so many link to that ``is_boilerplate``, and those that questions get for nothing.

    The latter: relationships bring it into more than ``percent`` of all questions and more than ``MIN_QUESTIONS``, and
    nowhere is it judged relevant though somewhere it is judged.
    """
    linking: dict[str, set[str]] = defaultdict(set)
    for start, _, end in keys:
        linking[end].add(start)
    grades: dict[str, dict[str, int | None]] = defaultdict(dict)
    for question in scored:
        for each in question.brought:
            grades[each.document_id][question.query_id] = each.grade
    found = []
    for document_id in linking.keys() | grades.keys():
        got = grades.get(document_id, {})
        judged = [grade for grade in got.values() if grade is not None]
        many = len(got) > MIN_QUESTIONS and 100 * len(got) > percent * len(scored)
        passed_over = is_boilerplate(len(linking.get(document_id, ()))) and not got
        if passed_over or (many and judged and not any(judged)):
            linked_by = len(linking.get(document_id, ()))
            found.append(
                BoilerplateTarget(
                    document_id=document_id,
                    linked_by=linked_by,
                    takes_no_place=passed_over,
                    fired=len(got),
                    bad=len(judged),
                )
            )
    return tuple(sorted(found, key=lambda each: (-each.fired, -each.linked_by, each.document_id)))


def _add(into: _Sum, each: Brought, query_id: str) -> None:
    into.fired.add(query_id)
    into.documents[query_id, each.document_id] = each


def _counted(mine: _Sum) -> EdgeScore:
    documents = list(mine.documents.values())
    grades = [each.grade for each in documents if each.grade is not None]
    return EdgeScore(
        fired=len(mine.fired),
        put_in=sum(each.chunks for each in documents),
        tokens=sum(each.tokens for each in documents),
        best_score=max((each.best_score for each in documents if each.best_score is not None), default=None),
        good=sum(grade > 0 for grade in grades),
        bad=sum(grade == 0 for grade in grades),
        queries=tuple(sorted(mine.fired)),
    )


def _row(mine: _Sum, key: EdgeKey, extractor: str, *, tested: bool) -> EdgeScore:
    row = _counted(mine).model_copy(
        update={"key": key, "relation_type": key[1], "extractor": extractor, "pushed_out": mine.came_back}
    )
    if tested:
        row = row.model_copy(update={"worse_without": mine.worse, "better_without": mine.better})
    return row.model_copy(update={"edge_class": _class(row)})


def _class(row: EdgeScore) -> EdgeClass:
    if row.worse_without and not row.better_without:
        return "star"
    if row.put_in and not row.good and not row.worse_without and (row.bad or row.better_without):
        return "free_rider"
    return "other"
