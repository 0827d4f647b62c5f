"""What checks of relationship data find, and the rules they run under."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from docgraph.domain import shown
from docgraph.domain.curation import NO_TRIAGE, Dismissal, Triage, TriageEntry, triage_of
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.graph import DocumentRef, Identifier, RelationType
from docgraph.domain.imports.fields import is_called
from docgraph.domain.overrides import EdgeKey

if TYPE_CHECKING:
    from pandas import DataFrame

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""Worst first."""


class Finding(Frozen):
    """One thing that a check points at.

    ``finding_id`` follows from the check and the subject alone, so that a finding keeps its id while the thing it
    points at stays the same. ``sentence`` says it with titles; ``evidence`` is the text that speaks for it (hostile
    data); ``fix`` = edits that would settle it, in order (empty: a person has to decide). ``n_questions`` = saved
    questions that depend on it: one of its relationships brings a document in, or one that the fix would make could.
    ``anchor`` = the section of the target that it is about, where it is about one (part of the subject then).
    ``dismissal`` = how it was ignored before, when it is open again because the texts of ``texts_changed`` changed.
    """

    finding_id: str = ""
    check_id: str
    severity: Severity
    sentence: str
    relationships: tuple[EdgeKey, ...] = ()
    document_ids: tuple[Identifier, ...] = ()
    relation_types: tuple[RelationType, ...] = ()
    anchor: str = Field(default="", exclude_if=lambda anchor: not anchor)
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
            *([found.anchor] if found.anchor else []),
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


Cause = Literal["finding", "target", "block", "types", "extractor", "owner", "repair", "folder"]
"""What the findings of one decision have in common; ``finding`` = a decision about a single finding."""


class Decision(Frozen):
    """Findings of one check that a person decides about together, because one cause made them.

    ``cause`` = what they share (the target, a block of targets that the same documents point at, the types between the
    same kinds of documents, the extractor, the owner, the proposed repair, the folder that holds no stored document)
    and ``label`` names it: ``551 × ../LICENSE.md`` (text of documents: hostile). ``decision_id`` follows from the check
    and the cause, and is the finding's own where it stands alone. ``severity`` is that of each of them;
    ``n_questions`` = saved questions that depend on any of them, each counted once. ``finding_ids`` = the queue's
    order. ``owners`` = whose documents at least half of its findings start at, as the documents' metadata say
    (hostile data). ``triage`` = who takes it on, until when, and what was said of it.
    """

    decision_id: str
    check_id: str
    severity: Severity
    cause: Cause = "finding"
    label: str
    finding_ids: tuple[str, ...]
    n_questions: int = Field(default=0, ge=0)
    owners: tuple[str, ...] = ()
    triage: Triage = NO_TRIAGE

    def is_for(self, person: str) -> bool:
        """Whether this person has it: it is assigned to them, or to nobody and is theirs by its owners."""
        assignee = self.triage.assignee
        return is_called(assignee, person) if assignee else self.belongs_to(person)

    def belongs_to(self, person: str) -> bool:
        """Whether one of its owners is this person, by name, handle or address, whatever the case."""
        return any(is_called(owner, person) for owner in self.owners)

    @property
    def n_findings(self) -> int:
        """How many findings it settles."""
        return len(self.finding_ids)


class EdgeUse(Frozen):
    """A relationship that brought a document into the plans of ``n_questions`` saved questions."""

    key: EdgeKey
    n_questions: int = Field(ge=1)


