"""``vocabulary``: what is counted of each relation type, and what the workspace's rules say about it."""

from __future__ import annotations

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Rule
from docgraph.domain.graph import Document
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.vocabulary import TypeUse
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.curation.workspaces import documents, edges, workspace

DECISIONS = tuple(f"d{i}" for i in range(5))
SERVICES = tuple(f"s{i}" for i in range(5))


def _world(*keys: EdgeKey) -> Docgraph:
    return workspace(
        [*documents(*DECISIONS, doc_type="decision"), *documents(*SERVICES, doc_type="service")], edges(*keys)
    )


def _use(dg: Docgraph, name: str) -> TypeUse:
    return next(use for use in dg.relationships.vocabulary().types if use.relation_type == name)


def test_types_come_with_their_counts_most_frequent_first_then_by_name() -> None:
    dg = _world(("d0", "explains", "s0"), ("d0", "explains", "gone"), ("d1", "amends", "d2"), ("d1", "zz", "d2"))
    dg.relationships.edit([Edit(action="accept", key=("d0", "explains", "s0"))], by="me")
    found = dg.relationships.vocabulary()
    assert [(use.relation_type, use.n, use.n_reviewed, use.n_dangling) for use in found.types] == [
        ("explains", 2, 1, 1),
        ("amends", 1, 0, 0),
        ("zz", 1, 0, 0),
    ]
    assert (found.n_relationships, found.n_questions, found.corpus_revision) == (4, 0, dg.workspace.revision)


def test_an_empty_workspace_has_no_types() -> None:
    assert _world().relationships.vocabulary().types == ()


def test_a_direction_against_at_least_three_that_agree_is_a_minority() -> None:
    ahead = [("d" + str(i), "decides", "s" + str(i)) for i in range(3)]
    assert not any(way.is_minority for way in _use(_world(*ahead[:2], ("s3", "decides", "d3")), "decides").directions)
    ways = _use(_world(*ahead, ("s3", "decides", "d3")), "decides").directions
    assert [(w.from_doc_type, w.to_doc_type, w.n, w.n_back, w.is_minority) for w in ways] == [
        ("decision", "service", 3, 1, False),
        ("service", "decision", 1, 3, True),
    ]


def test_types_without_a_direction_that_could_be_wrong_have_no_minority() -> None:
    ahead = [("d" + str(i), "references", "s" + str(i)) for i in range(4)]
    assert not any(way.is_minority for way in _use(_world(*ahead, ("s4", "references", "d4")), "references").directions)


def test_a_rare_name_is_told_which_frequent_one_it_looks_like_unless_that_rule_is_off() -> None:
    dg = _world(*((f"d{i}", "explains", f"s{i}") for i in range(5)), ("d0", "explain", "s1"))
    assert (_use(dg, "explain").look_alikes, _use(dg, "explains").look_alikes) == (("explains",), ())
    dg.rules.set({"look_alike_types": Rule(on=False)})
    assert _use(dg, "explain").look_alikes == ()


def test_inverses_in_use_are_named_whatever_their_spelling() -> None:
    dg = _world(("d0", "supersedes", "d1"), ("d1", "Superseded-By", "d0"), ("d2", "explains", "s0"))
    assert _use(dg, "supersedes").inverses == ("Superseded-By",)
    assert _use(dg, "Superseded-By").inverses == ("supersedes",)
    assert _use(dg, "explains").inverses == ()


def test_known_types_are_those_of_the_rule_and_stand_there_unused_as_well() -> None:
    dg = _world(("d0", "explains", "s0"), ("d0", "mentions", "s0"), ("d0", "odd", "s0"))
    assert all(use.known for use in dg.relationships.vocabulary().types)
    dg.rules.set({"unknown_type": Rule(parameters={"vocabulary": ["explains", "decides"]})})
    found = {use.relation_type: (use.n, use.known) for use in dg.relationships.vocabulary().types}
    assert found == {"explains": (1, True), "mentions": (1, True), "odd": (1, False), "decides": (0, True)}


def test_types_that_plans_leave_out_are_marked() -> None:
    dg = _world(("d0", "explains", "s0"), ("d0", "odd", "s0"))
    dg.relationships.set_off_types(["odd"])
    assert (_use(dg, "odd").off, _use(dg, "explains").off) == (True, False)


def test_saved_questions_count_for_the_types_that_bring_a_document_in() -> None:
    dg = workspace(
        [
            Document(document_id="q", title="Queue", text="The queue is bounded."),
            *(Document(document_id=i, title=i.upper(), text=f"Other words {i}.") for i in ("a", "b")),
        ],
        edges(("q", "explains", "a"), ("a", "amends", "b")),
    )
    for query in ("queue", "the bounded queue"):
        dg.runs.save(RetrievalRequest(query=query, max_expanding_seeds=1, max_documents=2, seed_document_ids=("q",)))
    found = dg.relationships.vocabulary()
    assert found.n_questions == 2
    assert {use.relation_type: use.n_questions for use in found.types} == {"amends": 0, "explains": 2}
