"""First questions: made of real relationships, asked both ways, the same for the same data, none without a reason."""

from __future__ import annotations

import pytest

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.own_questions import Proposed
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.memory import build
from docgraph.views.query_sets.first_questions import WHY_NONE, first_set, how_made, made_of
from tests.unit.orchestration.test_docgraph import adapters
from tests.unit.orchestration.test_type_trials import Stop
from tests.walks.small import NOTES


def bakery(relation_type: str = "links_to") -> Docgraph:
    made = Docgraph(adapters(build()), "bakery")
    documents = [Document(document_id=name, title=title, text=text) for name, (title, text, _) in NOTES.items()]
    edges = [
        Relationship(from_document_id=name, relation_type=relation_type, to_document_id=other)
        for name, (_, _, links) in NOTES.items()
        for other in links
    ]
    made.ingest_records(documents, edges)
    return made


def test_a_question_names_one_document_and_speaks_of_what_a_related_one_says() -> None:
    dg = bakery()
    found = dg.query_sets.propose()
    assert len(found.questions) == 5
    there = {edge.key for edge in dg.relationships.list()}
    texts = {name: text for name, (_, text, _) in NOTES.items()}
    for each in found.questions:
        assert (each.from_document_id, each.relation_type, each.to_document_id) in there
        assert each.sentence in texts[each.to_document_id]
        assert all(words in each.sentence for words in each.words)
        assert each.query == f"{each.from_title}: what about {' and '.join(each.words)}?"
        assert made_of(each) == f"{each.from_title} → links_to → {each.to_title}: “{each.sentence}”"
    assert "without a language model" in how_made(found)


def test_what_is_said_of_a_question_is_what_its_two_plans_do() -> None:
    dg = bakery()
    found = dg.query_sets.propose(12).questions
    for each in found:
        without, with_them = (
            set(dg.plan(RetrievalRequest(query=each.query, use_relationships=on)).document_ids) for on in (False, True)
        )
        assert (each.n_added, each.n_left) == (len(with_them - without), len(without - with_them))
        assert each.brings == (each.to_document_id in with_them - without)
    brings = [each.brings for each in found]
    assert brings == sorted(brings, reverse=True)


def test_the_sentence_behind_a_question_is_told_without_its_marks() -> None:
    """It was told as written: ":::info The operators", "- Sync your vaults", "[Streaming](../a.mdx#b)"."""
    found = bakery().query_sets.propose().questions[0]
    for marked, said in (
        (":::info The till", "Info: The till"),
        ("- See [it](a.mdx)", "See it"),
        ("a ``-R`` b", "a -R b"),
    ):
        assert made_of(found.model_copy(update={"sentence": marked})).endswith(f": “{said}”")


def test_equal_data_give_equal_questions_and_nothing_is_kept() -> None:
    one, other = bakery(), bakery()
    assert one.query_sets.propose() == other.query_sets.propose()
    assert one.query_sets.list() == ()


def test_the_set_holds_what_was_reworded_and_no_judgment() -> None:
    found = bakery().query_sets.propose(2)
    made = first_set(found, ["  When   is the till counted? ", " "])
    assert [each.query for each in made.queries] == ["When is the till counted?", found.questions[1].query]
    assert made.n_judged == 0


def test_without_a_question_it_is_said_why_and_what_to_do() -> None:
    alone = Docgraph(adapters(build()), "alone")
    alone.ingest_records([Document(document_id="a", title="A", text=NOTES["till"][1])], [])
    assert alone.query_sets.propose() == Proposed(why_none="no_relationships")
    silent = bakery()
    silent.relationships.set_type_role("links_to", "reasons_only", by="me")
    assert silent.query_sets.propose() == Proposed(why_none="no_adding_type")
    short = Docgraph(adapters(build()), "short")
    short.ingest_records(
        [Document(document_id=name, title=name, text="Too short.") for name in "ab"],
        [Relationship(from_document_id="a", relation_type="links_to", to_document_id="b")],
    )
    assert short.query_sets.propose() == Proposed(why_none="no_words")
    for why, said in WHY_NONE.items():
        assert how_made(Proposed(why_none=why)) == ". ".join(said)


def test_what_is_stopped_proposes_what_was_asked_until_then() -> None:
    assert bakery().query_sets.propose(progress=Stop(2)).n_made == 3


@pytest.mark.parametrize("n", [0, -1, 51])
def test_a_number_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(RequestError, match=f"{n} questions cannot be proposed"):
        bakery().query_sets.propose(n)
