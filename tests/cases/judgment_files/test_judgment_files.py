"""Lines that are not read are told and fail a gate; Quepid's, OpenSearch's and ragas' lists come in and go out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docgraph as package
from docgraph.boundary.judgments.query_sets import read_query_set
from docgraph.boundary.judgments.trec import read_run, written
from docgraph.cli.files import write_files
from docgraph.domain.graph import Document
from docgraph.domain.passages.evidence import Evidence
from docgraph.domain.query_set import QuerySet
from docgraph.errors import NotFoundError, RequestError, UserError
from tests.command_line import Command, filled_workspace, running

HERE = Path(__file__).parent
DOCUMENTS = (
    Document(document_id="queue", title="Queue", text="The queue is bounded so that waiting ends."),
    Document(document_id="pool", title="Pool", text="The pool is shared."),
)


@pytest.fixture(scope="module")
def _workspace(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, "case-judgments", DOCUMENTS, ()):
        yield


@pytest.fixture
def evaluate(_workspace: None, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph evaluate …`` over the case's documents."""
    return running("evaluate", capsys)


def read(text: str, name: str = "set.jsonl", qrels: str | None = None) -> QuerySet:
    return read_query_set(text.encode(), name=name, qrels=None if qrels is None else qrels.encode())


def grades(found: QuerySet) -> dict[str, dict[str, int]]:
    """Question → its grades."""
    return {each.query: dict(each.grades) for each in found.queries}


def places(found: QuerySet) -> list[str]:
    """Where the lines stand that are not read."""
    return [each.place for each in found.rejected]


@pytest.mark.integration
def test_dropped_lines_are_told_in_text_and_json_and_fail_a_gate(evaluate: Command) -> None:
    """A gate passed over a file of which four of five lines were dropped without a word."""
    file, gate = str(HERE / "dropped-lines/input/q.jsonl"), ("--fail-under", "recall@6=0.5")
    code, out, _ = evaluate(file, *gate)
    assert code == 1
    assert "3 questions asked, 3 judged" in out
    assert "2 lines are not read: line 4, line 5" in out
    assert "line 4 is not JSON" in out
    assert "line 5 has an id that was there before: 'a'" in out
    assert "the grade 3 of 'pool' is read as 2" in out
    code, out, _ = evaluate(file, *gate, "--json")
    told = json.loads(out)
    assert code == 1
    assert [each["place"] for each in told["unread"]] == ["line 4", "line 5"]
    assert [each["place"] for each in told["adjusted"]] == ["line 2"]
    assert [each["passed"] for each in told["gates"]] == [True, False]
    assert evaluate(file, *gate, "--allow-unread")[0] == 0
    assert evaluate(file)[0] == 0, "without a gate they are told, and that is all"
    assert "2 lines are not read" in evaluate(file, "--markdown")[1]


@pytest.mark.integration
def test_lines_of_a_ranking_that_are_not_read_are_told_and_fail_a_gate(evaluate: Command, tmp_path: Path) -> None:
    run = tmp_path / "other.trec"
    run.write_text("a Q0 queue 1 0.9 x\nb Q0 pool first 0.9 x\n")
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"id": "a", "query": "why?", "relevant": "queue"}\n')
    code, out, _ = evaluate(str(questions), "-c", str(run), "--fail-under", "recall@6=0.5")
    assert code == 1
    assert "other.trec, line 2" in out
    assert evaluate(str(questions), "-c", str(run), "--fail-under", "recall@6=0.5", "--allow-unread")[0] == 0


@pytest.mark.integration
def test_every_configuration_gets_a_run_file_of_its_own(evaluate: Command, tmp_path: Path) -> None:
    """Into a folder that was not there both runs were one file of that name, and the last one overwrote the first."""
    folder = tmp_path / "runs" / "today"
    given = [part for name in ("a/b", "a-b", "A-b") for part in ("-c", f"{name}={tmp_path / 'off.json'}")]
    (tmp_path / "off.json").write_text('{"use_relationships": false}')
    code, _, err = evaluate(str(HERE / "quepid/input/quepid.csv"), *given, "-c", "on", "--runs", str(folder))
    assert code == 0, err
    assert sorted(each.name for each in folder.iterdir()) == ["A-b-3.trec", "a-b-2.trec", "a-b.trec", "on.trec"]
    assert all(read_run(each.read_bytes())[0] for each in folder.iterdir())
    code, _, err = evaluate(str(HERE / "quepid/input/quepid.csv"), "--runs", str(tmp_path / "off.json"))
    assert code == 1
    assert "it is a file" in err


