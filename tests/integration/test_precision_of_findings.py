"""Findings over real corpora against labels given by reading: how many errors are true, how many decisions worth it."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import docgraph
from docgraph.domain.finding import CheckReport

DATA = os.environ.get("DOCGRAPH_TEST_DATA")
"""Only where it is asked for: the imports take minutes."""
LABELS = Path(__file__).with_name("labelled_findings.jsonl")
FOLDERS = {
    "eips": "eips",
    "keps": "keps/keps",
    "peps": "peps/original",
    "foam-docs": "foam-docs/original/docs",
    "govuk-adrs": "govuk-adrs/original",
}
FIRST = 50
WORTH = 0.6
"""Share of the first decisions that are worth an act, at least (docs/checks.md)."""


def labels() -> list[dict[str, Any]]:
    return [json.loads(row) for row in LABELS.read_text(encoding="utf-8").splitlines()]


def test_every_label_says_what_was_judged_and_why() -> None:
    found = labels()
    assert len(found) >= 500
    assert {row["set"] for row in found} == set(FOLDERS)
    assert len({(row["set"], row["finding_id"]) for row in found}) == len(found)
    for row in found:
        assert set(row) == {"set", "check_id", "finding_id", "true", "worth_an_act", "why"}
        assert isinstance(row["true"], bool)
        assert isinstance(row["worth_an_act"], bool)
        assert 5 < len(row["why"]) < 100
        assert row["true"] or not row["worth_an_act"], "what is not so is worth nothing"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(DATA is None, reason="no test data: set DOCGRAPH_TEST_DATA")
@pytest.mark.parametrize("name", FOLDERS)
def test_findings_over_a_real_corpus_are_as_true_and_as_useful_as_the_docs_say(name: str, tmp_path: Path) -> None:
    assert DATA is not None
    with docgraph.connect(store="memory", data_dir=tmp_path, workspace=name) as dg:
        dg.ingest(Path(DATA) / FOLDERS[name], profile="auto")
        report = dg.check()
    judged = {row["finding_id"]: row for row in labels() if row["set"] == name}
    errors = [judged[f.finding_id]["true"] for f in report.findings if f.severity == "error" and f.finding_id in judged]
    assert len(errors) >= 0.9 * report.count("error"), "too few of them are labelled: the corpus is another one"
    assert sum(errors) >= 0.95 * len(errors)
    worth = _first(report, judged)
    assert worth.total() >= 0.9 * min(FIRST, len(report.decisions))
    assert worth[True] >= WORTH * worth.total()


def _first(report: CheckReport, judged: dict[str, dict[str, Any]]) -> Counter[bool]:
    first = [decision.finding_ids[0] for decision in report.decisions[:FIRST]]
    return Counter(judged[each]["worth_an_act"] for each in first if each in judged)
