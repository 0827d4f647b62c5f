"""What checks have in common: what a check says of itself where it says nothing else, and how it makes a finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.finding import Cause, Finding, Severity


class BaseCheck:
    """See ``ports.Check``; a check writes down what is otherwise with it."""

    check_id: str
    title: str
    why: str
    severity: Severity = "warning"
    unit: str = "relationships"
    causes: tuple[Cause, ...] = ()
    parameters: Mapping[str, Any] = {}

    def finding(self, sentence: str, *, severity: Severity | None = None, **fields: Any) -> Finding:
        """A finding of this check; ``severity`` where it is not the check's own."""
        return Finding.about(self.check_id, severity or self.severity, sentence, **fields)
