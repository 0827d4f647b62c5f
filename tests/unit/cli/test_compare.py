"""``docgraph compare``: the same bytes as the function, files written whole, and errors in one line."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph.bootstrap import connect
from docgraph.cli.commands import compare as comparing
from docgraph.domain.comparison import Comparison
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.views.report.file import REPORT_KINDS, file_name, report
from tests.command_line import Command, filled_workspace, running

QUESTION = "why is the queue bounded"
WORKSPACE = "cli-compare"
EPOCH = "1795334400"
AT = "2026-11-22T08:00:00+00:00"
DOCUMENTS = (
    Document(document_id="queue", title="Queue \x1b[31m", text="The queue is bounded so that waiting ends."),
    Document(document_id="refuse", title="Refusing", text="A full queue is bounded and refuses."),
    Document(document_id="bell", title="Night bell", text="Tea is served when the bell rings at night."),
)
EDGES = (Relationship(from_document_id="queue", relation_type="explains", to_document_id="bell"),)

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, DOCUMENTS, EDGES, SOURCE_DATE_EPOCH=EPOCH):
        yield


@pytest.fixture
def compare(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph compare …``: (exit code, standard output, standard error)."""
    return running("compare", capsys)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    with connect(workspace=WORKSPACE) as dg:
        return dg.compare(RetrievalRequest(query=QUESTION, max_documents=2))


@pytest.mark.slow
def test_every_kind_of_report_has_the_bytes_of_the_function(
    compare: Command, comparison: Comparison, tmp_path: Path
) -> None:
    made = {kind: report(comparison, kind, made_at=AT) for kind in REPORT_KINDS}
    asked = (QUESTION, "--max-documents", "2")
    html, csv = tmp_path / "made.html", tmp_path / "made.csv"
    assert compare(*asked, "--html", str(html), "--csv", str(csv)) == (0, f"Wrote {html}\nWrote {csv}\n", "")
    assert (html.read_bytes(), csv.read_bytes()) == (made["html"], made["csv"])
    assert compare(*asked, "--json")[:2] == (0, made["json"].decode())
    assert compare(*asked, "--markdown")[:2] == (0, made["markdown"].decode())
    read = Comparison.model_validate(json.loads(made["json"])["comparison"])
    assert read == comparison


def test_text_says_verdict_changes_reasons_figures_and_contract(compare: Command, comparison: Comparison) -> None:
    code, out, _ = compare(QUESTION, "--max-documents", "2")
    assert code == 0
    assert comparison.sentence in out
    for word in ("Refusing", "from Queue [31m by explains", "− removed", "Jaccard", "checks passed: 9 of 9"):
        assert word in out
    assert "\x1b" not in out


def test_a_folder_gets_a_name_and_an_old_file_is_replaced_whole(
    compare: Command, comparison: Comparison, tmp_path: Path
) -> None:
    target = tmp_path / file_name(comparison, "html")
    target.write_text("old")
    assert compare(QUESTION, "--max-documents", "2", "--html", str(tmp_path))[0] == 0
    assert target.read_bytes() == report(comparison, "html", made_at=AT)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert target.stat().st_mode & 0o777 == 0o666 & ~_mask()


