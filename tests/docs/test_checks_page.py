"""The page on checks lists each one with severity, unit, parameters and defaults, and every field of a finding."""

from __future__ import annotations

import re
import tomllib

from docgraph import plugins
from docgraph.boundary.rules_toml import read_rules
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding, Rule
from tests import ROOT

PAGE = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
CHECKS = [plugins.build("checks", name) for name in plugins.available("checks")]


def _rows(heading: str) -> list[list[str]]:
    """Cells of the first table after ``heading``."""
    table = PAGE.split(heading, 1)[1].split("|---", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[1:]]


def _scalar(value: object) -> str:
    return "" if isinstance(value, list | tuple) else f" = {str(value).lower()}"


def _listed(values: tuple[object, ...]) -> str:
    names = (" / ".join(each) if isinstance(each, list | tuple) else str(each) for each in values)
    return ", ".join(f"`{name}`" for name in names) or "empty"


def test_the_table_has_every_check_with_severity_unit_and_parameters() -> None:
    shown = {row[0].strip("`"): row[1:4] for row in _rows("# Checks of relationship data")}
    assert shown == {
        check.check_id: [
            check.severity,
            check.unit,
            ", ".join(f"`{name}`{_scalar(value)}" for name, value in check.parameters.items()) or "--",
        ]
        for check in CHECKS
    }


def test_every_list_stands_there_with_its_default() -> None:
    shown = [(row[0].strip("`"), row[1].strip("`"), row[2]) for row in _rows("Parameters that are lists")]
    assert shown == sorted(
        (check.check_id, name, _listed(value))
        for check in CHECKS
        for name, value in check.parameters.items()
        if isinstance(value, list | tuple)
    )


def test_the_example_of_rules_can_be_used() -> None:
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    assert set(tomllib.loads(example)["checks"]) <= set(plugins.available("checks"))
    rules = read_rules(example.encode())
    assert rules["orphan"] == Rule(on=False)
    for check_id, rule in rules.items():
        assert set(rule.parameters) <= set(plugins.build("checks", check_id).parameters)


def test_the_fields_of_a_finding_are_those_that_are_written() -> None:
    fields = [name for row in _rows("## JSON") for name in re.findall(r"`(\w+)`", row[0])]
    assert fields == list(Finding.model_fields)
    [shape] = re.findall(r"edits in order: `(.*?)`", PAGE)
    assert re.findall(r'"(\w+)"', shape) == list(Edit.model_fields)