def test_no_name_leads_out_of_the_folder_of_runs(tmp_path: Path) -> None:
    made = write_files(str(tmp_path / "runs"), [("../../x.trec", b"x"), ("..trec", b"y")])
    assert {each.parent for each in made} == {tmp_path / "runs"}
    assert len({each.read_bytes() for each in made}) == 2


def test_quepids_csv_is_read_with_its_scale() -> None:
    found = read_query_set((HERE / "quepid/input/quepid.csv").read_bytes(), name="quepid.csv")
    assert grades(found) == {"why is the queue bounded": {"queue": 2, "pool": 0}, "who shares the pool": {"pool": 1}}
    assert found.rejected == ()
    assert "ratings from 0 to 3" in found.adjusted[0].reason


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("Why?,a,1\nWhy?,b,0\n", {"a": 2, "b": 0}),
        ("Why?,a,10\nWhy?,b,4\nWhy?,c,1\n", {"a": 2, "b": 1, "c": 1}),
        ("Why?,a,5\nWhy?,b,1\nWhy?,c,-1\n", {"a": 2, "b": 1, "c": 0}),
        ("Why?,a,0.7\nWhy?,b,0.1\nWhy?,c,0.0\n", {"a": 1, "b": 1, "c": 0}),
    ],
)
def test_the_highest_rating_tells_the_scale(rows: str, expected: dict[str, int]) -> None:
    for heading in ("query,docid,rating", "Query Text,Doc ID,Rating", "queryText,docId,rating"):
        assert grades(read(f"{heading}\n{rows}", "x.csv")) == {"Why?": expected}


def test_what_quepid_leaves_empty_is_not_judged_and_what_cannot_be_is_told_by_its_line() -> None:
    found = read(
        "query,docid,rating\nWhy?,a,3\nNo match?,,\nNot rated?,b,\nWhy?,a,1\nWhy?,c,good\n,d,2\nWhy?,,2\nWhy,so?,e,3\n",
        "x.csv",
    )
    assert grades(found) == {"Why?": {"a": 2}, "No match?": {}, "Not rated?": {}}
    assert sorted(places(found)) == ["line 5", "line 6", "line 7", "line 8", "line 9"]
    said = " ".join(each.reason for each in found.rejected)
    for what in ("a second time", "not a number: 'good'", "no question", "does not name it", "4 values for 3 columns"):
        assert what in said


@pytest.mark.parametrize("heading", ["query,docid", "query,docid,eric,daniel", "docid,rating"])
def test_columns_that_judge_nothing_are_an_error_that_names_them(heading: str) -> None:
    values = ",".join("x" * len(heading.split(",")))
    with pytest.raises(UserError, match=heading.replace(",", ", ")):
        read(f"{heading}\n{values}\n", "x.csv")


SRW = {
    "name": "Imported",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {"query": "Why?", "ratings": [{"docId": "a", "rating": "3.000"}, {"docId": "b", "rating": "0.000"}]},
        {"query": "How?", "ratings": [{"docId": "a", "rating": "1.000"}]},
    ],
}
FLAT = [
    {"queryText": "Why?", "docId": "a", "rating": "3.000"},
    {"queryText": "Why?", "docId": "b", "rating": 0},
    {"queryText": "How?", "docId": "a", "rating": 1.0},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(SRW, indent=2),
        json.dumps(SRW),
        json.dumps({"took": 3, "hits": {"total": {"value": 1}, "hits": [{"_id": "x", "_source": SRW}]}}, indent=1),
        json.dumps({"judgmentRatings": {each["query"]: each["ratings"] for each in SRW["judgmentRatings"]}}),  # type: ignore[index,union-attr]
        "\n".join(map(json.dumps, SRW["judgmentRatings"])),
        json.dumps(FLAT),
        json.dumps(FLAT, indent=2),
        "\n".join(map(json.dumps, FLAT)),
        "\ufeff" + json.dumps(FLAT),
    ],
)
def test_opensearch_lists_are_read_as_they_are_sent_returned_or_flat(text: str) -> None:
    for name in ("judgments.json", "judgments.jsonl"):
        found = read(text, name)
        assert grades(found) == {"Why?": {"a": 2, "b": 0}, "How?": {"a": 1}}
        assert found.rejected == ()


