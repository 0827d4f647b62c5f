"""``docgraph relationships matrix``: on the screen, as files, as JSON, only holes, only some types."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph.cli import edge
from docgraph.domain.graph import Document, Relationship
from tests.command_line import Command, filled_workspace

WORKSPACE = "cli-matrix"
DOCUMENTS = tuple(
    Document(document_id=each, title=f"={each}", text=f"Text of {each}.", doc_type=kind)
    for each, kind in (("req-1", "requirement"), ("req-2", "requirement"), ("test-1", "test"))
)
EDGES = tuple(
    Relationship(from_document_id=start, relation_type=via, to_document_id=end)
    for start, via, end in (
        ("test-1", "verifies", "req-1"),
        ("test-1", "verifies", "req-9"),
        ("req-2", "traces_to", "req-1"),
    )
)

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, DOCUMENTS, EDGES):
        yield


@pytest.fixture
def docgraph(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph relationships matrix …``: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run(["relationships", "matrix", *arguments])
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def test_the_screen_shows_the_ends_and_counts_the_holes(docgraph: Command) -> None:
    code, out, _ = docgraph("--doc-type", "requirement", "--types", "verifies, traces_to")
    assert code == 0
    assert "← verifies: 1 of 2 have one, 1 hole" in out
    assert "verifies →: 0 of 2 have one, 2 holes" in out
    assert "traces_to →: 1 of 2 have one, 1 hole" in out
    assert f"2 shown of 2 documents of type requirement in {WORKSPACE}" in out


def test_a_matrix_wider_than_the_screen_keeps_the_ids_of_its_documents(
    docgraph: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty columns beside each other left an ellipsis of every id, that of the document first."""
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = docgraph()
    lines = [line.split() for line in out.splitlines()]
    assert ["test-1", "verifies", "→", "req-1;", "req-9", "(not", "stored)"] in lines
    assert any(line[:2] == ["test-1", "holes"] for line in lines)


def test_only_holes_and_json_are_one_matrix(docgraph: Command) -> None:
    _, out, _ = docgraph("--types", "verifies", "--doc-type", "requirement", "--holes", "--json")
    said = json.loads(out)
    assert [row["document_id"] for row in said["rows"]] == ["req-1", "req-2"]
    assert [(each["direction"], each["n_filled"]) for each in said["columns"]] == [("outgoing", 0), ("incoming", 1)]
    assert [row["holes"] for row in said["rows"]] == [[0], [0, 1]]


def test_files_are_written_whole_and_named(docgraph: Command, tmp_path: Path) -> None:
    code, out, _ = docgraph("--csv", str(tmp_path / "m.csv"), "--xlsx", str(tmp_path))
    assert code == 0
    assert "m.csv" in out
    assert "matrix.xlsx" in out
    text = (tmp_path / "m.csv").read_text("utf-8-sig")
    assert text.splitlines()[0] == "document,title,document type,traces_to →,← traces_to,verifies →,← verifies"
    assert "test-1,'=test-1,test,,,req-1; req-9 (not stored)," in text
    assert zipfile.is_zipfile(tmp_path / "matrix.xlsx")


def test_a_type_that_none_has_is_an_error(docgraph: Command, tmp_path: Path) -> None:
    code, _, problem = docgraph("--doc-type", "nope", "--csv", str(tmp_path / "m.csv"))
    assert code == 1
    assert "there are: requirement, test" in problem
    assert not list(tmp_path.iterdir())