class CheckReport(Frozen):
    """All checks over one state of a workspace, errors first, then by name.

    ``n_questions`` saved questions were planned to see which relationships fire; ``n_questions_left_out`` could not be
    planned on today's data (a seed that they name is gone …). ``results`` hold the open findings;
    ``ignored`` those that somebody ignored with a reason that still holds. ``decisions`` = the open findings by
    cause, each in exactly one, what most saved questions depend on first, then the worst, then by label; a finding of a
    cause that was decided before comes up as a new decision. ``fired`` = the relationships that the
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
    decisions: tuple[Decision, ...] = ()
    fired: tuple[EdgeUse, ...] = ()
    complete: bool = True
    not_run: tuple[str, ...] = ()

    def to_pandas(self) -> DataFrame:
        """A row for each open finding, in the order of ``queue``.

        Columns: ``severity``, ``check_id``, ``sentence``, ``n_questions``, ``document_ids`` (separated by blanks),
        ``relationships`` (``a explains b; …``), ``evidence``, ``finding_id``. Needs pandas.
        """
        return shown.frame(self)

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

    def findings_of(self, decision: Decision) -> tuple[Finding, ...]:
        """The open findings that a decision is about, in its order."""
        by_id = {finding.finding_id: finding for finding in self.findings}
        return tuple(by_id[each] for each in decision.finding_ids if each in by_id)

    def fix_of(self, decision: Decision) -> tuple[Edit, ...]:
        """The edits that settle all of its findings as one change: each relationship, or its anchor, is edited once.

        Where two would become the same relationship, the second is removed.
        """
        edits: dict[tuple[EdgeKey, str | None], Edit] = {}
        made: set[EdgeKey] = set()
        for finding in self.findings_of(decision):
            for edit in finding.fix:
                if (edit.key, edit.anchor) in edits:
                    continue
                result = edit.result
                twice = result in made and edit.action not in ("add", "accept", "reanchor")
                edits[edit.key, edit.anchor] = Edit(action="remove", key=edit.key) if twice else edit
                made |= {result} if result is not None else set()
        return tuple(edits.values())

    def only(self, wanted: Container[str]) -> CheckReport:
        """The report of some of its checks, by check_id."""
        return self.model_copy(
            update={
                "results": tuple(r for r in self.results if r.check_id in wanted),
                "decisions": tuple(d for d in self.decisions if d.check_id in wanted),
            }
        )

    def of_owner(self, person: str) -> CheckReport:
        """The report of the decisions that belong to one owner, with their findings alone."""
        return self.with_decisions(lambda decision: decision.belongs_to(person))

    def of_assignee(self, person: str) -> CheckReport:
        """The report of the decisions that this person has (``Decision.is_for``), with their findings alone."""
        return self.with_decisions(lambda decision: decision.is_for(person))

    def due_by(self, day: str) -> CheckReport:
        """The report of the decisions that are due on this day (ISO 8601) or were before, with their findings alone."""
        return self.with_decisions(lambda decision: decision.triage.is_due(day))

    def triaged(self, entries: Iterable[TriageEntry]) -> CheckReport:
        """The report with what these entries say of its decisions, in the place of what it had."""
        found = triage_of(self.decisions, entries)
        decisions = tuple(
            d
            if d.triage == found.get(d.decision_id, NO_TRIAGE)
            else d.model_copy(update={"triage": found.get(d.decision_id, NO_TRIAGE)})
            for d in self.decisions
        )
        return self.model_copy(update={"decisions": decisions})

    def with_decisions(self, wanted: Callable[[Decision], bool]) -> CheckReport:
        """The report of the decisions that are ``wanted``, with their findings alone."""
        decisions = tuple(filter(wanted, self.decisions))
        kept = {finding_id for decision in decisions for finding_id in decision.finding_ids}
        results = tuple(
            r.model_copy(update={"findings": tuple(f for f in r.findings if f.finding_id in kept)})
            for r in self.results
        )
        return self.model_copy(update={"results": results, "decisions": decisions})

    def without(self, finding_ids: Container[str]) -> CheckReport:
        """The report without these findings; a decision that has none left is gone, the others keep what they count."""
        results = tuple(
            r.model_copy(update={"findings": tuple(f for f in r.findings if f.finding_id not in finding_ids)})
            for r in self.results
        )
        left = [(d, tuple(each for each in d.finding_ids if each not in finding_ids)) for d in self.decisions]
        decisions = tuple(
            d if len(ids) == d.n_findings else d.model_copy(update={"finding_ids": ids}) for d, ids in left if ids
        )
        return self.model_copy(update={"results": results, "decisions": decisions})

    def n_decisions(self, severity: Severity) -> int:
        """How many decisions are this severe."""
        return sum(decision.severity == severity for decision in self.decisions)

    def count(self, severity: Severity) -> int:
        """How many findings are this severe."""
        return sum(finding.severity == severity for finding in self.findings)
