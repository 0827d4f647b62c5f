"""The first decisions of folders beside their labels: what the counts count, and that the labels are labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.findings.__main__ import LABELS, labels_of, measured, queue, report_over

ROWS = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def test_every_label_says_what_was_judged_and_why() -> None:
    assert len({row["set"] for row in ROWS}) == 14
    assert len({(row["set"], row["finding_id"]) for row in ROWS}) == len(ROWS) > 150
    for row in ROWS:
        assert 5 < len(row["why"]) < 100
        assert row["true"] or not row["worth_an_act"], "what is not so is worth nothing"
    assert set(labels_of("oteps")) == {row["finding_id"] for row in ROWS if row["set"] == "oteps"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text(
        "# A\nSee [gone](gone.md), [lost](lost.md) and [part](b.md#part).\n", encoding="utf-8"
    )
    (tmp_path / "b.md").write_text("# B\nSee [a](a.md).\n", encoding="utf-8")
    return tmp_path


def test_decisions_are_counted_by_their_labels_and_errors_wherever_they_stand(folder: Path, tmp_path: Path) -> None:
    report = report_over(folder)
    gone, lost = (each.finding_id for each in report.findings if each.severity == "error")
    label = {"set": "x", "check_id": "missing_endpoint", "why": "it is gone"}
    rows = [
        {**label, "finding_id": gone, "true": True, "worth_an_act": True},
        {**label, "finding_id": lost, "true": False, "worth_an_act": False},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    found = measured("x", report, labels_of("x", path), first=3)
    assert (found.n_documents, found.n_decisions) == (2, 3)
    assert (found.worth, found.not_worth, found.unlabelled) == (1, 1, 1)
    assert (found.errors, found.true_errors, found.labelled_errors) == (2, 1, 2)
    assert "worth an act 1 of 2, 1 not judged; errors 2, true 1 of 2 judged" in found.sentence
    assert measured("x", report, labels_of("y", path), first=1).unlabelled == 1
    lines = list(queue(report, labels_of("x", path), first=1))
    assert lines[0].endswith("[worth: it is gone]")
    assert any("See [gone](gone.md)" in line for line in lines), "the sentence that it is to be judged by"


def test_a_line_that_is_no_label_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"set": "x"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        labels_of("x", path)
