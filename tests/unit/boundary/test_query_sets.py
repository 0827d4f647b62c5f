"""Query sets as people have them: JSON lines, CSV, qrels; what cannot be taken is told and loses nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.boundary.judgments.query_sets import read_query_set
from docgraph.domain.frozen import fingerprint
from docgraph.domain.passages.evidence import Evidence
from docgraph.domain.query_set import JudgedQuery, QuerySet, halves
from docgraph.errors import UserError


def lines(*records: object) -> bytes:
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in records).encode()


def read(*records: object) -> QuerySet:
    return read_query_set(lines(*records), name="set.jsonl")


def test_json_lines_name_questions_as_the_common_sets_do() -> None:
    found = read(
        {"id": "a", "query": " Why? ", "relevant": ["x", "y", "x"], "kind": "bridge", "evidence": "here", "target": 1},
        {"_id": "b", "text": "How?", "relevant": {"x": 1, "y": 0}, "cannot_judge": ["z"]},
        {"question": "Who?"},
    )
    first, second, third = found.queries
    assert (first.query_id, first.query, first.kind) == ("a", "Why?", "bridge")
    assert first.evidence == (Evidence(pattern="here"),)
    assert (first.grades, second.grades, third.grades) == ({"x": 2, "y": 2}, {"x": 1, "y": 0}, {})
    assert (second.cannot_judge, second.relevant, third.query_id) == (("z",), {"x": 1}, "q3")
    assert (found.n_judged, found.rejected) == (2, ())


def test_a_line_that_cannot_be_taken_is_named_and_the_others_stay() -> None:
    found = read(
        {"query": "Good?", "id": "a"},
        "{",
        {"id": "no question"},
        {"query": "Again?", "id": "a"},
        {"query": "Grades?", "relevant": {"x": 1.5}},
        {"query": "Grades?", "relevant": {"x": "high"}},
        {"query": "Ids?", "relevant": [["x"]]},
        {"query": "x" * 20_001},
    )
    assert [each.query for each in found.queries] == ["Good?"]
    assert [each.place for each in found.rejected] == [f"line {n}" for n in range(2, 9)]
    said = " ".join(each.reason for each in found.rejected)
    for what in ("not JSON", "no question under 'query'", "was there before: 'a'", "'1.5'", "'high'", "not a list"):
        assert what in said


def test_evidence_is_a_pattern_in_the_target_or_several_passages_that_are_all_needed() -> None:
    found = read(
        {"query": "One?", "relevant": ["x"], "target": "x", "evidence": "17\\.7% per year"},
        {"query": "Both?", "evidence": ["a+b", {"text": "C++ (", "document_id": "y"}, {"chunk_ids": ["y#3"]}]},
    )
    one, both = found.queries
    assert one.evidence == (Evidence(pattern="17\\.7% per year", document_id="x"),)
    assert both.evidence == (
        Evidence(pattern="a+b"),
        Evidence(text="C++ (", document_id="y"),
        Evidence(chunk_ids=("y#3",)),
    )


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ("printf(", "not a regular expression"),
        ("x" * 501, "501 characters"),
        ("(?:(?:x{1000}){1000}){1000}", "too many repeats"),
        ("a{99999999}", "too often"),
        ("(" * 400, "not a regular expression"),
        ({"document_id": "x"}, "names no passage"),
        ({"regex": "x"}, "regex"),
        ([{"pattern": "(x"}], "not a regular expression"),
    ],
)
def test_a_pattern_that_cannot_be_looked_for_is_a_rejected_line_with_its_reason(evidence: object, said: str) -> None:
    found = read({"query": "Good?"}, {"query": "Bad?", "evidence": evidence})
    assert [each.query for each in found.queries] == ["Good?"]
    assert [each.place for each in found.rejected] == ["line 2"]
    assert said in found.rejected[0].reason


def test_stored_sets_with_plain_evidence_keep_it_and_their_fingerprint() -> None:
    """Evidence was a piece of plain text before: sets in databases have it, and evaluations go on by fingerprint."""
    plain = JudgedQuery.model_validate({"query_id": "q", "query": "Why?", "evidence": "printf("})
    assert plain.evidence == (Evidence(text="printf("),)
    before = {"query_id": "q", "query": "Why?", "kind": "", "half": "tune", "grades": {}, "cannot_judge": []}
    for text in ("printf(", "valid until", ""):
        query = JudgedQuery.model_validate({**before, "evidence": text})
        assert QuerySet(name="s", queries=(query,)).fingerprint == fingerprint([{**before, "evidence": text}])
    named = JudgedQuery(query_id="q", query="Why?", evidence=(Evidence(text="printf(", document_id="x"),))
    assert QuerySet(name="s", queries=(named,)) != QuerySet(name="s", queries=(plain,))


@pytest.mark.parametrize("data", [b"", b"\n \n", b"{}\n", b"\xff\xfe\x00\x01\x00", b"id,relevant\na,b\n"])
def test_a_file_without_a_question_is_an_error_that_says_what_to_write(data: bytes) -> None:
    for name in ("set.jsonl", "set.csv"):
        with pytest.raises(UserError) as error:
            read_query_set(data, name=name)
        assert '{"query"' in error.value.hint


def test_csv_takes_as_many_columns_of_relevant_documents_as_there_are() -> None:
    data = b"\xef\xbb\xbfid,Question,relevant,relevant 2,kind\nq,Why?,a; b,c,bridge\n,How?,,,\n,,,,\n"
    first, second = read_query_set(data, name="set.CSV").queries
    assert (first.query_id, first.grades, first.kind) == ("q", {"a": 2, "b": 2, "c": 2}, "bridge")
    assert (second.query_id, second.grades) == ("q3", {})
    assert read_query_set(b"query\trelevant\nWhy?\ta\n", name="set.tsv").queries[0].grades == {"a": 2}


def test_qrels_stand_over_the_file_and_judge_nothing_that_is_not_asked() -> None:
    data = lines({"id": "a", "query": "?", "relevant": ["old"]}, {"id": "b", "query": "?", "relevant": ["old"]})
    found = read_query_set(data, name="s", qrels=b"a 0 new 1\na 0 not 0\nc 0 x 1\nbroken\n")
    assert [each.grades for each in found.queries] == [{"new": 2, "not": 0}, {"old": 2}]
    assert [each.place for each in found.rejected] == ["line 4", "c"]
    beir = read_query_set(data, name="s", qrels=b"query-id\tcorpus-id\tscore\nb\ttwo words\t2\nb\ty\t1\n")
    assert beir.queries[1].grades == {"two words": 2, "y": 1}


def test_a_named_half_is_kept_and_otherwise_every_second_question_of_a_kind_is_held_out() -> None:
    named = read({"query": "a", "split": "dev"}, {"query": "b", "half": "hold-out"}, {"query": "c"})
    assert [each.half for each in named.queries] == ["tune", "hold_out", "tune"]
    asked = [{"query": f"?{i}", "kind": "x" if i < 10 else "y", "split": "hippo101"} for i in range(20)]
    for kind in "xy":
        mine = [each.half for each in read(*asked).queries if each.kind == kind]
        assert mine.count("tune") == mine.count("hold_out") == 5


@given(st.lists(st.text(min_size=1, max_size=5), unique=True, min_size=1, max_size=12).flatmap(st.permutations))
def test_the_default_half_of_a_question_does_not_depend_on_its_place(ids: list[str]) -> None:
    kinds = ("",) * len(ids)
    told = dict(zip(ids, halves(tuple(ids), kinds), strict=True))
    ordered = tuple(sorted(ids))
    assert dict(zip(ordered, halves(ordered, kinds), strict=True)) == told
    assert abs(2 * list(told.values()).count("tune") - len(ids)) <= 1


def test_equal_questions_have_one_fingerprint_and_a_judgment_changes_it() -> None:
    made = QuerySet(name="a", queries=(JudgedQuery(query_id="q", query="?"),))
    assert made.fingerprint == made.model_copy(update={"name": "b"}).fingerprint
    judged = JudgedQuery(query_id="q", query="?", grades={"x": 1})
    assert made.fingerprint != made.model_copy(update={"queries": (judged,)}).fingerprint
