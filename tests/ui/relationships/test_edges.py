"""All relationships: found, opened, changed with what was seen, added, many changed at once, shown as text."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.overrides import edge_text
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame.state import KEY, UiState
from docgraph.ui.parts.curation.state import _MEMORY, Memory
from tests.ui.conftest import Open, page_text

EXPLAINS = ("adr-1", "explains", "queue")
HOSTILE = "![x](https://evil.example/p.png) <script>alert(1)</script> :red[x]"


def opened(open_page: Open, *, by: str = "", **query: str) -> AppTest:
    """The section; ``by`` switches editing on."""
    at = open_page("relationships", tab="edges", **query)
    if by:
        state: UiState = at.session_state[KEY]
        state.page.setdefault(_MEMORY, Memory()).by = by
        at.run()
    return settled(at)


def settled(at: AppTest) -> AppTest:
    assert not at.exception, at.exception
    return at


def click(at: AppTest, key: str) -> AppTest:
    return settled(at.button(key=key).click().run())


def shown(at: AppTest) -> list[tuple[str, str, str]]:
    table = at.dataframe[0].value
    return list(zip(table["From"], table["Type"], table["To"], strict=True))


def keys(dg: Docgraph) -> list[tuple[str, str, str]]:
    return [edge.key for edge in dg.relationships.list()]


def choose(at: AppTest, action: str) -> AppTest:
    return settled(at.segmented_control(key="docgraph.edge.action").set_value(action).run())


def test_every_relationship_is_a_row_with_titles_source_questions_and_findings(
    harbor: Docgraph, open_page: Open
) -> None:
    harbor.runs.save(RetrievalRequest(query="Bounded queue decision"), name="Queue")
    at = opened(open_page)
    at.run()  # the checks have ended by now, or say that they run
    assert shown(at) == [
        ("Bounded queue", "explains", "Booking queue"),
        ("Bounded queue", "references", "gone (not stored)"),
    ]
    assert "2 relationships" in page_text(at)
    assert list(at.dataframe[0].value["Provenance"]) == ["stated in the document's front matter"] * 2


@pytest.mark.parametrize(
    ("query", "n"),
    [
        ({"part": "BOOKING bounded"}, 1),
        ({"type": "references"}, 1),
        ({"dangling": "true"}, 1),
        ({"at": "queue"}, 1),
        ({"reviewed": "yes"}, 0),
        ({"part": "nothing like it"}, 0),
        ({"found_by": "junk"}, 2),
    ],
)
def test_filters_of_the_address_narrow_the_table_and_say_how_many_are_left(
    harbor: Docgraph, open_page: Open, query: dict[str, str], n: int
) -> None:
    at = opened(open_page, **query)
    assert ("2 relationships" if n == 2 else f"{n} of 2 relationships") in page_text(at)
    assert len(at.dataframe) == (1 if n else 0)
    assert n or "No relationship matches" in page_text(at)


def test_without_a_name_an_edit_is_a_draft_with_its_effect_and_cannot_be_saved(
    harbor: Docgraph, open_page: Open
) -> None:
    at = choose(opened(open_page, edge=edge_text(EXPLAINS)), "remove")
    assert "remove Bounded queue —explains→ Booking queue" in page_text(at)
    assert at.button(key="docgraph.edge.save").disabled
    assert "Switch editing on" in page_text(at)


def test_a_saved_edit_stands_in_the_history_and_what_it_became_stays_open(harbor: Docgraph, open_page: Open) -> None:
    at = choose(opened(open_page, by="Ann", edge=edge_text(EXPLAINS)), "flip")
    at.text_input(key="docgraph.edge.reason").set_value("wrong way round").run()
    click(at, "docgraph.edge.save")
    assert ("queue", "explains", "adr-1") in keys(harbor)
    (entry,) = harbor.relationships.history()
    assert (entry.by, entry.reason, entry.edit.action) == ("Ann", "wrong way round", "flip")
    assert at.query_params["edge"] in (["queue|explains|adr-1"], "queue|explains|adr-1")
    assert "reversed by Ann" in page_text(at)


def test_the_second_of_two_is_told_who_changed_what_and_keeps_the_draft(harbor: Docgraph, open_page: Open) -> None:
    at = choose(opened(open_page, by="Ann", edge=edge_text(EXPLAINS)), "remove")
    at.text_input(key="docgraph.edge.reason").set_value("not so").run()
    harbor.relationships.edit([Edit(action="accept", key=EXPLAINS)], by="Ben", reason="it is right")
    click(at, "docgraph.edge.save")
    said = page_text(at)
    assert EXPLAINS in keys(harbor)
    assert "Bounded queue —explains→ Booking queue has changed since you saw it" in said
    assert "Ben accepted Bounded queue —explains→ Booking queue" in said
    assert "adr-1 —explains→" not in said
    assert "it is right" in said
    assert at.text_input(key="docgraph.edge.reason").value == "not so"
    assert at.button(key="docgraph.edge.save").disabled
    click(at, "docgraph.edge.again")
    assert at.text_input(key="docgraph.edge.reason").value == "not so"
    click(at, "docgraph.edge.save")
    assert EXPLAINS not in keys(harbor)


def test_a_relationship_that_became_another_one_leads_there_with_the_draft(harbor: Docgraph, open_page: Open) -> None:
    at = choose(opened(open_page, by="Ann", edge=edge_text(EXPLAINS)), "accept")
    at.text_input(key="docgraph.edge.reason").set_value("read both").run()
    harbor.relationships.edit([Edit(action="retype", key=EXPLAINS, relation_type="references")], by="Ben")
    click(at, "docgraph.edge.save")
    assert "no longer exists" in page_text(at)
    assert "Ben changed the type of" in page_text(at)
    click(at, "docgraph.edge.follow")
    assert at.text_input(key="docgraph.edge.reason").value == "read both"
    click(at, "docgraph.edge.save")
    assert [(e.by, e.edit.action, e.reason) for e in harbor.relationships.history(limit=1)] == [
        ("Ann", "accept", "read both")
    ]


def test_a_relationship_is_added_between_titles_with_a_type_of_the_vocabulary(
    harbor: Docgraph, open_page: Open
) -> None:
    at = click(opened(open_page, by="Ann"), "docgraph.edges.add")
    assert "Booking queue" in at.selectbox(key="docgraph.add.from").options
    at.selectbox(key="docgraph.add.from").set_value("queue").run()
    at.selectbox(key="docgraph.add.to").set_value("glossary").run()
    assert at.button(key="docgraph.add.save").disabled
    at.selectbox(key="docgraph.add.via").set_value("explains").run()
    click(at, "docgraph.add.save")
    assert ("queue", "explains", "glossary") in keys(harbor)
    click(at, "docgraph.edges.add")
    assert at.selectbox(key="docgraph.add.from").value is None


def test_a_page_of_many_says_where_it_stands(docgraph: Docgraph, open_page: Open) -> None:
    documents = [Document(document_id=f"d{i:03}", title=f"Document {i:03}", text="text") for i in range(3)]
    edges = [Relationship(from_document_id="d000", relation_type="r", to_document_id=f"x{i:03}") for i in range(450)]
    docgraph.ingest_records(documents, edges)
    at = opened(open_page)
    assert "1 to 200 of 450" in page_text(at)
    click(click(at, "docgraph.edges.next"), "docgraph.edges.next")
    assert "401 to 450 of 450" in page_text(at)
    assert len(at.dataframe[0].value) == 50


def test_hostile_titles_types_and_reasons_are_text(docgraph: Docgraph, open_page: Open) -> None:
    documents = [Document(document_id=i, title=f"{HOSTILE} {i}", text=HOSTILE) for i in ("a", f"b {HOSTILE}")]
    edge = Relationship(
        from_document_id="a",
        relation_type=HOSTILE,
        to_document_id=documents[1].document_id,
        relationship_metadata={"extractor": HOSTILE, "place": HOSTILE, "text": HOSTILE},
    )
    docgraph.ingest_records(documents, [edge])
    docgraph.relationships.edit([Edit(action="accept", key=edge.key)], by=HOSTILE, reason=HOSTILE)
    at = choose(opened(open_page, by=HOSTILE, edge=edge_text(edge.key)), "flip")
    assert "<script>" not in page_text(at)
    assert "<img" not in page_text(at)
    for link in at.get("page_link"):
        assert "](https://evil" not in link.proto.label
        assert "<script>" not in link.proto.label
    for text in (*(m.value for m in at.markdown), *(b.label for b in at.button)):
        assert "![x]" not in text


def test_an_address_that_names_no_relationship_says_so(harbor: Docgraph, open_page: Open) -> None:
    assert "does not name a relationship" in page_text(opened(open_page, edge="junk"))
    assert "no longer exists" in page_text(opened(open_page, edge="a|b|c"))
