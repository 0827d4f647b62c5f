"""Wherever a relationship is the reason for a document, the section that it points to is named."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator

import pytest

from docgraph.domain.comparison import Comparison
from docgraph.retrieval.evidence import evidence_hits
from docgraph.views.compare.tables import document_why
from docgraph.views.plan.documents import titles
from docgraph.views.presenter.story import arrivals
from docgraph.views.query_sets.opened import _came_over
from docgraph.views.report.file import report
from tests.cases.importing import Case, imported

QUESTION = {"query": "How are bookings taken?", "max_seeds": 1}
AT = "2026-11-27T10:00:00+00:00"


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    folder = tmp_path_factory.mktemp("sections")
    (folder / "a.md").write_text("# Bookings\nHow bookings are taken: see [the rule](b.md#limits).\n", encoding="utf-8")
    (folder / "b.md").write_text("# Rules\nText.\n\n## Limits <b>\nFour hundred of them.\n", encoding="utf-8")
    with imported(folder) as made:
        yield made


@pytest.fixture(scope="module")
def compared(case: Case) -> Comparison:
    found = case.dg.compare(QUESTION)
    assert [each.document_id for each in found.documents_with("added")] == ["b"]
    return found


def written(kind: str) -> Callable[[Comparison], str]:
    return lambda comparison: report(comparison, kind, made_at=AT).decode()  # type: ignore[arg-type]


WAYS: dict[str, Callable[[Comparison], str]] = {
    "report as Markdown": written("markdown"),
    "report as HTML": written("html"),
    "report as CSV": written("csv"),
    "tables of Compare": lambda it: document_why(it.documents_with("added")[0], dict(titles(it.b.run.plan))),
    "what came in on Query sets": lambda it: _came_over(it, "b"),
    "presenter": lambda it: arrivals(it)[0].reasons[0].section,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_reason_names_the_section_that_it_points_to(compared: Comparison, way: str) -> None:
    said = WAYS[way](compared).replace("\u2060", "").replace("\\", "")
    assert "its section Limits" in said


def test_candidates_of_the_retrieval_contract_tell_the_section(case: Case) -> None:
    run = case.dg.run(QUESTION)
    hits = evidence_hits(run.plan, run.context, {})
    (reason,) = next(hit.metadata["reasons"] for hit in hits if hit.metadata["document_id"] == "b")
    assert reason == {"from": "a", "via": "links_to", "sections": ["Limits <b>"]}


def test_an_export_for_spreadsheets_has_the_section_and_reads_the_file_back_without_a_change(case: Case) -> None:
    data = b"".join(case.dg.relationships.export("csv"))
    (row,) = csv.DictReader(io.StringIO(data.decode("utf-8-sig")))
    assert row["sections"] == "Limits"
    diff = case.dg.relationships.read_file(data, name="edges.csv")
    assert (diff.n_rows, diff.n_unchanged, diff.n_conflicts) == (1, 1, 0)
    lines = [json.loads(line) for line in b"".join(case.dg.relationships.export("jsonl")).splitlines()]
    (edge,) = [line for line in lines if line["kind"] == "relationship"]
    assert edge["sections"] == "Limits"
    assert edge["metadata"]["sections"] == [{"anchor": "limits", "heading": "Limits <b>"}]
