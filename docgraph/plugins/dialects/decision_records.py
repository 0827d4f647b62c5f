"""Decision records as adr-tools, MADR and log4brains write them: a status that says what replaced the record."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_TITLE = re.compile(r"^#[ \t]+(?:ADR[- ]?)?\d{1,6}[.:][ \t]", re.MULTILINE | re.IGNORECASE)
_STATUS = re.compile(r"^##[ \t]+Status\b", re.MULTILINE | re.IGNORECASE)
_LISTED = re.compile(r"^[ \t]*[-*][ \t]+(?:\*\*)?Status(?:\*\*)?:", re.MULTILINE | re.IGNORECASE)
_OUTCOME = re.compile(
    r"^##[ \t]+(?:Decision(?: Outcome)?|Considered Options|Consequences|Context\b.{0,40})[ \t]*$", re.M
)
_FIRST = 4_000


class DecisionRecords(Dialect):
    """Pages with a status in a section or a list of its own, beside what was decided."""

    name = "decision_records"
    title = "Decision records"
    signs = (".log4brains.yml",)
    suffixes = (".md", ".markdown")

    def marks(self, text: str, source: str) -> bool:
        """Whether a page says its status and what was decided."""
        has_status = _STATUS.search(text) or _LISTED.search(text[:_FIRST])
        return bool(has_status and (_TITLE.search(text[:_FIRST]) or _OUTCOME.search(text)))


build = DecisionRecords
