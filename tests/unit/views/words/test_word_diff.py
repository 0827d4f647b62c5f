"""Two versions of one text: nothing is lost, and what did not change is not marked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.views.words.highlight import MAX_WORDS, Piece, side, word_diff

TEXTS = st.lists(st.sampled_from(["queue", "full", " ", "\n", "—", "400", "ä", "."]), max_size=30).map("".join)


def joined(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_each_side_of_a_diff_is_its_text(a: str, b: str) -> None:
    pieces = word_diff(a, b)
    assert (joined(side(pieces, "a")), joined(side(pieces, "b"))) == (a, b)


@settings(max_examples=30, deadline=None)
@given(TEXTS)
def test_a_text_and_itself_differ_in_nothing(text: str) -> None:
    assert all(piece.kind == "same" for piece in word_diff(text, text))


def test_a_changed_word_is_marked_alone() -> None:
    pieces = word_diff("At most 400 bookings wait.", "At most 500 bookings wait.")
    assert [(p.text, p.kind) for p in pieces] == [
        ("At most ", "same"),
        ("400", "removed"),
        ("500", "added"),
        (" bookings wait.", "same"),
    ]


def test_texts_too_long_for_words_are_compared_by_lines() -> None:
    long = "".join(f"line {i} of many\n" for i in range(MAX_WORDS))
    pieces = word_diff(long, long.replace("line 7 of", "line seven of"))
    assert [p.text for p in pieces if p.kind != "same"] == ["line 7 of many\n", "line seven of many\n"]
