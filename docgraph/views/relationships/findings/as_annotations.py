"""Findings as the lines that GitHub Actions shows beside the files of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docgraph.domain.finding import SEVERITIES, Severity
from docgraph.views.relationships.findings.located import Located
from docgraph.views.words.texts import line

SHOWN = 10
"""Annotations of one severity that GitHub shows of a step; it drops the others without a word."""

COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def as_annotations(found: Sequence[Located]) -> Iterator[str]:
    """``::error file=a.md,line=3,title=…::…``, a line each, the worst first, at most ``SHOWN`` of a severity."""
    for severity in SEVERITIES:
        of_it = [each for each in found if each.finding.severity == severity]
        for each in of_it[:SHOWN]:
            yield f"::{COMMANDS[severity]} {_properties(each)}::{escaped(each.message)}"
        if len(of_it) > SHOWN:
            yield f"{len(of_it) - SHOWN:,} more of severity {severity} are in the summary"


def escaped(text: str) -> str:
    """Text as the message of a command: on one line, percent signs coded, with no older command ``##[`` in it."""
    return _disarmed(line(text)).translate(_DATA)


def _properties(each: Located) -> str:
    given = {"file": each.path, "line": str(each.line or ""), "title": f"docgraph {each.finding.check_id}"}
    return ",".join(f"{name}={_disarmed(value).translate(_PROPERTY)}" for name, value in _given(given.items()))


def _given(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in pairs if value)


def _disarmed(text: str) -> str:
    return text.replace("##[", "##\u2060[")
