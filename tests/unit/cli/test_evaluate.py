"""``docgraph evaluate``: as a gate, with files in and out, and with everything that cannot be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from docgraph.boundary.judgments.trec import read_run
from docgraph.cli import edge
from docgraph.domain.evaluation import Evaluation
from docgraph.domain.graph import Document, Relationship
from tests.command_line import Command, filled_workspace

pytestmark = pytest.mark.integration
DOCUMENTS = tuple(
    Document(document_id=i, title=f"Paper {i}", text=text)
    for i, text in (
        ("queue", "The queue is bounded."),
        ("slot", "A slot holds a payment."),
        ("crane", "The crane lifts cargo."),
        ("pilot", "Pilots know the tide."),
    )
)
EDGES = (Relationship(from_document_id="queue", relation_type="explains", to_document_id="pilot"),)
SET: list[dict[str, Any]] = [
    {"id": "q1", "query": "Why is the queue bounded?", "relevant": ["queue", "pilot"], "kind": "bridge"},
    {"id": "q2", "query": "What does the crane lift? \x1b[31m", "relevant": ["crane"], "kind": "single"},
    {"id": "q3", "query": "=cmd()"},
]
TWO = ("--set", "max_documents=2", "--set", "max_chunks=2", "-m", "recall@2,tokens")


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, "cli-evaluate", DOCUMENTS, EDGES):
        yield


@pytest.fixture
def docgraph(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph …``: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run([*([] if arguments[0] == "scoreboard" else ["evaluate"]), *arguments])
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, SET)), encoding="utf-8")
    return str(path)


def test_the_means_of_both_are_told_with_what_changed(docgraph: Command, questions: str) -> None:
    code, out, err = docgraph(questions, *TWO)
    assert code == 0, err
    assert out.startswith("set.jsonl: 3 questions asked, 2 judged, 0 failed")
    assert "1 question improves, 0 get worse, 1 stays equal; 1 is not judged" in out
    assert "+0.25" in out
    assert "\x1b" not in out


def test_a_gate_passes_or_fails_with_a_line_and_an_exit_code(docgraph: Command, questions: str, tmp_path: Path) -> None:
    code, out, _ = docgraph(questions, *TWO, "--fail-under", "recall@2=0.9", "--junit", str(tmp_path))
    assert code == 0
    assert "passes  on: recall@2 1.000 ≥ 0.9" in out
    code, out, _ = docgraph(
        questions, *TWO, "--fail-under", "off:recall@2=0.9", "--fail-under", "recall@2=0.9", "--junit", str(tmp_path)
    )
    assert code == 1
    assert "fails   off: recall@2 0.750 < 0.9" in out
    suite = ElementTree.parse(tmp_path / "evaluation.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    failed = suite.findall("testcase/failure")
    assert [each.get("message") for each in failed] == ["off: recall@2 0.750 < 0.9"]


def test_json_is_read_again_as_what_was_and_a_loss_fails(docgraph: Command, questions: str, tmp_path: Path) -> None:
    code, out, _ = docgraph(questions, *TWO, "--json")
    assert code == 0
    last = tmp_path / "last.json"
    last.write_text(out, encoding="utf-8")
    read = json.loads(out)
    assert read.pop("gates") == []
    assert len(Evaluation.model_validate(read).outcomes) == 3
    assert docgraph(questions, *TWO, "--against", str(last))[0] == 0
    code, out, _ = docgraph(questions, *TWO, "-c", "on=" + _request(tmp_path), "--against", str(last))
    assert code == 1
    assert "fails   on: recall@2 1.000 → 0.750, worse: q1" in out


def _request(folder: Path) -> str:
    path = folder / "off.json"
    path.write_text('{"use_relationships": false}', encoding="utf-8")
    return str(path)


def test_files_for_other_programs_are_defused_and_read_again(docgraph: Command, questions: str, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    code, out, err = docgraph(
        questions, *TWO, "--csv", str(tmp_path), "--runs", str(tmp_path / "runs"), "--markdown", "-c", "off", "-c", "on"
    )
    assert code == 0, err
    assert "### With relationships against Without relationships: by recall" in out
    assert "**1 question improves, 0 get worse, 1 stays equal; 1 is not judged**" in out
    assert "\x1b" not in out
    assert ",'=cmd()," in (tmp_path / "evaluation.csv").read_text(encoding="utf-8")
    rankings, rejected = read_run((tmp_path / "runs" / "on.trec").read_bytes())
    assert (set(rankings), rejected) == ({"q1", "q2", "q3"}, ())
    judged = tmp_path / "judged.qrels"
    given = ("--write-qrels", str(judged))
    code, out, _ = docgraph(questions, *TWO, "-c", "on", "-c", str(tmp_path / "runs" / "off.trec"), "--json", *given)
    assert code == 0
    bare = tmp_path / "bare.jsonl"
    lines = [json.loads(each) for each in Path(questions).read_text(encoding="utf-8").splitlines()]
    bare.write_text("".join(json.dumps({"id": f"q{n}", "query": e["query"]}) + "\n" for n, e in enumerate(lines, 1)))
    again = json.loads(docgraph(str(bare), *TWO, "--qrels", str(judged), "--json")[1])
    whole = json.loads(docgraph(questions, *TWO, "--json")[1])
    assert [each["values"] for each in again["outcomes"]] == [each["values"] for each in whole["outcomes"]]
    assert [each["n_relevant"] for each in again["outcomes"]] == [each["n_relevant"] for each in whole["outcomes"]]
    made = Evaluation.model_validate({k: v for k, v in json.loads(out).items() if k != "gates"})
    assert [each.source for each in made.configurations] == ["request", "file"]
    assert made.outcomes[0].value("off", "recall@2") == 0.5


def test_a_folder_as_beir_has_it_and_only_a_part_of_it(docgraph: Command, tmp_path: Path) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    lines = [json.dumps({"_id": each["id"], "text": each["query"]}) for each in SET]
    (folder / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tqueue\t1\nq1\tgone\t1\n")
    code, out, err = docgraph(str(folder), *TWO, "--limit", "1", "-c", "on")
    assert code == 0, err
    assert out.startswith("beir: 1 question asked, 1 judged")
    assert "recall@2" in out
    assert "Judged, but not stored" in out
    assert "gone" in out


def test_what_is_kept_is_gone_on_with(docgraph: Command, questions: str, tmp_path: Path) -> None:
    kept = str(tmp_path / "kept.jsonl")
    first = docgraph(questions, *TWO, "--keep", kept, "--json")
    second = docgraph(questions, *TWO, "--keep", kept, "--json")
    a, b = ({k: v for k, v in json.loads(out).items() if k != "seconds"} for _, out, _ in (first, second))
    assert a == b
    code, _, err = docgraph(questions, *TWO, "--keep", kept, "-c", "vectors")
    assert code == 1
    assert "keeps another evaluation" in err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("nowhere.jsonl",), "cannot read"),
        (("SET", "-c", "sideways"), "no configuration 'sideways'"),
        (("SET", "-c", "x=nowhere.json"), "cannot read"),
        (("SET", "-c", "nowhere.trec"), "cannot read"),
        (("SET", "-c", "SET.run"), "contains no ranking"),
        (("SET", "-c", "on", "-c", "on"), "two configurations are named 'on'"),
        (("SET", "--set", "max_documents"), "is not a field"),
        (("SET", "--set", "max_documents=none"), "max_documents"),
        (("SET", "--fail-under", "recall"), "is no gate"),
        (("SET", "--fail-under", "recall@9=0.5"), "nothing is measured under on:recall@9"),
        (("SET", "--against", "SET"), "is not a JSON object"),
        (("SET", "--kind", "sideways"), "kinds are: bridge, single"),
        (("SET", "-m", "beauty@3"), "there is no measure 'beauty@3'"),
        (("SET", "--json", "--markdown"), "both write to standard output"),
    ],
)
def test_what_cannot_be_is_one_line_with_what_to_do(
    docgraph: Command, questions: str, arguments: tuple[str, ...], what: str
) -> None:
    Path(f"{questions}.run").write_text("no run\n", encoding="utf-8")
    code, out, err = docgraph(*(each.replace("SET", questions) for each in arguments))
    assert code == 1
    assert not out
    assert what in err
    assert "hint" in err


def test_the_scoreboard_says_what_is_lost_without_a_relationship(docgraph: Command, questions: str) -> None:
    code, out, err = docgraph("scoreboard", questions, "--set", "max_documents=2", "--set", "max_chunks=2")
    assert code == 0, err
    assert "1 of 1 relationships are used over 3 questions" in out
    assert "Helpful  1 of 1; judged questions get worse without them" in out
    assert "queue —explains→ pilot" in out
    code, out, _ = docgraph("scoreboard", questions, "--set", "max_documents=2", "--quick", "--json")
    assert code == 0
    (row,) = json.loads(out)["edges"]
    assert (row["fired"], row["good"], row["bad"], row["worse_without"]) == (1, 1, 0, None)


def test_the_limits_are_told_with_what_to_set_and_nothing_is_set(docgraph: Command, questions: str) -> None:
    code, out, err = docgraph("scoreboard", questions, "--limits", "--set", "max_documents=1", "--set", "max_chunks=2")
    assert code == 0, err
    assert "set.jsonl: 3 questions, 2 judged" in out
    assert "Documents per plan  relevant documents read, of 3; recall; today 1" in out
    assert "Keep today's settings" in out, "of two judged questions nothing is sure"
    code, out, _ = docgraph("scoreboard", questions, "--limits", "--json")
    assert code == 0
    made = json.loads(out)
    assert [each["field"] for each in made["sweeps"]][:2] == ["max_documents", "max_expanded"]
    code, _, err = docgraph("scoreboard", questions, "--limits", "--quick")
    assert code != 0
    assert "hint" in err
