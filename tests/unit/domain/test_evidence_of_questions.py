"""Evidence of a question: which passages hold it, in which documents, and patterns that would never end."""

from __future__ import annotations

import time

import pytest
from pydantic import ValidationError

from docgraph.domain.judgment import PassageJudgment, marked_passages, passage_hash
from docgraph.domain.passages.evidence import Evidence, ReadPassage, evidence_rank, given_evidence, with_marked
from docgraph.errors import RequestError


def passage(document_id: str, text: str, *, number: int = 0, whole: bool = True) -> ReadPassage:
    return ReadPassage(document_id, f"{document_id}#{number}", text, passage_hash(text) if whole else "")


def rank(evidence: object, *passages: ReadPassage, relevant: tuple[str, ...] = ()) -> int | None:
    return evidence_rank(given_evidence(evidence), passages, relevant)


@pytest.mark.parametrize(
    ("evidence", "text", "held"),
    [
        ("valid  UNTIL", "is valid\nuntil May", True),
        ("17\\.7% per year", "grows by 17.7%\n  per YEAR", True),
        ("m/12381|m / 12381", "the path m / 12381 / 3600", True),
        ("costs $5 (net)", "It costs $5 (net) today", True),
        ("until", "unti", False),
        ({"text": "17\\.7"}, "17.7", False),
        ({"text": "STRASSE"}, "Die Straße", True),
    ],
)
def test_evidence_is_found_as_a_pattern_and_as_plain_text_whatever_white_space_and_capitals(
    evidence: object, text: str, held: bool
) -> None:
    assert rank(evidence, passage("a", text)) == (1 if held else None)


def test_evidence_is_not_put_together_from_two_chunks() -> None:
    assert rank("valid until", passage("a", "valid"), passage("a", "until", number=1)) is None


def test_evidence_counts_in_relevant_documents_only_and_where_a_document_is_named_only_there() -> None:
    a, b = passage("a", "the answer"), passage("b", "the answer")
    assert rank("answer", a, b, relevant=("b",)) == 2
    assert rank("answer", a, relevant=("b",)) is None
    assert rank({"pattern": "answer", "document_id": "a"}, b, a, relevant=("a", "b")) == 2
    assert rank("answer", a, b) == 1


def test_of_two_pieces_of_evidence_both_have_to_be_read() -> None:
    both = [{"text": "one", "document_id": "a"}, {"text": "two", "document_id": "b"}]
    assert rank(both, passage("a", "one"), passage("c", "-"), passage("b", "two")) == 3
    assert rank(both, passage("a", "one two")) is None


def test_a_chunk_that_is_named_or_marked_counts_when_all_of_it_is_read() -> None:
    whole, cut = passage("a", "The whole text."), passage("a", "The whole text.", whole=False)
    for evidence in ({"chunk_ids": ["a#0"]}, {"text_hashes": [passage_hash("The whole text.")]}):
        assert rank(evidence, whole) == 1
        assert rank(evidence, cut) is None


def test_a_pattern_that_would_never_end_is_an_error_within_a_second_that_names_it() -> None:
    began = time.monotonic()
    with pytest.raises(RequestError, match="takes more than"):
        rank("(?:(?:a{1,900}){1,900}){1,900}b", passage("a", "a" * 4_000))
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("pattern", ["(x", "a{99999999}", "(x{1000}){1000}", "(?:" * 100 + ")*" * 90, "[", "x{1}" * 9])
def test_a_pattern_that_cannot_be_looked_for_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError):
        Evidence(pattern=pattern)


def marked(*said: tuple[str, str, int | None]) -> dict[str, dict[str, frozenset[str]]]:
    return marked_passages(
        PassageJudgment(
            query="Why?", document_id="a", chunk_id="a#0", text_hash=passage_hash(text), grade=grade, by=by, at="2026"
        )
        for text, by, grade in said
    )


def test_a_passage_is_marked_when_the_median_of_its_judges_says_relevant() -> None:
    both = marked(("x", "ann", 2), ("x", "bob", 2), ("y", "ann", 2), ("y", "bob", 1), ("z", "ann", None))
    assert both == {"Why?": {"a": frozenset({passage_hash("x")})}}


def test_marked_passages_are_the_evidence_or_stand_beside_that_of_their_document() -> None:
    x, y = passage_hash("x"), passage_hash("y")
    found = {"a": {x}, "b": {y}}
    assert with_marked((), found, {"a", "b"}) == (Evidence(text_hashes=(x, y)),)
    assert with_marked((), found, {"a"}) == (Evidence(text_hashes=(x,)),)
    assert with_marked((), found, ()) == ()
    (alone,) = with_marked((Evidence(text="t"),), found, {"a", "b"})
    assert (alone.text, alone.text_hashes) == ("t", (x, y))
    both = (Evidence(text="t", document_id="a"), Evidence(text="u", document_id="c"))
    first, second = with_marked(both, found, {"a", "b"})
    assert (first.text_hashes, second.text_hashes) == ((x,), ())