def test_what_is_broken_in_an_opensearch_list_is_named_by_its_place() -> None:
    text = json.dumps({"judgmentRatings": [{"query": "Why?", "ratings": [{"docId": "a", "rating": "x"}, 7]}, "x"]})
    with pytest.raises(UserError, match="query 1, rating 1: the rating is not a number: 'x'"):
        read(text, "j.json")
    some = json.dumps([*FLAT, 5, {"queryText": "Who?"}, {"docId": "a", "rating": 1}])
    assert places(read(some, "j.json")) == ["entry 6", "entry 4"]


RAGAS = [
    {
        "user_input": "Why?",
        "reference_contexts": ["<1-hop>\n\nIt ends (the waiting).", "<2-hop>\n\nShared."],
        "reference": "Because.",
        "synthesizer_name": "multi_hop",
    },
    {"user_input": "How?", "reference_contexts": ["Bounded."], "reference_context_ids": ["queue", 7]},
]


def test_a_test_set_of_ragas_is_read_from_json_lines_and_csv() -> None:
    lines = "\n".join(map(json.dumps, RAGAS))
    buffer = io.StringIO()
    rows = csv.DictWriter(buffer, fieldnames=sorted({key for each in RAGAS for key in each}))
    rows.writeheader()
    rows.writerows(RAGAS)  # ragas does the same: a list is written as Python writes it
    for found in (read(lines), read(json.dumps(RAGAS), "t.json"), read(buffer.getvalue(), "t.csv")):
        why, how = found.queries
        assert (why.query, why.kind) == ("Why?", "multi_hop")
        assert why.evidence == (Evidence(text="It ends (the waiting)."), Evidence(text="Shared."))
        assert (how.query, how.evidence, how.grades) == ("How?", (Evidence(text="Bounded."),), {"queue": 2, "7": 2})
        assert found.rejected == ()
        assert any("'reference'" in each.reason for each in found.adjusted)


def test_a_conversation_of_ragas_is_told_and_hostile_cells_are_refused() -> None:
    turns = json.dumps({"user_input": [{"content": "Hi", "type": "human"}]})
    found = read(f'{turns}\n{{"user_input": "Why?"}}\n')
    assert places(found) == ["line 1"]
    assert "several turns" in found.rejected[0].reason
    for cell in ("[" * 50_000, "[__import__('os')]", "['a'", "[1" + "+1" * 50_000 + "]"):
        bad = read(f'user_input,reference_contexts\nWhy?,""\nHow?,"{cell}"\n', "t.csv")
        assert places(bad) == ["line 3"]


@pytest.mark.parametrize("line", ['{"query": "?", "relevant": "a"}', '{"query": "?", "relevant": ["a"]}'])
def test_a_single_id_may_stand_without_its_list(line: str) -> None:
    assert read(line).queries[0].grades == {"a": 2}
    assert read('{"query": "?", "relevant": 7}').queries[0].grades == {"7": 2}
    assert read('{"query": "?", "cannot_judge": "a"}').queries[0].cannot_judge == ("a",)


