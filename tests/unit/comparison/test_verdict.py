"""The verdict, word by word: none, one and many of everything that can happen."""

from __future__ import annotations

import pytest

from docgraph.comparison.narrative import signed_tokens
from tests.unit.comparison.hand_made import chunk, chunks, documents, phrases, sentence


@pytest.mark.parametrize(
    ("of_documents", "of_chunks", "n_top", "tokens", "expected"),
    [
        (
            {"kept": 3, "added": 3},
            {"kept": 6, "added": 4, "left": 4},
            2,
            611,
            "MS5 adds 3 documents and 4 chunks; 4 chunks leave; the top 2 stay; +611 tokens.",
        ),
        (
            {"kept": 3, "added": 1},
            {"kept": 6, "added": 1, "left": 1},
            1,
            -1,
            "MS5 adds 1 document and 1 chunk; 1 chunk leaves; the top chunk stays; −1 token.",
        ),
        (
            {"kept": 2, "added": 1, "left": 1},
            {"kept": 2, "added": 3, "left": 2},
            0,
            1_204,
            "MS5 adds 1 document and 3 chunks; 1 document and 2 chunks leave; +1,204 tokens.",
        ),
        (
            {"kept": 3, "left": 1},
            {"kept": 6, "left": 2},
            0,
            -84,
            "1 document and 2 chunks leave; −84 tokens.",
        ),
        (
            {"kept": 3},
            {"kept": 5, "added": 2, "left": 2},
            5,
            0,
            "MS5 adds 2 chunks; 2 chunks leave; the top 5 stay; the same number of tokens.",
        ),
        (
            {"kept": 3},
            {"kept": 5},
            5,
            0,
            "MS5 reads the same chunks in the same order; the same number of tokens.",
        ),
        (
            {"kept": 2, "added": 1},
            {"kept": 5},
            5,
            12,
            "MS5 adds 1 document; the chunks are the same; +12 tokens.",
        ),
        (
            {"kept": 2, "left": 2},
            {"kept": 5},
            5,
            -20,
            "2 documents leave; the chunks are the same; −20 tokens.",
        ),
        (
            {"kept": 2, "left": 1},
            {"kept": 5},
            5,
            -20,
            "1 document leaves; the chunks are the same; −20 tokens.",
        ),
        (
            {"added": 2},
            {"added": 5},
            0,
            300,
            "MS3 found nothing; MS5 adds 2 documents and 5 chunks; +300 tokens.",
        ),
        (
            {"left": 1},
            {"left": 1},
            0,
            -40,
            "MS5 found nothing; 1 document and 1 chunk leave; −40 tokens.",
        ),
        (
            {"kept": 2},
            {},
            0,
            0,
            "MS5 has no chunks, nor has the other side; the same number of tokens.",
        ),
        (
            {"kept": 1, "added": 1},
            {},
            0,
            9,
            "MS5 adds 1 document; no chunks on either side; +9 tokens.",
        ),
        ({}, {}, 0, 0, "Both are empty: neither run found a document."),
    ],
)
def test_the_verdict_says_what_happened(
    of_documents: dict[str, int], of_chunks: dict[str, int], n_top: int, tokens: int, expected: str
) -> None:
    assert sentence(documents(**of_documents), chunks(**of_chunks), n_top=n_top, tokens=tokens) == expected


def test_chunks_in_another_order_are_counted() -> None:
    swapped = [chunk("kept", 2, 1), chunk("kept", 1, 2), chunk("kept", 3, 3)]
    assert sentence(documents(kept=2), swapped) == (
        "MS5 reads the same chunks in another order: 2 chunks move; the same number of tokens."
    )
    assert sentence(documents(kept=1, added=1), swapped, tokens=7) == (
        "MS5 adds 1 document; the chunks are the same in another order: 2 chunks move; +7 tokens."
    )


def test_a_chunk_with_two_versions_of_its_text_is_said() -> None:
    one = [chunk("kept", 1, 1, text="old", text_b="new"), chunk("kept", 2, 2)]
    assert sentence(documents(kept=1), one, tokens=3) == (
        "MS5 reads the same chunks in the same order; 1 chunk has another text; +3 tokens."
    )
    two = [chunk("kept", i, i, text="old", text_b="new") for i in (1, 2)]
    assert "2 chunks have another text" in sentence(documents(kept=1), two)


def test_every_number_leads_to_its_rows() -> None:
    made = phrases(documents(kept=3, added=3, left=1), chunks(kept=6, added=4, left=4), n_top=2, tokens=611)
    assert [(p.text, p.rows) for p in made if any(letter.isdigit() for letter in p.text.replace("MS5", ""))] == [
        ("3 documents", "documents_added"),
        ("4 chunks", "chunks_added"),
        ("1 document", "documents_left"),
        ("4 chunks", "chunks_left"),
        ("top 2", "top"),
        ("+611 tokens", "tokens"),
    ]


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (0, "the same number of tokens"),
        (1, "+1 token"),
        (-1, "−1 token"),
        (84, "+84 tokens"),
        (-1_000, "−1,000 tokens"),
    ],
)
def test_tokens_are_signed_and_counted(difference: int, text: str) -> None:
    assert signed_tokens(difference) == text
