"""Findings as SARIF 2.1.0, which code hosts and editors show; and as the code quality report that GitLab reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from docgraph.domain.finding import CheckReport, CheckResult, Severity
from docgraph.views.relationships.findings.located import Located

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
GITLAB: dict[Severity, str] = {"error": "major", "warning": "minor", "info": "info"}


def as_sarif(report: CheckReport, found: Sequence[Located], *, version: str) -> bytes:
    """One run: a rule for every check that is on, a result for every finding; UTF-8, the same for the same findings.

    Messages are plain text. A location names file and line as far as they are known; a finding without a file has none.
    """
    rules = [result for result in report.results if result.on]
    places = {rule.check_id: place for place, rule in enumerate(rules)}
    driver = {"name": "docgraph", "semanticVersion": version, "rules": [_rule(each) for each in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The folder that the command ran in."}}},
        "results": [_result(each, places) for each in found],
    }
    return _written({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def as_code_quality(found: Sequence[Located]) -> bytes:
    """GitLab's report: a list of issues with file and first line; what has no file cannot be shown and is left out."""
    issues = [
        {
            "description": each.message,
            "check_name": each.finding.check_id,
            "fingerprint": each.finding.finding_id,
            "severity": GITLAB[each.finding.severity],
            "location": {"path": each.path, "lines": {"begin": each.line or 1}},
        }
        for each in found
        if each.path
    ]
    return _written(issues)


def _rule(result: CheckResult) -> dict[str, Any]:
    return {
        "id": result.check_id,
        "shortDescription": {"text": result.title},
        "fullDescription": {"text": result.why},
        "defaultConfiguration": {"level": LEVELS[result.severity]},
    }


def _result(each: Located, places: dict[str, int]) -> dict[str, Any]:
    finding = each.finding
    made: dict[str, Any] = {
        "ruleId": finding.check_id,
        "level": LEVELS[finding.severity],
        "message": {"text": each.message},
        "partialFingerprints": {"docgraphFindingId/v1": finding.finding_id},
    }
    if finding.check_id in places:
        made["ruleIndex"] = places[finding.check_id]
    if each.path:
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(each.path), "uriBaseId": "%SRCROOT%"}}
        if each.line is not None:
            physical["region"] = {"startLine": each.line}
        made["locations"] = [{"physicalLocation": physical}]
    return made


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1).encode("utf-8", "replace") + b"\n"