def test_grades_beyond_the_scale_are_read_as_the_nearest_and_said() -> None:
    found = read('{"query": "?", "relevant": {"a": 3, "b": -1, "c": 2.0, "d": "1", "e": 1e30}}')
    assert found.queries[0].grades == {"a": 2, "b": 0, "c": 2, "d": 1, "e": 2}
    assert len(found.adjusted) == 3
    listed = read('{"query": "?", "relevant": [{"document_id": "a", "grade": 9}, "b"]}')
    assert listed.queries[0].grades == {"a": 2, "b": 2}
    told = read('{"id": "a", "query": "?"}', qrels="a 0 x 3\na 0 y -2\na 0 x 1\n")
    assert [each.reason for each in told.adjusted] == [
        "1 grade of the qrels above 2: read as 2",
        "1 grade of the qrels below 0: read as 0",
    ]
    assert places(told) == ["line 3"]


def test_fields_that_are_not_read_are_said_once_each() -> None:
    found = read('{"query": "a", "relevnt": ["x"]}\n{"query": "b", "relevnt": ["x"], "half": "left"}\n')
    assert [each.reason for each in found.adjusted] == [
        "line 2: the half 'left' is neither tune nor hold_out; it is passed over",
        "the field 'relevnt' of 2 lines is not read",
    ]
    many = read(json.dumps({"query": "a"} | {f"x{n}": n for n in range(500)}))
    assert len(many.adjusted) == 21


def test_values_beyond_the_heading_and_two_columns_of_one_name_are_told() -> None:
    found = read("query,relevant\nWhy, though?,a\nHow?,b,\n", "x.csv")
    assert (grades(found), places(found)) == ({"How?": {"b": 2}}, ["line 2"])
    with pytest.raises(UserError, match="two columns"):
        read("query,kind,Kind\nWhy?,a,b\n", "x.csv")


def test_sets_go_out_and_come_back_in_every_form() -> None:
    given = read(
        '{"id": "a", "query": "Why, \\"so\\"?", "relevant": {"x": 2, "y": 1, "z": 0}, "kind": "k", "half": "test"}\n'
        '{"id": "b", "query": "=How?", "evidence": [{"text": "It ends."}], "cannot_judge": ["x"]}\n'
    )
    for form, name in (("quepid", "x.csv"), ("opensearch", "x.json"), ("jsonl", "x.jsonl")):
        again = read("".join(written(given, form)), name)
        assert grades(again) == grades(given)
        assert again.rejected == ()
    assert read("".join(written(given, "jsonl"))).queries == given.queries
    ragas = [json.loads(each) for each in written(given, "ragas")]
    assert ragas[0] == {"user_input": 'Why, "so"?', "reference_context_ids": ["x", "y"], "synthesizer_name": "k"}
    assert ragas[1] == {"user_input": "=How?", "reference_contexts": ["It ends."]}
    partly = read('{"query": "?", "relevant": {"a": 1}}')
    for form, name in (("quepid", "x.csv"), ("opensearch", "x.json")):
        assert grades(read("".join(written(partly, form)), name)) == {"?": {"a": 1}}
    with pytest.raises(RequestError, match="quepid"):
        written(given, "excel")


def test_python_exports_a_kept_set_or_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DOCGRAPH_DATABASE_URL", "DOCGRAPH_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    with package.connect(store="memory", workspace="case") as dg:
        dg.query_sets.keep([{"query": "Why?", "grades": {"a": 2}}], name="set")
        assert dg.query_sets.export("set", "quepid") == "query,docid,rating\nWhy?,a,3\n"
        assert json.loads(dg.query_sets.export([{"query": "Why?", "grades": {"a": 1}}]))["relevant"] == {"a": 1}
        with pytest.raises(NotFoundError):
            dg.query_sets.export("none", "quepid")


@pytest.mark.integration
@pytest.mark.usefixtures("_workspace")
def test_the_command_line_exports_a_file_of_questions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    export = running("query-sets", capsys)
    target = tmp_path / "out.json"
    code, out, err = export("export", str(HERE / "quepid/input/quepid.csv"), str(target), "--as", "opensearch")
    assert code == 0, err
    assert "2 questions, 2 judged" in out
    assert [each["query"] for each in json.loads(target.read_text())["judgmentRatings"]] == [
        "why is the queue bounded",
        "who shares the pool",
    ]
    code, _, err = export("export", str(target), str(tmp_path), "--as", "excel")
    assert code == 1
    assert "take one of: jsonl, quepid, opensearch, ragas, trec" in err
