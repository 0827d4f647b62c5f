"""Runs the checks over a workspace under its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.finding import SEVERITIES, CheckReport, CheckResult, Finding, Rule
from docgraph.domain.workspace import Workspace
from docgraph.errors import UserError
from docgraph.ports import Check, RelationshipGraph

DEFAULT = Rule()


def check_graph(
    graph: RelationshipGraph, checks: Sequence[Check], rules: Mapping[str, Rule], *, workspace: Workspace
) -> CheckReport:
    """Every check's result, errors first, then by name; a check that is off is listed as off.

    Raises UserError for a rule about a check or a parameter that does not exist, and for a value of another shape than
    the parameter's default: a number is not negative, a list holds texts, or lists as long as those of the default.
    """
    known = {check.check_id: check for check in checks}
    for check_id, rule in rules.items():
        _refuse_unknown(check_id, rule, known)
    results = [_run(check, graph, rules.get(check.check_id, DEFAULT)) for check in checks]
    return CheckReport(
        workspace=workspace.name, corpus_revision=workspace.revision, n_documents=len(graph.documents),
        n_relationships=len(graph.relationships), n_questions=graph.n_questions,
        n_questions_left_out=graph.n_questions_left_out,
        results=tuple(sorted(results, key=lambda r: (SEVERITIES.index(r.severity), r.check_id))),
    )  # fmt: skip


def _run(check: Check, graph: RelationshipGraph, rule: Rule) -> CheckResult:
    severity = rule.severity or check.severity
    parameters = {**check.parameters, **rule.parameters}
    result = CheckResult(
        check_id=check.check_id, title=check.title, why=check.why, severity=severity, unit=check.unit, on=rule.on,
        parameters=parameters,
    )  # fmt: skip
    if not rule.on:
        return result
    outcome = check.find(graph, parameters)
    findings = [_as_severe(finding, severity, check) for finding in outcome.findings]
    findings.sort(key=lambda f: (SEVERITIES.index(f.severity), f.relationships, f.document_ids, f.finding_id))
    return result.model_copy(
        update={"n_checked": outcome.n_checked, "findings": tuple(findings), "skipped": outcome.skipped}
    )


def _as_severe(finding: Finding, severity: str, check: Check) -> Finding:
    """A finding of the check's own severity follows the rule; one that is milder or worse by itself stays so."""
    return finding.model_copy(update={"severity": severity}) if finding.severity == check.severity else finding


def _refuse_unknown(check_id: str, rule: Rule, known: Mapping[str, Check]) -> None:
    if check_id not in known:
        raise UserError(f"there is no check {check_id[:60]!r}", hint=f"there are: {', '.join(sorted(known))}")
    parameters = known[check_id].parameters
    for name, value in sorted(rule.parameters.items()):
        if name not in parameters:
            has = ", ".join(sorted(parameters)) or "none"
            raise UserError(f"check {check_id!r} has no parameter {name[:60]!r}", hint=f"its parameters: {has}")
        if wrong := _unlike(value, parameters[name]):
            raise UserError(
                f"{name} of check {check_id!r} = {repr(value)[:80]}: {wrong}",
                hint=f"like {repr(parameters[name])[:120]}",
            )


def _unlike(value: Any, default: Any) -> str:
    """What a parameter's value lacks to be of its default's shape; empty when it is fine."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "expected true or false"
    if isinstance(default, int | float):
        fits = isinstance(value, int if isinstance(default, int) else int | float) and not isinstance(value, bool)
        return "" if fits and value >= 0 else "expected a number, 0 or more"
    if isinstance(default, str):
        return "" if isinstance(value, str) else "expected a text"
    if not isinstance(value, list | tuple):
        return "expected a list"
    inner = default[0] if default else ""
    n = len(inner) if isinstance(inner, list | tuple) else None
    if n is not None and any(isinstance(each, list | tuple) and len(each) != n for each in value):
        return f"expected a list of lists of {n}"
    return next((f"in the list: {wrong}" for each in value if (wrong := _unlike(each, inner))), "")