def _mask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def test_a_saved_run_is_compared_and_named_and_can_be_a_baseline(compare: Command, tmp_path: Path) -> None:
    with connect() as dg:
        saved = dg.runs.save(RetrievalRequest(query=QUESTION, max_documents=2), name="Before the change", by="Ada")
    code, out, _ = compare("--run", saved.run_id[:6], "--json")
    assert code == 0
    read = json.loads(out)
    assert read["saved"]["name"] == "Before the change"
    assert Comparison.model_validate(read["comparison"]).b.label == "Before the change"
    code, out, _ = compare(QUESTION, "--max-documents", "1", "--baseline", saved.run_id, "--json")
    assert code == 0
    assert json.loads(out)["comparison"]["a"]["name"] == saved.run_id
    assert "No difference   Both runs" in compare("--run", saved.run_id, "--baseline", "today")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the query is empty"),
        ((QUESTION, "--run", "abcdef"), "--run 'abcdef' cannot be combined with a question"),
        (("--run", "abcdef", "--no-relationships"), "an option of a question (use_relationships)"),
        (("--run", "abcdef"), "there is no saved run 'abcdef'"),
        ((QUESTION, "--baseline", "ms9"), "'ms9'"),
        ((QUESTION, "--json", "--markdown"), "--json and --markdown"),
        ((QUESTION, "--html", "missing/folder/x.html"), "cannot write 'missing/folder/x.html'"),
        ((QUESTION, "--html", ""), "cannot write ''"),
        ((QUESTION, "--csv", "a\x00b"), "cannot write"),
        ((QUESTION, "--types", "nothing"), "no relationship has the type 'nothing'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_with_a_hint(
    compare: Command, arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = compare(*arguments)
    assert (code, out) == (1, "")
    assert message in err
    if "--json" not in arguments:
        assert [line.partition(":")[0] for line in err.splitlines()] == ["error", "hint"]


@pytest.mark.slow
def test_other_corpora_are_compared_only_when_one_says_so(compare: Command) -> None:
    with connect(workspace="cli-compare-other") as dg:
        dg.ingest_records(DOCUMENTS, EDGES)
        saved = dg.runs.save(RetrievalRequest(query=QUESTION))
    try:
        code, _, err = compare(QUESTION, "--baseline", saved.run_id)
        assert code == 1
        assert "different corpora" in err
        code, out, _ = compare(QUESTION, "--baseline", saved.run_id, "--anyway")
        assert code == 0
        assert "Note            different corpora" in out
    finally:
        with connect() as dg:
            dg.drop_workspace("cli-compare-other")


def test_the_time_is_now_in_utc_unless_the_environment_fixes_it(
    compare: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert comparing.stamp() == AT
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    code, out, err = compare(QUESTION)
    assert (code, out) == (3, "")
    assert "SOURCE_DATE_EPOCH = 'soon' is not a time" in err
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert comparing.stamp()[:2] == "20"
    assert comparing.stamp().endswith("+00:00")


def test_a_trec_run_stands_beside_docgraphs_run_and_one_without_the_question_ends_with_1(
    compare: Command, tmp_path: Path
) -> None:
    run = tmp_path / "ours.trec"
    run.write_text("q1 Q0 bell 1 9.5 ours\nq1 Q0 no\x1b[31mbody 2 8 ours\n")
    code, out, _ = compare(QUESTION, "--max-documents", "2", "--with", str(run), "--query-id", "q1")
    assert code == 0
    assert "1 of the 2 documents that docgraph reads is among the first 1 of ours" in out
    assert "Matched no document  1\n  no" in out
    assert "\x1b" not in out
    code, out, _ = compare(QUESTION, "--with", str(run))
    assert (code, "ours gave no ranking; docgraph reads" in out) == (1, True)
    assert json.loads(compare(QUESTION, "--with", str(run), "--query-id", "q1", "--json")[1])["a"]["label"] == "ours"
    assert "cannot be combined" in compare(QUESTION, "--with", str(run), "--html", "x.html")[2]


def test_a_ranking_beside_the_run_is_written_as_table_and_markdown(compare: Command, tmp_path: Path) -> None:
    run = tmp_path / "ours.trec"
    run.write_text("q1 Q0 bell 1 9.5 ours\n")
    asked = (QUESTION, "--max-documents", "2", "--with", str(run), "--query-id", "q1")
    made = json.loads(compare(*asked, "--json")[1])
    code, out, _ = compare(*asked, "--csv", str(tmp_path))
    assert (code, "Wrote " in out) == (0, True)
    (path,) = tmp_path.glob("*.csv")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [r["document_id"] for r in rows if r["record"] == "document"] == [r["document_id"] for r in made["rows"]]
    code, out, _ = compare(*asked, "--markdown")
    assert (code, out.startswith("## ")) == (0, True)
    assert made["sentence"] in out.replace("\\", "")
