"""A tokenizer that remembers counts says what the one below says."""

from __future__ import annotations

from docgraph.orchestration.caches import MAX_CHARACTERS, RememberedCounts
from docgraph.testing.builders import WordTokenizer


class Counting(WordTokenizer):
    """Remembers what it was asked to count."""

    def __init__(self) -> None:
        self.counted: list[str] = []

    def count(self, text: str) -> int:
        self.counted.append(text)
        return super().count(text)


def test_a_short_text_is_counted_once_and_a_long_one_each_time() -> None:
    below = Counting()
    remembered, long = RememberedCounts(below), "word " * MAX_CHARACTERS
    assert [remembered.count("one two") for _ in range(3)] == [2, 2, 2]
    assert [remembered.count(long) for _ in range(2)] == [MAX_CHARACTERS] * 2
    assert below.counted == ["one two", long, long]


def test_everything_else_is_that_of_the_tokenizer_below() -> None:
    below, text = WordTokenizer(), "one two three four"
    remembered = RememberedCounts(below)
    assert remembered.name == below.name
    assert remembered.shorten(text, 2) == below.shorten(text, 2)
    assert remembered.split(text, 2) == below.split(text, 2)
