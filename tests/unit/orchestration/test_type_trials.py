"""A workspace's relation types tried on questions of its own: repeatable, stoppable, kept, adopted by one call."""

from __future__ import annotations

import pytest

from docgraph.domain.graph import Document, Relationship
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.memory import build
from tests.unit.orchestration.test_docgraph import adapters

N = 48
TOPICS = ("queue", "payment", "sailing", "route")


def text(number: int) -> str:
    topic = TOPICS[number % 4]
    return (
        f"Part {number} speaks of the {topic} at length. The {topic} holds every order until the gate opens again. "
        f"Whoever needs the {topic} asks the clerk for another slot in the long list."
    )


@pytest.fixture
def dg() -> Docgraph:
    made = Docgraph(adapters(build()), "own")
    documents = [
        Document(document_id=f"d{i:02}", title=f"Title {i:02} {TOPICS[i % 4]}", text=text(i)) for i in range(N)
    ]
    header = {"extractor": "header_fields", "place": "header"}
    link = {"extractor": "markdown_links", "place": "body"}
    edges = [
        Relationship(
            from_document_id=f"d{i:02}",
            relation_type=name,
            to_document_id=f"d{(i + step) % N:02}",
            relationship_metadata=m,
        )
        for i in range(N)
        for name, step, m in (("requires", 4, header), ("links_to", 7, link), ("links_to", 9, link))
    ]
    made.ingest_records(documents, edges)
    return made


class Stop:
    def __init__(self, after: int) -> None:
        self.left = after
        self.told: list[tuple[int, int]] = []

    def update(self, done: int, total: int, message: str) -> None:
        self.told.append((done, total))

    def cancelled(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_a_trial_is_the_same_for_the_same_seed_and_writes_nothing_but_itself(dg: Docgraph) -> None:
    before = dg.workspace
    one, two = dg.relationships.try_types(n_questions=40), dg.relationships.try_types(n_questions=40)
    same = {"trial_id", "at", "seconds"}
    assert one.model_dump(exclude=same) == two.model_dump(exclude=same)
    assert (dg.workspace, dg.relationships.trials()) == (before, (two, one))
    assert one.n_asked == one.n_questions > 0
    assert not one.stopped


def test_links_are_tried_on_what_is_declared_and_declared_types_on_themselves(dg: Docgraph) -> None:
    results = {each.relation_type: each for each in dg.relationships.try_types(n_questions=40).results}
    assert results["links_to"].from_types == results["requires"].from_types == ("requires",)
    assert [results[name].is_declared for name in ("links_to", "requires")] == [False, True]
    assert [(kind.kind, kind.n) for kind in results["requires"].kinds] == [("document", 20), ("related", 20)]


def test_where_nothing_is_declared_links_are_tried_on_themselves(dg: Docgraph) -> None:
    for edge in list(dg.relationships.list(relation_type="requires")):
        dg.relationships.remove(edge.key)
    [result] = dg.relationships.try_types(n_questions=40).results
    assert (result.relation_type, result.from_types) == ("links_to", ("links_to",))


def test_a_stopped_trial_keeps_what_was_asked_and_has_some_of_each_kind(dg: Docgraph) -> None:
    progress = Stop(after=10)
    trial = dg.relationships.try_types(n_questions=40, progress=progress)
    assert (trial.stopped, trial.n_asked) == (True, 10)
    assert progress.told[-1] == (10, trial.n_questions)
    assert {kind.kind for each in trial.results for kind in each.kinds} == {"document", "related"}
    assert dg.relationships.trials() == (trial,)


def test_time_ends_a_trial_like_a_person_does(dg: Docgraph) -> None:
    assert dg.relationships.try_types(n_questions=40, seconds=0.000001).stopped


def test_adopting_stores_the_figures_with_the_role_and_is_undone_like_any_decision(dg: Docgraph) -> None:
    trial = dg.relationships.try_types(n_questions=80)
    clear = {each.relation_type: each.proposal for each in trial.results if each.proposal is not None}
    assert clear, "one of the types is clear here"
    dg.relationships.adopt_trial(trial.trial_id)
    for decision in dg.relationships.type_roles():
        if decision.relation_type in clear:
            assert (decision.role, decision.by) == (clear[decision.relation_type], "own_questions")
            assert decision.figures is not None
            assert decision.figures.trial_id == trial.trial_id
    roles = [each.role for each in dg.relationships.type_roles()]
    dg.relationships.undo_type(dg.relationships.type_history()[0].entry_id)
    assert dg.relationships.type_history()[0].before.by == "own_questions"
    assert len(roles) == 2


def test_a_trial_of_other_data_is_not_adopted(dg: Docgraph) -> None:
    trial = dg.relationships.try_types(n_questions=40)
    dg.ingest_records([Document(document_id="new", title="New", text="Something new.")])
    with pytest.raises(UserError, match="made on other data"):
        dg.relationships.adopt_trial(trial.trial_id)
    with pytest.raises(NotFoundError, match="no trial 9"):
        dg.relationships.adopt_trial(9)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n_questions": 19}, "19 questions"),
        ({"n_questions": 2_001}, "2001 questions"),
        ({"seconds": 0}, "0 seconds"),
        ({"seconds": float("nan")}, "nan seconds"),
    ],
)
def test_numbers_out_of_range_are_refused_before_anything_is_asked(dg: Docgraph, given: dict, said: str) -> None:
    with pytest.raises(UserError, match=said):
        dg.relationships.try_types(**given)
    assert dg.relationships.trials() == ()


def test_a_workspace_without_relationships_has_nothing_to_try() -> None:
    made = Docgraph(adapters(build()), "bare")
    made.ingest_records([Document(document_id="a", title="A", text="Alone.")])
    with pytest.raises(UserError, match="nothing to try"):
        made.relationships.try_types()


def test_texts_that_no_question_can_be_made_of_give_a_trial_without_questions() -> None:
    made = Docgraph(adapters(build()), "code")
    edge = Relationship(from_document_id="a", relation_type="t", to_document_id="b")
    made.ingest_records([Document(document_id=i, title=i, text="x = 1; y = 2") for i in "ab"], [edge])
    trial = made.relationships.try_types()
    assert (trial.n_questions, [each.why for each in trial.results]) == (0, ["too few questions to say"])
