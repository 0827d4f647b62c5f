"""``docgraph query-sets`` and ``docgraph evaluate --save``: kept sets, their evaluations, and judgments as files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph.bootstrap import connect
from docgraph.cli import edge
from docgraph.domain.evaluation import Evaluation
from docgraph.domain.graph import Document
from docgraph.domain.judgment import PassageJudgment
from tests.command_line import Command, filled_workspace

pytestmark = pytest.mark.integration
DOCUMENTS = tuple(
    Document(document_id=i, title=f"Paper {i}", text=text)
    for i, text in (("queue", "The queue is bounded."), ("slot", "A slot holds a payment."))
)
SET = [{"id": "q1", "query": "Why is the queue bounded?", "relevant": ["queue"]}, {"id": "q2", "query": "=cmd()"}]
FAST = ("-m", "recall@2", "-c", "on")
GATE = ("-m", "precision@2", "-c", "on", "--fail-under", "precision@2=0.9")


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, "cli-query-sets", DOCUMENTS, ()):
        yield
        with connect() as dg:
            for each in dg.query_sets.list():
                dg.query_sets.remove(each.name)


@pytest.fixture
def docgraph(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph …``: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run(list(arguments))
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


@pytest.fixture
def nothing_judged() -> Iterator[None]:
    """What is judged in a test is taken back after it."""
    yield
    with connect() as dg:
        for each in dg.judgments.passages():
            dg.judgments.withdraw_passage(each.query, each.chunk_id, by=each.by)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, SET)), encoding="utf-8")
    return str(path)


def runs(docgraph: Command, name: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(docgraph("query-sets", "runs", name, "--json")[1])["evaluations"]
    return found


def test_a_file_is_kept_with_its_evaluation_and_asked_again_by_its_name(docgraph: Command, questions: str) -> None:
    code, out, err = docgraph("evaluate", questions, *FAST, "--save", "mine", "--note", "first", "--by", "Ann")
    assert code == 0, err
    (kept,) = runs(docgraph, "mine")
    assert f"stored as {kept['evaluation_id']} in the set “mine”" in out
    assert (kept["note"], kept["by"], kept["whole"], kept["n"]) == ("first", "Ann", True, 2)
    before = json.loads(docgraph("query-sets", "--json")[1])["query_sets"]
    assert docgraph("evaluate", questions, *FAST, "--save", "mine")[0] == 0
    code, out, _ = docgraph("evaluate", "mine", *GATE, "--save", "mine", "--json")
    assert (code, json.loads(out)["kept"] in [each["evaluation_id"] for each in runs(docgraph, "mine")]) == (1, True)
    (line,) = json.loads(docgraph("query-sets", "--json")[1])["query_sets"]
    assert (line["n_runs"], line["by"], line["at"]) == (3, "Ann", before[0]["at"])  # equal ones are not kept anew
    assert docgraph("evaluate", "mine", *FAST)[0] == 0
    assert len(runs(docgraph, "mine")) == 3


def test_an_evaluation_is_run_shown_pinned_gone_on_with_and_removed(
    docgraph: Command, questions: str, tmp_path: Path
) -> None:
    assert docgraph("evaluate", questions, *FAST, "--save", "two")[0] == 0
    code, out, err = docgraph("query-sets", "run", "two", *FAST, "--json")
    assert code == 0, err
    made = json.loads(out)
    first, beginning = made["evaluation_id"], made["evaluation_id"][:-1]
    assert json.loads(docgraph("query-sets", "pin", beginning, "--json")[1])["pinned"] is True
    assert "is no longer pinned" in docgraph("query-sets", "unpin", first)[1]
    code, out, _ = docgraph("query-sets", "run", "two", "--go-on", beginning)  # it is whole: nothing is left
    assert (code, f"stored as {first}" in out) == (0, True)
    code, out, _ = docgraph("query-sets", "result", first, "--json", "--csv", str(tmp_path))
    assert Evaluation.model_validate_json(out).n == 2
    assert ",'=cmd()," in (tmp_path / "evaluation.csv").read_text(encoding="utf-8")
    (tmp_path / "last.json").write_text(out, encoding="utf-8")
    assert docgraph("evaluate", "two", *FAST, "--against", str(tmp_path / "last.json"))[0] == 0
    assert "recall@2" in docgraph("query-sets", "result", first)[1]
    assert docgraph("query-sets", "result", first, "--markdown")[1].startswith("## two: 2 questions asked")
    assert docgraph("query-sets", "remove-run", first)[0] == 0
    assert [each["evaluation_id"] for each in runs(docgraph, "two")] != [first]
    assert docgraph("query-sets", "result", first)[0] == 1


def test_what_was_stopped_says_how_to_go_on(docgraph: Command, questions: str, monkeypatch: pytest.MonkeyPatch) -> None:
    more = [{"id": f"q{n}", "query": f"queue {n}?"} for n in range(8)]  # more than are asked ahead
    Path(questions).write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("docgraph.cli.text.progress.ImportProgress.cancelled", lambda _: True)
        code, out, err = docgraph("evaluate", questions, *FAST, "--save", "part", "--at-once", "1")
    assert code == 130, err
    (kept,) = runs(docgraph, "part")
    assert kept["whole"] is False
    assert f'docgraph query-sets run "part" --go-on {kept["evaluation_id"]}' in " ".join(out.split())
    code, _, err = docgraph("query-sets", "run", "part", "--go-on", str(kept["evaluation_id"]))
    assert code == 0, err
    assert runs(docgraph, "part")[0]["whole"] is True


@pytest.mark.usefixtures("nothing_judged")
def test_doctor_finds_nothing_wrong_with_what_is_kept_or_left_by_a_stopped_evaluation(
    docgraph: Command, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("docgraph.cli.text.progress.ImportProgress.cancelled", lambda _: True)
        docgraph("evaluate", questions, *FAST, "--save", "checked", "--at-once", "1")
    with connect() as dg:
        dg.judgments.judge_passage("Why is the queue bounded?", "queue#0", 2, by="Ann")
    code, out, err = docgraph("doctor", "--verify", "--json")
    answer = json.loads(out)
    assert (code, answer["ok"]) == (0, True), err
    with connect() as dg:
        kept = dg.query_sets.list()
        n, n_runs = sum(each.n for each in kept), sum(len(dg.query_sets.runs(each.name)) for each in kept)
    (told,) = [each["detail"] for each in answer["checks"] if each["name"] == "query sets"]
    assert re.findall(r"\d+", told) == [str(len(kept)), str(n), str(n_runs)]
    assert "checked" in [each.name for each in kept]


@pytest.mark.usefixtures("nothing_judged")
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_judgments_of_passages_go_out_and_come_back_and_the_newer_one_stands(
    docgraph: Command, tmp_path: Path, suffix: str
) -> None:
    with connect() as dg:
        dg.judgments.judge_passage("=cmd()?", "queue#0", 2, by="Ann", note="-1 of 2")
        dg.judgments.judge_passage("=cmd()?", "slot#0", None, by="=Ben")
        there = dg.judgments.passages()
        path = tmp_path / f"judged{suffix}"
        code, out, err = docgraph("query-sets", "export-judgments", str(path))
        assert (code, "2 judgments" in out) == (0, True), err
        for each in there:
            dg.judgments.withdraw_passage(each.query, each.chunk_id, by=each.by)
        old = {**there[0].model_dump(), "at": "2000-01-01T00:00:00Z", "grade": 0}
        assert dg.judgments.import_passages([old]).n_new == 1
        code, out, err = docgraph("query-sets", "import-judgments", str(path))
        assert (code, out.startswith("1 new, 1 newer than stored ones, 0 already stored")) == (0, True), err
        assert dg.judgments.passages() == there
        path.with_suffix(".jsonl").write_text("\n".join(map(json.dumps, [old, {"query": "x", "grade": 1}])))
        read = json.loads(docgraph("query-sets", "import-judgments", str(path.with_suffix(".jsonl")), "--json")[1])
        assert (read["n_there"], read["rejected"][0]["place"]) == (1, "line 2")
        assert dg.judgments.passages() == there
        assert dg.judgments.import_passages([{**old, "by": "Eve", "at": "2999-01-01"}]).n_new == 1
        assert all(each.at < "2999" for each in dg.judgments.passages())


@pytest.mark.usefixtures("nothing_judged")
def test_lines_that_are_no_judgment_of_a_stored_passage_are_listed_and_the_others_taken() -> None:
    good = {"query": "why?", "chunk_id": "QUEUE#0", "grade": 1}
    bad = [
        {**good, "chunk_id": "gone#0"},
        {**good, "chunk_id": "queue#9"},
        {**good, "grade": 3},
        {**good, "grade": True},
        {**good, "query": " "},
        {**good, "at": "yesterday"},
        {**good, "text_hash": "x"},
    ]
    with connect() as dg:
        made = dg.judgments.import_passages([*bad, good], by="Ann")
        assert (made.n_new, len(made.not_judged)) == (1, len(bad))
        (kept,) = dg.judgments.passages()
        assert isinstance(kept, PassageJudgment)
        assert (kept.document_id, kept.chunk_id, kept.grade, kept.by) == ("queue", "queue#0", 1, "Ann")
        curator = dg.acting_as({"name": "Ben", "role": "curator"})
        refused = curator.judgments.import_passages([{**good, "by": "Ann"}, good])
        assert (refused.n_new, refused.not_judged[0].reason[:12]) == (1, "it is said b")
        assert [each.by for each in dg.judgments.passages()] == ["Ann", "Ben"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("evaluate", "SET", "--note", "x"), "needs --save"),
        (("evaluate", "SET", "--save", "x", "--keep", "y"), "--save and --keep cannot be combined"),
        (("evaluate", "nothing", "--save", "nothing"), "no query set 'nothing'"),
        (("query-sets", "run", "nothing"), "no query set 'nothing'"),
        (("query-sets", "run", "mine", "--go-on", "ab", "-m", "recall@2"), "resumes with its original measures"),
        (("query-sets", "pin", "zz"), "no evaluation 'zz'"),
        (("query-sets", "import-judgments", "nowhere.jsonl"), "cannot read"),
        (("query-sets", "import-judgments", "SET"), "cannot be read"),
    ],
)
def test_what_cannot_be_is_one_line_with_what_to_do(
    docgraph: Command, questions: str, arguments: tuple[str, ...], what: str
) -> None:
    if arguments[1] == "import-judgments":
        Path(questions).write_text("\n", encoding="utf-8")
    code, out, err = docgraph(*(each.replace("SET", questions) for each in arguments))
    assert (code, out) == (1, "")
    assert what in err
    assert "hint" in err
