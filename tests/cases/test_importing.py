"""The way in which the cases import and tell works itself."""

from __future__ import annotations

from pathlib import Path

from tests.cases.importing import imported


def test_a_case_tells_its_edges_titles_and_findings(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Queue\n\nSee [the lamp](b.md) and [nothing](gone.md).\n")
    (tmp_path / "b.md").write_text("# Lamp\n\nIt shines.\n")
    with imported(tmp_path) as case:
        assert case.edges == {("a", "links_to", "b"), ("a", "links_to", "gone")}
        assert case.pairs == {("a", "b"), ("a", "gone")}
        assert case.titles == {"a": "Queue", "b": "Lamp"}
        assert {check for check, _ in case.findings("missing_endpoint")} == {"missing_endpoint"}
