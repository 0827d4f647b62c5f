"""How bad a finding is, as a drawn sign."""

from __future__ import annotations

from docgraph.domain.finding import Severity
from docgraph.views.relationships.findings.queue import NOUNS


def severity_sign(severity: Severity) -> str:
    """HTML of a drawn sign: error = filled and red, warning = outlined, info = a ring; told apart by shape."""
    return f'<span class="rl-sign rl-sign-{severity}" role="img" aria-label="{NOUNS[severity][0]}"></span>'
