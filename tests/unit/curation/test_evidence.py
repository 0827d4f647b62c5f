"""``evidence``: the passages of two documents that speak of each other, and what joins them."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.aio import AsyncDocgraph
from docgraph.domain.content_words import sentence_spans
from docgraph.domain.edge_evidence import Passage
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Chunk, Document
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.curation.workspaces import edges, workspace

EXTRACTORS = ("body_references", "markdown_links", "title_mentions", "wiki_links")


def _document(document_id: str, title: str, *texts: str, summary: str = "") -> Document:
    chunks = tuple(
        Chunk(chunk_id=f"{document_id}#{i}", chunk_index=i, text=text, token_count=len(text.split()))
        for i, text in enumerate(texts)
    )
    return Document(
        document_id=document_id,
        title=title,
        text="\n\n".join(texts),
        chunks=chunks,
        summary=summary,
        source=f"{document_id}.md",
    )


LINKS = "Read [the page](adr-9.md). It is ADR-9. Not xadr-9, not adr-99."
RULES = _document(
    "adr-004",
    "Retry rules",
    "Nothing here about it.",
    "Boats sail. See Dead letters for the rest! And more of that.",
    "Dead letters again. Then Dead letters, once more.",
    summary="Retry rules say how often.",
)
LETTERS = _document(
    "adr-007", "Dead letters", "Weather and tides.", "Retry often, but say how often.", summary="Letters that died."
)
OTHERS = [_document(f"o{i}", f"Other {i}", f"Unrelated number {i}.") for i in range(3)]


@pytest.fixture(scope="module")
def dg() -> Docgraph:
    made = workspace(
        [RULES, LETTERS, *OTHERS],
        edges(
            ("adr-004", "explains", "adr-007"),
            ("adr-007", "amends", "adr-004"),
            ("adr-004", "explains", "gone"),
            ("o0", "explains", "o0"),
        ),
        extractors=EXTRACTORS,
    )
    made.relationships.edit([Edit(action="accept", key=("adr-007", "amends", "adr-004"))], by="me", reason="read it")
    return made


def _names(passage: Passage | None) -> list[str]:
    assert passage is not None
    return [passage.text[quote.start : quote.end] for quote in passage.names]


def test_the_passage_that_names_the_other_document_is_shown_with_its_sentences_and_all_are_counted(
    dg: Docgraph,
) -> None:
    found = dg.relationships.evidence("adr-004", "adr-007")
    assert found.a is not None
    assert found.a.chunk_index in (1, 2)
    assert _names(found.a) in (
        ["See Dead letters for the rest!"],
        ["Dead letters again.", "Then Dead letters, once more."],
    )
    assert (found.a.n_naming, found.a.n_chunks) == (3, 3)


def test_without_a_name_it_is_the_passage_nearest_to_the_other_ones(dg: Docgraph) -> None:
    found = dg.relationships.evidence("adr-007", "adr-004")
    assert found.a is not None
    assert (found.a.text, found.a.names, found.a.n_naming) == ("Retry often, but say how often.", (), 0)


def test_relationships_of_both_directions_and_their_history_stand_beside(dg: Docgraph) -> None:
    for a, b in (("adr-004", "adr-007"), ("adr-007", "adr-004")):
        found = dg.relationships.evidence(a, b)
        assert {edge.key for edge in found.relationships} >= {
            ("adr-004", "explains", "adr-007"),
            ("adr-007", "amends", "adr-004"),
        }
        assert all({e.from_document_id, e.to_document_id} == {a, b} for e in found.relationships)
        assert [entry.reason for entry in found.history] == ["read it"]


def test_the_rank_counts_the_other_documents_by_similarity(dg: Docgraph) -> None:
    ids = ("adr-007", "o0", "o1", "o2")
    found = [dg.relationships.evidence("adr-004", other) for other in ids]
    assert sorted(each.rank or 0 for each in found) == [1, 2, 3, 4]
    assert {each.n_ranked for each in found} == {4}
    by_rank = sorted(found, key=lambda each: each.rank or 0)
    similarities = [each.similarity or 0.0 for each in by_rank]
    assert similarities == sorted(similarities, reverse=True)


def test_a_document_that_is_not_stored_has_no_passage(dg: Docgraph) -> None:
    found = dg.relationships.evidence("adr-004", "gone")
    assert found.a is not None
    assert (found.b, found.similarity, found.rank) == (None, None, None)
    assert [edge.key for edge in found.relationships] == [("adr-004", "explains", "gone")]
    assert dg.relationships.evidence("gone", "lost").relationships == ()


def test_a_document_beside_itself_is_shown_twice_and_does_not_name_itself(dg: Docgraph) -> None:
    found = dg.relationships.evidence("o0", "o0")
    assert found.a == found.b
    assert found.a is not None
    assert (found.a.names, found.rank) == ((), None)
    assert [edge.key for edge in found.relationships] == [("o0", "explains", "o0")]


def test_ids_and_links_name_a_document_and_longer_titles_take_their_part(dg: Docgraph) -> None:
    docs = [
        _document("x/notes", "Notes", LINKS, "Slow queue theory."),
        _document("x/adr-9", "Slow queue", "Short."),
        _document("x/theory", "Slow queue theory", "Long."),
    ]
    made = workspace(docs, extractors=EXTRACTORS)
    found = made.relationships.evidence("x/notes", "x/adr-9")
    assert _names(found.a) == ["Read [the page](adr-9.md).", "It is ADR-9."]
    assert _names(made.relationships.evidence("x/notes", "x/theory").a) == ["Slow queue theory."]


def test_hostile_titles_and_ids_are_looked_for_as_they_are() -> None:
    title = "(a+)+$ [[ <b>%_\\ ]] .*"
    docs = [_document("a", "A", f"It says {title} here. More."), _document("%_[(", title, "Text.", summary="Sum.")]
    made = workspace(docs, extractors=EXTRACTORS)
    assert made.relationships.evidence("a", "%_[(").a is not None
    assert made.relationships.evidence("%_[(", "a").b is not None


def test_it_can_be_awaited(dg: Docgraph) -> None:
    assert asyncio.run(AsyncDocgraph(dg).relationships.evidence("adr-004", "adr-007")) == dg.relationships.evidence(
        "adr-004", "adr-007"
    )


@given(st.text(alphabet=" \n.!?ab)\"'AB-*1|#", max_size=80))
def test_sentences_hold_every_word_in_order_and_no_space_around(text: str) -> None:
    spans = list(sentence_spans(text))
    assert all(text[start:end] and text[start:end] == text[start:end].strip() for start, end in spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    between = "".join(c for i, c in enumerate(text) if not any(start <= i < end for start, end in spans))
    assert not between.strip()
