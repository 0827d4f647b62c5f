"""The verdict, word by word: none, one and many of everything that can happen; what is judged goes first."""

from __future__ import annotations

import pytest

from docgraph.comparison.narrative import signed_tokens
from docgraph.domain.comparison import DocumentChange, RelevantDocument, Removal
from tests.unit.comparison.hand_made import chunk, chunks, documents, phrases, sentence


def test_chunks_that_relevant_documents_lose_stand_beside_what_they_gain() -> None:
    read = [RelevantDocument(document_id="d", title="D", in_a=True, in_b=True)]
    said = sentence(documents(kept=3, added=1), chunks(kept=2, added=2, left=2), relevant=read)
    assert said.startswith(
        "1 → 1 of 1 relevant document is read; 2 of their passages are removed. Relationships add 1 "
    )
    lost = [RelevantDocument(document_id="d", title="D", in_a=True, in_b=False)]
    assert "of their passages" not in sentence(documents(kept=3, left=1), chunks(kept=2, left=2), relevant=lost)


@pytest.mark.parametrize(
    ("of_documents", "of_chunks", "tokens", "expected"),
    [
        (
            {"kept": 3, "added": 3},
            {"kept": 6, "added": 4, "left": 4},
            611,
            "Relationships add 3 documents; 4 passages are removed. Passages: 4 added, 4 removed, 6 "
            "in both; +611 tokens.",
        ),
        (
            {"kept": 2, "added": 1, "left": 1},
            {"kept": 2, "added": 3, "left": 2},
            -9,
            "Relationships add 1 document; 1 document is removed. Passages: 3 added, 2 removed, 2 in both.",
        ),
        (
            {"kept": 3, "left": 2},
            {"kept": 6, "left": 2},
            -84,
            "Relationships add no document; 2 documents are removed. Passages: 2 removed, 6 in both; −84 tokens.",
        ),
        ({"kept": 3}, {"kept": 5}, 0, "Relationships add no document. Passages: 5 in both."),
        (
            {"added": 2},
            {"added": 5},
            300,
            "The run without relationships found nothing; the run with relationships adds 2 documents. "
            "Passages: 5 added; +300 tokens.",
        ),
        (
            {"left": 1},
            {"left": 1},
            -40,
            "The run with relationships found nothing; 1 document is removed. Passages: 1 removed; −40 tokens.",
        ),
        ({"kept": 2}, {}, 0, "Relationships add no document. No passage in either run."),
        ({}, {}, 0, "Both are empty: neither run found a document."),
    ],
)
def test_the_verdict_says_what_happened(
    of_documents: dict[str, int], of_chunks: dict[str, int], tokens: int, expected: str
) -> None:
    assert sentence(documents(**of_documents), chunks(**of_chunks), tokens=tokens) == expected


def test_only_what_differs_in_relationships_alone_is_owed_to_them() -> None:
    """Compared with plain vectors or other limits a document that comes in may come in by its own similarity."""
    said = sentence(documents(kept=1, added=1, left=1), chunks(kept=1), alone=False)
    assert said == (
        "Compared with the run without relationships, the run with relationships adds 1 document; 1 "
        "document is removed. "
        "Passages: 1 in both."
    )


def test_chunks_in_another_order_and_with_another_text_are_counted() -> None:
    swapped = [chunk("kept", 2, 1), chunk("kept", 1, 2), chunk("kept", 3, 3, text="old", text_b="new")]
    assert sentence(documents(kept=2), swapped).endswith(
        "Passages: 3 in both, 2 of them at another position, 1 with another text."
    )


def test_a_document_that_was_found_before_is_said_to_be_reached_over_a_relationship_now() -> None:
    moved = DocumentChange(document_id="d", title="D", change="kept", role_a="seed", role_b="expanded")
    assert "; 1 document is reached through a relationship now." in sentence([moved], [])


def judged(*read: tuple[bool, bool]) -> list[RelevantDocument]:
    return [RelevantDocument(document_id=f"left{i}", title=f"T{i}", in_a=a, in_b=b) for i, (a, b) in enumerate(read)]


def test_the_judged_value_goes_first() -> None:
    said = sentence(
        documents(kept=1, added=1), chunks(kept=1), relevant=judged((True, True), (False, True), (False, False))
    )
    assert said.startswith("1 → 2 of 3 relevant documents are read. Relationships add 1 document.")
    assert sentence(documents(kept=1), [], relevant=judged((True, True))).startswith("1 → 1 of 1 relevant document is")


def test_a_judged_loss_turns_the_order_round_and_names_the_limit() -> None:
    """A net of 0 must not hide what was lost."""
    cause = Removal(cause="max_expanded", value=2, place=3)
    gone = DocumentChange(document_id="left0", title="T0", change="left", left_because=cause)
    rows = [*documents(kept=1, added=1), gone]
    said = sentence(rows, chunks(kept=1), relevant=judged((True, False), (False, True)))
    assert said.startswith(
        "1 relevant document is lost: T0, left out: limit 2 related documents. "
        "1 → 1 of 2 relevant documents are read: 1 gained, 1 lost. "
        "Relationships add 1 document; 1 document is removed."
    )
    many = [gone.model_copy(update={"document_id": f"left{i}"}) for i in range(4)]
    assert "; and 2 more. " in sentence(many, [], relevant=judged(*[(True, False)] * 4))


def test_nothing_is_valued_that_nobody_judged() -> None:
    assert "relevant" not in sentence(documents(kept=1, added=1), chunks(kept=1))


def test_every_number_leads_to_its_rows_and_every_phrase_to_its_sentence() -> None:
    made = phrases(
        documents(kept=3, added=3, left=1),
        chunks(kept=6, added=4, left=4),
        tokens=611,
        relevant=judged((True, False), (False, True)),
    )
    assert [(p.text, p.rows, p.part) for p in made if p.rows] == [
        ("1 relevant document is lost", "relevant_lost", "lost"),
        ("1 → 1 of 2 relevant documents", "relevant", "value"),
        ("1 gained", "relevant_gained", "value"),
        ("1 lost", "relevant_lost", "value"),
        ("3 documents", "documents_added", "change"),
        ("1 document", "documents_left", "change"),
        ("4 added", "chunks_added", "detail"),
        ("4 removed", "chunks_left", "detail"),
        ("+611 tokens", "tokens", "detail"),
    ]


@pytest.mark.parametrize(("difference", "text"), [(1, "+1 token"), (-84, "−84 tokens"), (-1_000, "−1,000 tokens")])
def test_tokens_are_signed_and_counted(difference: int, text: str) -> None:
    assert signed_tokens(difference) == text


@pytest.mark.parametrize(
    ("label", "name"), [("Plain vector search", "plain vector search"), ("Literal", "the literal run")]
)
def test_beside_a_named_baseline_the_sentence_says_what_both_runs_are(label: str, name: str) -> None:
    said = sentence(documents(kept=1, added=1), chunks(kept=1), alone=False, label_a=label)
    assert said.startswith(f"Compared with {name}, the run with relationships adds 1 document")


def test_two_runs_of_one_kind_are_told_apart() -> None:
    said = sentence(documents(kept=1, added=1), chunks(kept=1), alone=False, label_a="MS5")
    assert said.startswith("The second run adds 1 document")
