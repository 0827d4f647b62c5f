"""The stretch of a long passage that is shown of it: where most of the question's words stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docgraph.views.words.highlight import Segment, excerpt, segments, terms

FILLER = "Nothing of interest stands in this sentence at all. "
TEXT = FILLER * 9 + "The queue of a route holds 400 bookings. " + FILLER * 9 + "A queue grows. " + FILLER * 9


def _said(parts: tuple[Segment, ...]) -> str:
    return "".join(part for part, _ in parts)


def test_an_excerpt_is_the_stretch_with_most_different_words_from_the_beginning_of_its_sentence() -> None:
    parts = excerpt(segments(TEXT, terms("Why is the queue limited to 400 bookings per route?")), 120)
    assert _said(parts).startswith("… The queue of a route holds 400 bookings. Nothing")
    assert _said(parts).endswith(" …")
    assert len(_said(parts)) <= 120 + len("…  …")
    assert [part for part, found in parts if found] == ["queue", "route", "400", "bookings"]


def test_a_short_text_is_whole_and_one_without_the_words_is_read_from_its_beginning() -> None:
    short = segments("The queue is bounded.", terms("queue"))
    assert excerpt(short, 120) == short
    none = excerpt(segments(TEXT, terms("unheard")), 120)
    assert _said(none).startswith("Nothing of interest")
    assert _said(none).endswith(" …")


def test_a_text_that_ends_with_the_words_is_shown_to_its_end() -> None:
    said = _said(excerpt(segments(FILLER * 20 + "The last words are of a tariff.", terms("tariff")), 120))
    assert said.startswith("… ")
    assert said.endswith("The last words are of a tariff.")


@given(text=st.text(alphabet="ab .\n…", max_size=400), length=st.integers(8, 120))
def test_an_excerpt_is_a_piece_of_its_text_and_no_longer_than_asked(text: str, length: int) -> None:
    said = _said(excerpt(segments(text, frozenset({"ab", "b"})), length))
    pieces = {said}  # what the ellipses stand beside; a text may hold some of its own
    if len(text) > length:
        pieces |= {each.removeprefix("… ") for each in pieces}
        pieces |= {each.removesuffix(" …") for each in pieces}
    assert any(piece in text and len(piece) <= length for piece in pieces)
