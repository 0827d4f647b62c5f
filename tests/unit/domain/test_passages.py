"""The part of a question that asks, words as full text counts them, windows of a chunk, and how well they fit."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.context import ScoredChunk
from docgraph.domain.passages.fitting import CONTEXT_WEIGHT, asking_part, word_fit, word_weights
from docgraph.domain.passages.lexemes import Finder, lexemes
from docgraph.domain.passages.windows import framed, joined, windows

TEXTS = st.text(alphabet="ab -.?!\n|#é0", max_size=400)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Old nodes choked on a block. Which resource ran out?", "Which resource ran out?"),
        ("Deriving keys: how deep may the tree be, and why that cap?", "how deep may the tree be why that cap?"),
        ("The rules were rebalanced. The first time, which traits got marked?", "which traits got marked?"),
        ("Why is the queue bounded?", "Why is the queue bounded?"),
        ("When a node starts, how does it find peers?", "When a node starts, how does it find peers?"),
        ("Explain the queue. Keep it short.", "Explain the queue. Keep it short."),
        ("Which one is it? Who decides?", "Which one is it? Who decides?"),
        ("The queue is full. What happens then?", "The queue is full. What happens then?"),
        ("", ""),
    ],
)
def test_the_sentence_that_asks_is_told_from_those_around_it(question: str, part: str) -> None:
    assert asking_part(question) == part


def test_words_are_counted_by_their_stems_and_stop_words_are_not() -> None:
    assert lexemes("The bookings were booked by a Booking-agent") == {"book": 3, "booking-ag": 1, "agent": 1}


@given(TEXTS)
def test_a_finder_finds_what_the_counts_say(text: str) -> None:
    counts = lexemes(text)
    found = [word for _, word in Finder(counts).places(text)]
    for word, n in counts.items():
        if "-" not in word and "-" not in text:
            assert found.count(word) == n


def test_a_finder_says_where_a_word_begins_whatever_its_form() -> None:
    assert Finder(["polici", "book"]).places("Policies, booked; a policy") == [
        (0, "polici"),
        (10, "book"),
        (20, "polici"),
    ]


@given(TEXTS, st.integers(0, 400))
def test_windows_hold_every_word_in_order_and_do_not_overlap(text: str, tokens: int) -> None:
    spans = windows(text, tokens)
    assert all(start < end for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())


def test_a_long_table_is_cut_at_its_rows() -> None:
    rows = [f"| P{n:03} | {7 * n} | ms | the timeout of lane {n} |" for n in range(30)]
    spans = windows("\n".join(rows), 600)
    assert len(spans) > 5
    assert all("\n".join(rows)[start:end].startswith("| P") for start, end in spans)


def test_words_outside_of_the_asking_part_count_by_a_tenth() -> None:
    weights = word_weights({"queue": 5, "limit": 5, "gone": 0}, 100, asked={"limit"})
    assert sorted(weights) == ["limit", "queue"]
    assert weights["queue"] / weights["limit"] == pytest.approx(CONTEXT_WEIGHT)
    assert sum(weights.values()) == pytest.approx(1)


def test_where_the_corpus_holds_no_word_that_asks_all_words_count_alike() -> None:
    weights = word_weights({"queue": 5, "limit": 5}, 100, asked={"unheard"})
    assert weights["queue"] == weights["limit"] == pytest.approx(0.5)
    assert word_weights({"gone": 0}, 100, asked=()) == {}


def test_words_that_come_up_more_often_or_in_a_shorter_text_fit_better_and_never_beyond_one() -> None:
    weights = word_weights({"queue": 5, "limit": 9}, 100, asked=("queue", "limit"))

    def fit(counts: dict[str, int], tokens: int) -> float:
        return word_fit(counts, weights, tokens=tokens, typical=200)

    assert 0 == fit({}, 100) < fit({"queue": 1}, 200) < fit({"queue": 2}, 200) < fit({"queue": 2}, 50)
    assert fit({"queue": 1, "limit": 1}, 200) > fit({"queue": 1}, 200)
    assert fit({"queue": 10_000, "limit": 10_000}, 10) < 1


def test_a_passage_says_where_something_is_left_out() -> None:
    text = "One. Two. Three. Four."
    chunk = {"chunk_id": "a#0", "chunk_index": 0, "text": text, "score": 0.5, "rank": 1, "ground": "passage"}
    whole = ScoredChunk.model_validate({**chunk, "token_count": 8})
    assert (whole.passage, whole.passage_tokens) == (text, 8)
    spans = joined(text, ((5, 9), (0, 4), (17, 22)))
    assert spans == ((0, 9), (17, 22))
    part = ScoredChunk.model_validate({**chunk, "token_count": 8, "excerpt": spans})
    assert part.passage == "One. Two. … Four."
    assert part.passage_tokens < 8


HEAD = "| name | default |\n|---|---|"


def test_rows_of_a_table_are_read_with_their_heading_rows_and_code_with_its_fences() -> None:
    rows = [f"| P{n:03} | {7 * n} |" for n in range(9)]
    text = "Before.\n\n" + "\n".join([HEAD, *rows]) + "\n\n```python\none = 1\ntwo = 2\n```\nAfter."
    row, two, after = text.index("| P004"), text.index("two"), text.index("After")

    def read(*starts: int) -> list[str]:
        spans = tuple((start, text.index("\n", start) if "\n" in text[start:] else len(text)) for start in starts)
        return [text[start:end] for start, end in joined(text, framed(text, spans))]

    assert read(row) == [HEAD, rows[4]]
    assert read(two) == ["```python", "two = 2\n```"]
    assert read(after) == ["After."]
    assert read(text.index("| name"), row) == [HEAD, rows[4]]


@given(st.lists(st.sampled_from(["| a | b |", "|---|---|", "```", "~~~ x", "> ```py", "", "words", "--"]), max_size=30))
def test_whatever_the_lines_frames_are_spans_of_the_text(lines: list[str]) -> None:
    text = "\n".join(lines)
    chosen = windows(text, 2 * len(lines))[:1]
    spans = joined(text, framed(text, chosen))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
