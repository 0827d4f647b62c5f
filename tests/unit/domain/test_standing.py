"""What keeps a document from holding, in the same words everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.graph import DocumentRef, Relationship, StoredDocument
from docgraph.domain.standing import standing_of, successors


def document(**metadata: Any) -> StoredDocument:
    return StoredDocument(document_id="d", title="D", metadata=metadata)


def edge(start: str, via: str, end: str) -> Relationship:
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end)


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"status": "rejected"}, "rejected"),
        ({"Status": "Superseded by ADR-0002"}, "superseded by ADR-0002"),
        ({"header": {"status": "Withdrawn"}}, "withdrawn"),
        ({"status": "Stagnant", "valid-until": "2024-05-01"}, "stagnant; valid until 2024-05-01"),
        ({"expires": "2024-05-01"}, "valid until 2024-05-01"),
        ({"status": "accepted"}, ""),
        ({"status": "Not rejected"}, ""),
        ({"status": ["rejected"]}, ""),
        ({"status": ""}, ""),
        ({"status": "rejected\n# Documents\x07 " + "x" * 500}, "rejected # Documents " + "x" * 58 + "…"),
        ({}, ""),
    ],
)
def test_a_document_that_does_not_hold_says_so_in_its_own_words(metadata: dict[str, Any], words: str) -> None:
    found = standing_of(document(**metadata), ())
    assert (found.words if found else "") == words


def test_what_replaced_it_goes_before_its_own_status_and_only_three_are_named() -> None:
    refs = [DocumentRef(document_id=str(n), title=f"T{n}" if n else "") for n in range(5)]
    found = standing_of(document(status="rejected"), refs)
    assert found is not None
    assert found.words == "superseded by 0, T1, T2 and 2 more"


def test_succession_is_read_in_both_directions_and_spellings_and_never_in_a_circle() -> None:
    outgoing = [edge("a", "superseded-by", "b"), edge("c", "superseded_by", "d"), edge("x", "explains", "y")]
    incoming = [edge("e", "replaces", "a"), edge("c", "replaces", "d"), edge("z", "supersedes", "z")]
    assert successors(outgoing, incoming) == {"a": ("b", "e")}


@pytest.mark.parametrize(
    ("metadata", "replaced_by", "word"),
    [
        ({"status": "accepted"}, ("new",), "superseded"),
        ({"status": "Superseded by ADR-0002"}, (), "superseded"),
        ({"status": "Rejected, see below"}, (), "rejected"),
        ({"status": "Stagnant", "valid-until": "2024-05-01"}, (), "stagnant"),
        ({"expires": "2024-05-01"}, (), "until 2024-05-01"),
    ],
)
def test_one_word_says_it_where_there_is_no_room(
    metadata: dict[str, Any], replaced_by: tuple[str, ...], word: str
) -> None:
    found = standing_of(document(**metadata), [DocumentRef(document_id=each, title=each) for each in replaced_by])
    assert found is not None
    assert found.word == word
