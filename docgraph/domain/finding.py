"""What checks of relationship data find, and the rules they run under."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from docgraph.domain.dismissal import Dismissal
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.graph import DocumentRef, Identifier, RelationType
from docgraph.domain.overrides import EdgeKey

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""Worst first."""


class Finding(Frozen):
    """One thing that a check points at.

    ``finding_id`` follows from the check and the subject alone, so that a finding keeps its id while the thing it
    points at stays the same. ``sentence`` says it with titles; ``evidence`` is the text that speaks for it (hostile
    data); ``fix`` = edits that would settle it, in order (empty: a person has to decide). ``n_questions`` = saved
    questions that depend on it: one of its relationships brings a document in, or one that the fix would make could.
    ``dismissal`` = how it was ignored before, when it is open again because the texts of ``texts_changed`` changed.
    """

    finding_id: str = ""
    check_id: str
    severity: Severity
    sentence: str
    relationships: tuple[EdgeKey, ...] = ()
    document_ids: tuple[Identifier, ...] = ()
    relation_types: tuple[RelationType, ...] = ()
    evidence: str = ""
    fix: tuple[Edit, ...] = ()
    n_questions: int = Field(default=0, ge=0)
    dismissal: Dismissal | None = None
    texts_changed: tuple[DocumentRef, ...] = ()

    @classmethod
    def about(cls, check_id: str, severity: Severity, sentence: str, **fields: Any) -> Finding:
        """A finding with its id computed from what it is about."""
        found = cls(check_id=check_id, severity=severity, sentence=sentence, **fields)
        subject = [
            check_id,
            [list(k) for k in found.relationships],
            list(found.document_ids),
            list(found.relation_types),
        ]
        return found.model_copy(update={"finding_id": fingerprint(subject)[:16]})


class Rule(Frozen):
    """How one check runs in a workspace: on or off, how severe, with which parameters (those not named: defaults)."""

    on: bool = True
    severity: Severity | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)


class IgnoredFinding(Frozen):
    """A finding that somebody ignored with a reason that still holds."""

    finding: Finding
    dismissal: Dismissal


class CheckResult(Frozen):
    """What one check found: ``findings`` of ``n_checked`` ``unit``s ("2 of 61 relationships"); worst and then by id.

    ``on`` is false for a check that the rules switch off: then nothing was looked at. ``skipped`` says why a check
    that is on had nothing to look at ("no relationship has been reviewed"), or that it was not run.
    """

    check_id: str
    title: str
    why: str
    severity: Severity
    unit: str
    on: bool = True
    n_checked: int = Field(default=0, ge=0)
    parameters: dict[str, Any] = Field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    skipped: str = ""


class EdgeUse(Frozen):
    """A relationship that brought a document into the plans of ``n_questions`` saved questions."""

    key: EdgeKey
    n_questions: int = Field(ge=1)


class CheckReport(Frozen):
    """All checks over one state of a workspace, errors first, then by name.

    ``n_questions`` saved questions were planned to see which relationships fire; ``n_questions_left_out`` could not be
    planned on today's data (a seed that they name is gone …). ``results`` hold the open findings;
    ``ignored`` those that somebody put aside with a reason that still holds. ``fired`` = the relationships that the
    planned questions use, by key.

    ``complete`` is false when somebody stopped it. Then the checks named in ``not_run`` looked at nothing, in the order
    of the results, and nothing can be said of what they look for; the others are as they always are. Where none has
    run, the saved questions may not have been planned either: ``n_questions`` is 0 then.
    """

    workspace: str
    corpus_revision: str
    n_documents: int
    n_relationships: int
    n_questions: int = 0
    n_questions_left_out: int = 0
    results: tuple[CheckResult, ...] = ()
    ignored: tuple[IgnoredFinding, ...] = ()
    fired: tuple[EdgeUse, ...] = ()
    complete: bool = True
    not_run: tuple[str, ...] = ()

    @property
    def n_on(self) -> int:
        """How many checks are switched on."""
        return sum(result.on for result in self.results)

    @property
    def n_run(self) -> int:
        """How many of them have run to their end."""
        return self.n_on - len(self.not_run)

    @property
    def says_something(self) -> bool:
        """Whether its counts mean anything: not when it was stopped before the first check had run to its end."""
        return self.complete or self.n_run > 0

    @property
    def queue(self) -> tuple[Finding, ...]:
        """Every open finding, those that most saved questions depend on first, then the worst, then by subject."""
        found = self.findings
        return tuple(
            sorted(
                found,
                key=lambda f: (-f.n_questions, SEVERITIES.index(f.severity), f.check_id, f.sentence, f.finding_id),
            )
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, in the order of the results."""
        return tuple(finding for result in self.results for finding in result.findings)

    def count(self, severity: Severity) -> int:
        """How many findings are this severe."""
        return sum(finding.severity == severity for finding in self.findings)
