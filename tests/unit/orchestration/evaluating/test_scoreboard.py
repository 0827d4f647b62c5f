"""The edge scoreboard: every count against the plans, leaving one out against leaving every one out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import RetrievalRequest
from docgraph.domain.evaluation import EQUAL
from docgraph.domain.query_set import JudgedQuery
from docgraph.domain.scoreboard import Scoreboard
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.orchestration.evaluating.sets import QUESTIONS, workspace

FOUR = {"max_documents": 4, "max_chunks": 4}
ASKED = tuple(
    query.model_copy(update={"grades": {**query.grades, f"D{(i * 5 + 1) % 24}": 0, f"D{(i * 11) % 24}": 0}})
    if query.grades
    else query
    for i, query in enumerate(QUESTIONS[:12])
)


@pytest.fixture(scope="module")
def opened() -> Docgraph:
    return workspace()


@pytest.fixture(scope="module")
def made(opened: Docgraph) -> Scoreboard:
    return opened.relationships.scoreboard(ASKED, request=FOUR)


def answer(opened: Docgraph, query: JudgedQuery, **fields: Any) -> Any:
    plan = opened.plan(RetrievalRequest.model_validate({"query": query.query, **FOUR, **fields}))
    return plan, opened.execute(plan)


def recall(context: Any, query: JudgedQuery) -> float | None:
    read = {document_id for document_id, _ in context.ranked_chunks}
    return len(read & set(query.relevant)) / len(query.relevant) if query.relevant else None


def test_leaving_each_relationship_out_of_every_question_by_hand_gives_the_same(
    opened: Docgraph, made: Scoreboard
) -> None:
    found = {each.key: each for each in made.edges}
    assert len(found) == made.n_relationships == 24
    changed = 0
    for edge in opened.relationships.list():
        worse = better = came_back = 0
        for query in ASKED:
            _, base = answer(opened, query)
            _, other = answer(opened, query, overrides={"without_edges": [edge.key]})
            before, after = recall(base, query), recall(other, query)
            if before is not None and after is not None:
                worse, better = worse + (after < before - EQUAL), better + (after > before + EQUAL)
            here, there = ({chunk.chunk_id for _, chunk in each.ranked_chunks} for each in (base, other))
            came_back += len(there - here)
        row = found[edge.key]
        assert (row.worse_without or 0, row.better_without or 0, row.pushed_out) == (worse, better, came_back)
        changed += worse + better
    assert changed > 0


def test_every_count_is_that_of_the_plans(opened: Docgraph, made: Scoreboard) -> None:
    fired: dict[Any, set[str]] = {}
    put_in: dict[Any, int] = {}
    grades: dict[Any, list[int]] = {}
    for query in ASKED:
        plan, context = answer(opened, query)
        n_chunks = {each.document.document_id: len(each.chunks) for each in context.documents}
        for key in plan.edges:
            fired.setdefault(key, set()).add(query.query_id)
            put_in[key] = put_in.get(key, 0) + n_chunks[key[2]]
            grades.setdefault(key, []).extend([query.grades[key[2]]] if key[2] in query.grades else [])
    for row in made.edges:
        assert set(row.queries) == fired.get(row.key, set())
        assert (row.fired, row.put_in) == (len(row.queries), put_in.get(row.key, 0))
        assert (row.good, row.bad) == (
            sum(grade > 0 for grade in grades.get(row.key, [])),
            sum(grade == 0 for grade in grades.get(row.key, [])),
        )
        assert (row.best_score is None) == (row.put_in == 0)
    assert made.n_dead == 24 - len(fired) == len(made.of_class("dead"))
    (explains,) = made.types
    assert (explains.name, explains.fired) == ("explains", len(set().union(*fired.values())))
    assert explains.put_in == sum(put_in.values()), "each document comes over one relationship here"
    assert made.n_judged == sum(bool(query.relevant) for query in ASKED)


def test_stars_and_free_riders_are_what_is_said_of_them(made: Scoreboard) -> None:
    assert {each.edge_class for each in made.edges} >= {"star", "free_rider", "dead"}
    for each in made.of_class("star"):
        assert each.worse_without
        assert not each.better_without
    for each in made.of_class("free_rider"):
        assert each.put_in
        assert not each.good
        assert not each.worse_without
    lost = [each.worse_without or 0 for each in made.of_class("star")]
    assert lost == sorted(lost, reverse=True)


def test_without_leaving_out_nothing_is_said_of_what_would_be_lost(opened: Docgraph, made: Scoreboard) -> None:
    quick = opened.relationships.scoreboard(ASKED, request=FOUR, leave_out=False, max_dead=0)
    assert {each.worse_without for each in quick.edges} == {None}
    assert len(quick.edges) == 24 - quick.n_dead
    assert {each.key: each.fired for each in quick.edges} == {e.key: e.fired for e in made.edges if e.fired}


def test_it_can_be_stopped_and_says_so(opened: Docgraph) -> None:
    class Stopping:
        done = 0

        def update(self, done: int, total: int, message: str) -> None:
            self.done = done

        def cancelled(self) -> bool:
            return self.done >= 3

    found = opened.relationships.scoreboard(ASKED, request=FOUR, leave_out=False, progress=Stopping())
    assert (found.stopped, found.n) == (True, 3)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"request": {"use_relationships": False}}, "nothing to score"),
        ({"measure": "tokens"}, "is a cost"),
        ({"measure": "beauty@2"}, "no measure"),
        ({"request": {"max_documents": 0}}, "max_documents"),
    ],
)
def test_what_cannot_be_scored_is_told_first(opened: Docgraph, given: dict[str, Any], what: str) -> None:
    with pytest.raises(UserError, match=what):
        opened.relationships.scoreboard(ASKED, **given)
