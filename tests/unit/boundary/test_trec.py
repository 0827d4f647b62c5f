"""TREC's formats: runs and qrels are read as other tools write them, and written as other tools read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.boundary.judgments.trec import read_qrels, read_run, write_qrels, write_run
from docgraph.domain.query_set import JudgedQuery, QuerySet

WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8)


def test_a_run_is_ranked_by_score_whatever_the_order_of_its_lines() -> None:
    rankings, rejected = read_run(b"q1 Q0 b 2 0.5 x\nq1 Q0 a 1 0.9 x\nq1\tQ0\tb\t3\t0.1\tx\n\nq2 Q0 c 1 1e3 x\n")
    assert rankings == {"q1": ("a", "b"), "q2": ("c",)}
    assert rejected == ()


def test_lines_that_are_none_are_named_and_the_others_stay() -> None:
    rankings, rejected = read_run(b"q Q0 a 1 nan x\nq Q0 a\nq Q0 a one 1 x\nq Q0 b 1 1 x\n")
    assert rankings == {"q": ("b",)}
    assert [each.place for each in rejected] == ["line 1", "line 2", "line 3"]


@pytest.mark.parametrize("data", [b"", b" \n", b"\x00\x01\x02"])
def test_a_file_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^the file "):
        read_run(data)


def test_grades_keep_to_three_and_a_file_of_ones_means_relevant() -> None:
    assert read_qrels(b"q 0 a 3\nq 0 b 1\nq 0 c -2\nq 0 d 0\n")[0] == {"q": {"a": 2, "b": 1, "c": 0, "d": 0}}
    assert read_qrels(b"q 0 a 1\nq 0 b 0\n")[0] == {"q": {"a": 2, "b": 0}}
    assert [each.place for each in read_qrels(b"q 0 a x\nq 0 a 0.5\nq 0 a 1\n")[1]] == ["line 1", "line 2"]


@given(st.dictionaries(WORDS, st.lists(WORDS, unique=True, min_size=1, max_size=5), min_size=1, max_size=5))
def test_a_written_run_is_read_as_it_was(rankings: dict[str, list[str]]) -> None:
    written = "".join(write_run(rankings.items(), tag="a tag"))
    assert read_run(written.encode())[0] == {query_id: tuple(ids) for query_id, ids in rankings.items()}


def test_written_judgments_are_read_as_they_were_and_ids_stay_one_column() -> None:
    queries = (JudgedQuery(query_id="q 1", query="?", grades={"a b": 2, "c": 1, "d": 0}),)
    written = "".join(write_qrels(QuerySet(name="s", queries=queries)))
    assert read_qrels(written.encode())[0] == {"q_1": {"a_b": 2, "c": 1, "d": 0}}
