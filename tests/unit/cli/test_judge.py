"""``docgraph judge``, ``judgments``, and ``runs save-questions`` with documents that are called relevant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph.bootstrap import connect
from docgraph.cli import edge
from docgraph.domain.graph import Document
from docgraph.domain.judgment import Judgment
from tests.command_line import Command, filled_workspace

WHY = "Why is the queue bounded?"
DOCUMENTS = (
    Document(document_id="queue", title="Evil \x1b[31m title", text="The queue is bounded."),
    Document(document_id="slot", title="Slot", text="A slot holds a payment."),
)

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, "cli-judge", DOCUMENTS, ()):
        yield
        with connect() as dg:
            for row in dg.runs.list():
                dg.runs.delete(row.run_id, forever=True)


@pytest.fixture
def docgraph(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph …``: (exit code, standard output, standard error); nothing is judged at first."""
    with connect() as dg:
        for each in dg.judgments.list():
            dg.judgments.judge(each.query, each.document_id, None, by="tests")

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run(list(arguments))
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def listed(docgraph: Command, *arguments: str) -> list[Judgment]:
    code, out, err = docgraph("judgments", "--json", *arguments)
    assert code == 0, err
    return [Judgment.model_validate(each) for each in json.loads(out)["judgments"]]


def test_a_judgment_is_given_listed_and_taken_back(docgraph: Command) -> None:
    assert docgraph("judge", WHY, "queue", "--relevant", "--by", "Ann")[0] == 0
    code, out, err = docgraph("judge", WHY, "slot", "--not-relevant", "--by", "Evil \x1b[31m")
    assert (code, "\x1b" in out) == (0, False), err
    assert out.startswith(f"✗ not relevant  slot  for “{WHY}”, by Evil")
    assert [(each.document_id, each.relevant, each.query) for each in listed(docgraph)] == [
        ("queue", True, WHY),
        ("slot", False, WHY),
    ]
    assert listed(docgraph, "another question") == []
    code, out, _ = docgraph("judgments")
    assert out.startswith("2 judgments of 1 question in cli-judge\n")
    assert "✓ relevant" in out
    code, out, _ = docgraph("judge", WHY, "slot", "--withdraw", "--json")
    assert json.loads(out) == {"workspace": "cli-judge", "judgment": None}
    assert [each.document_id for each in listed(docgraph, WHY)] == ["queue"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((WHY, "queue"), "no judgment given"),
        ((WHY, "queue", "--relevant", "--withdraw"), "no judgment given"),
        ((WHY, "nowhere", "--relevant"), "no document has the id 'nowhere'"),
        ((" ", "queue", "--relevant"), "the query is empty"),
        ((WHY, "queue", "--relevant", "--by", " "), "a judgment needs a name"),
    ],
)
def test_what_cannot_be_judged_is_one_line(docgraph: Command, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = docgraph("judge", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith("error: ")
    assert message in err
    assert listed(docgraph) == []


def test_a_file_of_questions_brings_its_judgments_and_says_what_it_could_not(docgraph: Command, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"query": WHY, "relevant": ["queue", "nowhere"]}) + "\n", encoding="utf-8")
    code, out, err = docgraph("runs", "save-questions", str(file), "--by", "Ann")
    assert code == 0, err
    assert "cli-judge: 1 question is saved; 1 judgment is new; 1 could not be judged" in out
    assert "nowhere" in out
    assert [(each.document_id, each.by) for each in listed(docgraph)] == [("queue", "Ann")]
    code, out, _ = docgraph("runs", "save-questions", str(file), "--by", "Ben", "--json")
    saved = json.loads(out)
    assert (saved["n_judgments"], saved["n_judged_before"]) == (0, 1)
    assert saved["not_judged"] == [{"query": WHY, "document_id": "nowhere", "reason": "no document has this id"}]


def test_a_comparison_shows_the_judged_figures(docgraph: Command) -> None:
    code, out, err = docgraph("compare", WHY)
    assert code == 0, err
    assert "Judged figures" not in out
    docgraph("judge", WHY, "queue", "--relevant", "--by", "Ann")
    code, out, err = docgraph("compare", WHY)
    assert code == 0, err
    assert "Recall@2            1.00   1.00            0\n" in out
    assert "1 document is judged relevant; 1 of 2 documents of A and 1 of 2 of B are judged; nobody judged 1" in out
