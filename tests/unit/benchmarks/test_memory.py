"""The table of what the dashboard's process holds in memory, by open sessions."""

from __future__ import annotations

import jsonschema

from benchmarks import figures, tables


def test_its_table_has_a_line_a_step_with_the_goals_and_what_came_before() -> None:
    steps = [
        {"sessions": 0, "when": "at start", "resident_mb": 230, "own_mb": 213, "threads": 7},
        {
            "sessions": 100,
            "when": "100 sessions open",
            "resident_mb": 352,
            "own_mb": 308,
            "threads": 8,
            "visit_ms": 210,
            "cpu_ms": 90,
        },
    ]
    found = {"with_import": {"resident_mb": 283, "own_mb": 265, "threads": 7}, "steps": steps}
    report = figures.report("memory", {"sessions": "100", "seconds": 3}, found, load=(0.5,))
    jsonschema.validate(report, figures.SCHEMA)
    text = tables.tables_of(report)
    assert "| at start | 230 | ≤ 300 | 213 | 7 | -- |" in text
    assert "| 100 sessions open | 352 | ≤ 400 | 308 | 8 | 90 |" in text
    assert "imported the sample corpus: 283 MB resident, 265 own." in text
