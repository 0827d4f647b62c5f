"""What there is to judge: blind, in an order that a seed decides, what can change a question's count first."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.evaluation import Answer, Outcome
from docgraph.domain.judging import Pile, Pool
from docgraph.domain.query_set import JudgedQuery
from docgraph.evaluation.measuring import named_measures
from docgraph.evaluation.pooling import pile, pooled, read_of, settles

(RECALL,) = named_measures(["recall@3"], [plugins.build("measures", "recall")])
DOCUMENTS = "abcd"
READINGS = st.lists(st.sampled_from(DOCUMENTS), max_size=3, unique=True).map(tuple)
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2))


def answer(documents: tuple[str, ...]) -> Answer:
    return Answer(documents=documents, chunks=tuple(f"{each}#{n}" for each in documents for n in range(2)), tokens=917)


def outcome(query_id: str, *read: tuple[str, ...]) -> Outcome:
    return Outcome(
        query_id=query_id,
        query=f"why {query_id}?",
        answers={f"configuration {n}": answer(each) for n, each in enumerate(read)},
        values={f"configuration {n}": {"recall@3": 0.8125} for n, _ in enumerate(read)},
    )


def pool_of(*outcomes: Outcome) -> Pool:
    questions = []
    for each in outcomes:
        reads = [read_of(each, list(each.answers))]
        questions.append(pooled(each.query_id, each.query, reads, hashes=lambda d: {f"{d}#0": d, f"{d}#1": d + "1"})[0])
    return Pool(query_set="set", measure="recall@3", questions=tuple(questions))


def piled(pool: Pool, *, seed: int = 0, **grades: dict[str, int]) -> Pile:
    queries = {
        each.query_id: JudgedQuery(query_id=each.query_id, query=each.query, grades=grades.get(each.query_id, {}))
        for each in pool.questions
    }
    return pile(pool, queries, {}, by="Mira", seed=seed, measure=RECALL)


def test_what_is_shown_names_no_configuration_no_place_and_no_score() -> None:
    shown = piled(pool_of(outcome("q", ("b", "a"), ("a", "c")))).model_dump_json()
    for word in ("configuration", "recall", "8125", "917", "rank", "score", "read"):
        assert word not in shown, word
    turned = piled(pool_of(outcome("q", ("a", "c"), ("a", "b")))).passages
    assert turned == piled(pool_of(outcome("q", ("b", "a"), ("c", "a")))).passages, "sides and places change nothing"


def test_one_seed_is_one_order_and_another_seed_is_another() -> None:
    pool = pool_of(*(outcome(f"q{n}", ("a", "b"), ("c", "d")) for n in range(8)))
    assert piled(pool, seed=7) == piled(pool, seed=7)
    assert piled(pool, seed=7).passages != piled(pool, seed=8).passages
    one = pool_of(outcome("q", ("a", "b"), ("c", "d")))
    orders = {tuple(each.chunk_id for each in piled(one, seed=seed).passages) for seed in range(4)}
    assert len(orders) == 4, "of one question as well: no order of ids shows through"
    assert sorted(piled(pool, seed=7).passages, key=repr) == sorted(piled(pool, seed=8).passages, key=repr)


@given(READINGS, READINGS, GRADES)
@settings(max_examples=150, deadline=None)
def test_a_document_decides_when_a_grade_of_it_changes_what_the_question_counts_as(
    a: tuple[str, ...], b: tuple[str, ...], grades: dict[str, int]
) -> None:
    (question,) = pool_of(outcome("q", a, b)).questions
    query = JudgedQuery(query_id="q", query="?", grades=grades)

    def counts(of: dict[str, int]) -> str:
        """Recall from its definition: the reader's sign of B − A, or not judged."""
        relevant = {each for each, grade in of.items() if grade}
        gained = len(relevant & set(b)) - len(relevant & set(a))
        return "not judged" if not relevant else "improved" if gained > 0 else "worse" if gained < 0 else "equal"

    for document in {*a, *b}:
        raised = [{**grades, document: max(grade, grades.get(document, 0))} for grade in range(3)]
        expected = any(counts(each) != counts(grades) for each in raised)
        assert settles(question, query, document, measure=RECALL) == expected


def test_passages_that_decide_stand_first_and_the_question_with_more_of_them_before_others() -> None:
    pool = pool_of(
        outcome("settled", ("a",), ("a", "b")),
        outcome("open", ("a", "b"), ("a", "c")),
        outcome("tie", ("d",), ("d", "c")),
    )
    for seed in range(5):
        found = piled(pool, seed=seed, settled={"a": 2, "b": 2, "c": 2}, tie={"d": 1})
        ids = [each.query_id for each in found.passages]
        assert ids == ["open"] * 6 + ["tie"] * 2 + ids[8:]
        assert {each.document_id for each in found.passages[6:8]} == {"c"}
        assert (found.coverage.deciding, found.coverage.deciding_questions) == (8, 2)


def test_a_question_that_is_begun_is_finished_before_another_is_opened() -> None:
    pool = pool_of(*(outcome(f"q{n}", ("a", "b"), ("c", "d")) for n in range(6)))
    queries = {each.query_id: JudgedQuery(query_id=each.query_id, query=each.query) for each in pool.questions}
    judged: dict[tuple[str, str, str], int | None] = {}
    seen = []
    while left := pile(pool, queries, judged, by="Mira", seed=3, measure=RECALL).passages:
        seen.append(left[0].query_id)
        judged[left[0].key] = None
    assert len(seen) == 48
    assert seen == [each for query_id in dict.fromkeys(seen) for each in [query_id] * 8]


def test_coverage_counts_what_is_judged_and_the_pile_holds_the_rest() -> None:
    pool = pool_of(outcome("q1", ("a",), ("a", "b")), outcome("q2", ("c",), ("c",)))
    queries = {each.query_id: JudgedQuery(query_id=each.query_id, query=each.query) for each in pool.questions}
    first, *_, last = pool.passages
    others = [each for each in pool.passages if each.query_id == "q2" and each != last]
    judged = {first.key: 1, last.key: None, **{each.key: 0 for each in others}}
    found = pile(pool, queries, judged, by="Mira", seed=0, measure=RECALL)
    told = found.coverage
    assert (told.shown, told.judged, told.left, told.cannot_judge) == (6, 3, 3, 1)
    assert (told.questions, told.questions_done) == (2, 1)
    assert {each.chunk_id for each in found.passages} == {"a#1", "b#0", "b#1"}


def test_a_cost_or_a_single_configuration_decides_nothing() -> None:
    (cost,) = named_measures(["tokens"], [])
    pool = pool_of(outcome("q", ("a",), ("b",)))
    queries = {"q": JudgedQuery(query_id="q", query="?")}
    for measure, read in product((cost, None, RECALL), (pool, pool_of(outcome("q", ("a",))))):
        if (measure, read) != (RECALL, pool):
            assert pile(read, queries, {}, by="Mira", seed=0, measure=measure).coverage.deciding == 0


def test_documents_without_passages_and_passages_that_are_gone_are_left_out_and_counted() -> None:
    mixed = outcome("q", ("a",)).model_copy(
        update={"answers": {"x": Answer(documents=("a", "B", "c"), chunks=("A#0", "a#9", "b#1", "odd name"))}}
    )
    question, without, gone = pooled(
        "q", "?", [read_of(mixed, ["x"])], hashes=lambda document: {f"{document}#0": "0", f"{document}#1": "1"}
    )
    assert [each.chunk_id for each in question.passages] == ["B#1", "a#0"]
    assert (without, gone) == (1, 1), "c has no passage; a#9 is gone"
