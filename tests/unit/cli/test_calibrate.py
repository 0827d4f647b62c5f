"""``docgraph calibrate``: what it writes, what it refuses, and that nothing of a file steers a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docgraph.domain.calibration import CalibrationReport
from docgraph.domain.graph import Document
from docgraph.retrieval.calibration import SHIPPED
from tests.command_line import Command, filled_workspace, running

WORKSPACE = "cli-calibrate"
THINGS = (
    "queue",
    "sailing",
    "invoice",
    "password",
    "harbour",
    "calendar",
    "printer",
    "orchard",
    "violin",
    "glacier",
    "parliament",
    "vaccine",
)
DOCUMENTS = tuple(
    Document(document_id=f"d-{thing}", title=f"The {thing}", text=f"All about the {thing}: what a {thing} is.")
    for thing in THINGS
)
QUESTIONS = [{"query": f"What is a {thing}?", "relevant": [f"d-{thing}"], "note": "ignored"} for thing in THINGS]

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, DOCUMENTS, ()):
        yield


@pytest.fixture
def calibrate(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph calibrate …``: (exit code, standard output, standard error)."""
    return running("calibrate", capsys)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        (tmp_path / "questions.jsonl").write_text(text, encoding="utf-8")
        return str(tmp_path / "questions.jsonl")

    return write


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.slow
def test_it_fits_shows_keeps_and_forgets(
    calibrate: Command, file: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fit that is no better than what is shipped is told and not kept; a better one is used until it is reset."""
    questions = file(lines(*QUESTIONS, {"query": "Who won the football match?", "relevant": []}))
    code, out, err = calibrate(questions, "--dry-run")
    assert (code, err) == (0, "")
    assert "not stored" in out
    assert "25 cases (12 with an answer) of 13 questions" in out
    assert "0.9–1.0" in out
    assert "100% of 12 answerable questions reach it, 100% of 1 other stay below" in out
    assert SHIPPED[0].calibration_id in calibrate()[1]
    best = CalibrationReport.model_validate_json(calibrate(questions, "--dry-run", "--json")[1]).calibration
    with monkeypatch.context() as patch:
        patch.setattr("docgraph.orchestration.calibration.shipped_calibrations", lambda _: {"cosine": best})
        out = calibrate(questions)[1]
        assert "the fit is no better than the shipped constants on questions it never saw" in out
    assert SHIPPED[0].calibration_id in calibrate()[1]

    sanguine = SHIPPED[0].model_copy(update={"intercept": 5.0})
    monkeypatch.setattr("docgraph.orchestration.calibration.shipped_calibrations", lambda _: {"cosine": sanguine})
    report = CalibrationReport.model_validate_json(calibrate(questions, "--json")[1])
    assert report.stored
    used = json.loads(calibrate("--json")[1])["calibrations"]
    assert [each["calibration_id"] for each in used] == [report.calibration.calibration_id]
    removed = json.loads(calibrate("--reset", "--json")[1])
    assert removed["removed"] == 1
    assert removed["calibrations"][0]["calibration_id"] == SHIPPED[0].calibration_id


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file has no text"),
        ("[1]\n", "line 1 is not an object"),
        (lines(QUESTIONS[0]) + "{bad\n", "line 2 is not JSON"),
        (lines(QUESTIONS[0], {"relevant": []}), "line 2 has no 'query'"),
        (lines({"query": "x", "relevant": "d-queue"}), "relevant"),
        (lines(*QUESTIONS[:1]), "pairs of which 1 are relevant are too few"),
        (lines(*({**q, "relevant": ["\x1b[31m"]} for q in QUESTIONS)), "0 pairs"),
    ],
)
def test_what_cannot_be_fitted_is_one_line_and_a_hint(
    calibrate: Command, file: Callable[[str], str], text: str, said: str
) -> None:
    code, out, err = calibrate(file(text))
    assert (code, out) == (1, "")
    assert said in err
    assert "hint:" in err
    assert "\x1b" not in err


def test_a_file_that_is_not_there_and_options_that_exclude_each_other(calibrate: Command) -> None:
    assert "cannot read" in calibrate("nowhere.jsonl")[2]
    assert "--reset cannot be combined with a file" in calibrate("nowhere.jsonl", "--reset")[2]
    assert calibrate("--candidates", "0")[0] == 2
