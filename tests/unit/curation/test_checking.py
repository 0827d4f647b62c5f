"""Checks run under rules: off, milder, with other parameters; a rule that cannot be meant is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from docgraph.curation.checking import check_graph
from docgraph.domain.finding import Finding, Rule, Severity
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import UserError
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of

HERE = Workspace(name="here", embedder=EmbedderInfo(name="letters", dimension=4), revision="r1")
GRAPH = graph_of([("b", "explains", "a"), ("a", "explains", "b")], n_questions=3, n_questions_left_out=2)
PARAMETERS = {"most": 3, "share": 0.5, "deep": True, "word": "a", "names": (), "pairs": (("a", "b"),)}


@dataclass(frozen=True)
class Every:
    check_id: str = "every"
    severity: Severity = "warning"
    title: str = "Every relationship"
    why: str = "It is there."
    unit: str = "relationships"
    parameters: Mapping[str, Any] = field(default_factory=lambda: PARAMETERS)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        severities: tuple[Severity, Severity] = (self.severity, "info")
        findings = [
            Finding.about(self.check_id, severity, "There.", relationships=(edge.key,))
            for severity, edge in zip(severities, reversed(graph.relationships), strict=True)
        ]
        return Outcome(len(graph.relationships), findings[: parameters["most"]])


def _check(**rule: Any) -> Any:
    return check_graph(
        GRAPH, [Every(), Every(check_id="all", severity="error")], {"every": Rule(**rule)}, workspace=HERE
    )


def test_results_stand_errors_first_and_findings_worst_first() -> None:
    report = _check()
    assert [result.check_id for result in report.results] == ["all", "every"]
    assert [finding.severity for finding in report.findings] == ["error", "info", "warning", "info"]
    assert (report.count("error"), report.count("warning"), report.count("info")) == (1, 1, 2)
    assert (report.workspace, report.corpus_revision, report.n_documents, report.n_relationships) == (
        "here",
        "r1",
        2,
        2,
    )


def test_questions_that_could_not_be_planned_are_counted() -> None:
    report = _check()
    assert (report.n_questions, report.n_questions_left_out) == (3, 2)


def test_a_check_that_is_off_is_listed_and_looks_at_nothing() -> None:
    off = next(result for result in _check(on=False).results if result.check_id == "every")
    assert (off.on, off.n_checked, off.findings) == (False, 0, ())


def test_a_rule_changes_the_severity_of_the_check_and_of_its_ordinary_findings_alone() -> None:
    changed = next(result for result in _check(severity="error").results if result.check_id == "every")
    assert changed.severity == "error"
    assert [finding.severity for finding in changed.findings] == ["error", "info"]


def test_a_rule_names_the_parameters_that_it_changes() -> None:
    changed = next(result for result in _check(parameters={"most": 1}).results if result.check_id == "every")
    assert len(changed.findings) == 1
    assert changed.parameters == {**PARAMETERS, "most": 1}


def test_a_rule_of_a_check_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UserError, match="there is no check 'evry'") as refused:
        check_graph(GRAPH, [Every()], {"evry": Rule()}, workspace=HERE)
    assert refused.value.hint == "there are: every"


def test_a_parameter_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UserError, match="check 'every' has no parameter 'mots'") as refused:
        _check(parameters={"mots": 3})
    assert refused.value.hint == "its parameters: deep, most, names, pairs, share, word"


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("most", "ten", "a number"),
        ("most", -1, "a number"),
        ("most", True, "a number"),
        ("most", 2.5, "a number"),
        ("share", "0.5", "a number"),
        ("share", None, "a number"),
        ("deep", 1, "true or false"),
        ("word", 3, "a text"),
        ("names", "adr", "a list"),
        ("names", [1], "in the list: expected a text"),
        ("pairs", [["a"]], "a list of lists of 2"),
        ("pairs", ["ab"], "in the list: expected a list"),
        ("pairs", [["a", 1]], "expected a text"),
        ("pairs", {"a": "b"}, "expected a list"),
    ],
)
def test_a_value_of_another_shape_than_the_default_is_refused(name: str, value: object, wrong: str) -> None:
    with pytest.raises(UserError, match=wrong) as refused:
        _check(parameters={name: value})
    assert refused.value.message.startswith(f"{name} of check 'every' = ")


def test_values_of_the_shape_of_the_default_are_taken() -> None:
    values = {"most": 0, "share": 1, "deep": False, "word": "", "names": ["a"], "pairs": [["c", "d"], ("e", "f")]}
    [result] = [result for result in _check(parameters=values).results if result.check_id == "every"]
    assert result.parameters == values
