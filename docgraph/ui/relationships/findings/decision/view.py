"""Everything that the judging pane draws of one decision, read once for each drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, CheckResult, Decision, Finding
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.findings.decision.data import (
    around,
    documents,
    evidence,
    refusal,
    states,
    stored,
    type_counts,
)
from docgraph.ui.relationships.findings.decision.draft import hand
from docgraph.views.relationships.findings.queue import ids_in
from docgraph.views.relationships.findings.subject import (
    Alternative,
    Subject,
    alternatives,
    class_alternatives,
    proposed_types,
    retyped,
    subject_of,
)
from docgraph.views.relationships.findings.words import with_titles


@dataclass(frozen=True)
class View:
    """One decision as it is drawn.

    ``findings`` = all that it is about; ``finding`` = the one at ``place`` (from 0) among them, shown as the example,
    with its ``subject``, ``relationship`` and ``evidence``. ``alternatives`` act on all of them; ``refused`` = action →
    why it cannot be done; ``expected`` = states as displayed.
    """

    workspace: str
    revision: str
    report: CheckReport
    decision: Decision
    findings: tuple[Finding, ...]
    place: int
    finding: Finding
    result: CheckResult | None
    subject: Subject
    relationship: Relationship | None
    evidence: EdgeEvidence | None
    documents: dict[str, StoredDocument]
    types: tuple[str, ...]
    retype_to: str
    alternatives: tuple[Alternative, ...]
    refused: dict[str, str]
    expected: dict[EdgeKey, str]
    stale: bool

    @property
    def decision_id(self) -> str:
        """The id of the decision."""
        return self.decision.decision_id

    @property
    def alone(self) -> bool:
        """Whether it is about a single finding."""
        return len(self.findings) == 1

    @property
    def possible(self) -> tuple[Alternative, ...]:
        """The alternatives that can be done."""
        return tuple(each for each in self.alternatives if not self.refused.get(each.name))

    @property
    def titled(self) -> Callable[[str], str]:
        """How a document is called: by its title, or by its id when it has none or is not stored."""
        return lambda document_id: getattr(self.documents.get(document_id), "title", "") or document_id

    def edits(self, action: str) -> tuple[Edit, ...]:
        """What an action does; nothing when it is not offered."""
        return next((each.edits for each in self.alternatives if each.name == action), ())


def view_of(workspace: str, report: CheckReport, decision: Decision) -> View:
    """Read it all on the data of ``report``. Raises StoreError."""
    revision, decision_id = state.revision(workspace), decision.decision_id  # the report may be older than the data
    findings = report.findings_of(decision)
    place = min(hand().examples.get(decision_id, 0), len(findings) - 1)
    finding = findings[place]
    there = stored(workspace, {key for each in findings for key in each.relationships}, revision=revision)
    subject = subject_of(finding, there, hand().edges.get(finding.finding_id))
    known = documents(workspace, {*ids_in(finding), *_ends(report.fix_of(decision)[:1])}, revision=revision)
    counts = type_counts(workspace, revision=revision)
    types = proposed_types(finding, subject.edge, counts, _types_near(workspace, subject, revision=revision))
    retype_to = hand().types.get(decision_id) or next(iter(types), "")
    if len(findings) == 1:
        found = alternatives(finding, subject, retype_to, titled=_titles(known))
    else:
        met = stored(workspace, retyped(findings, retype_to), revision=revision) if retype_to else {}
        fix = report.fix_of(decision)
        found = class_alternatives(findings, fix, retype_to, {*there, *met}, titled=_titles(known))
    now = states(workspace, [edit for each in found for edit in each.edits], revision=revision)
    seen = hand().seen.setdefault(decision_id, now)
    both = subject.pair
    return View(
        workspace=workspace,
        revision=revision,
        report=report,
        decision=decision,
        findings=findings,
        place=place,
        finding=finding,
        subject=subject,
        documents=known,
        types=types,
        result=next((each for each in report.results if each.check_id == finding.check_id), None),
        relationship=there.get(subject.edge) if subject.edge else None,
        evidence=evidence(workspace, both[0], both[1], revision=revision) if both else None,
        retype_to=retype_to,
        alternatives=found,
        refused={each.name: _refusal(workspace, each.edits, known, revision=revision) for each in found},
        expected=now | {key: state for key, state in seen.items() if key in now},
        stale=any(now[key] != state for key, state in seen.items() if key in now),
    )


def _ends(edits: Sequence[Edit]) -> tuple[str, ...]:
    return tuple(end for edit in edits for end in (edit.key[0], edit.key[2], edit.to_document_id or "") if end)


def _refusal(workspace: str, edits: Sequence[Edit], known: dict[str, StoredDocument], *, revision: str) -> str:
    """Why these edits cannot be done, with titles; empty when they can."""
    keys = [key for edit in edits for key in (edit.key, edit.result) if key is not None]
    return with_titles(refusal(workspace, edits, revision=revision), keys, named=_titles(known))


def _types_near(workspace: str, subject: Subject, *, revision: str) -> list[str]:
    """Types of the relationships at both ends, most frequent first: what such documents are related by."""
    if subject.pair is None:
        return []
    counts = Counter(
        edge.relation_type for end in set(subject.pair) for edge in around(workspace, end, revision=revision)
    )
    return sorted(counts, key=lambda name: (-counts[name], name))


def _titles(known: dict[str, StoredDocument]) -> Callable[[str], str]:
    return lambda document_id: getattr(known.get(document_id), "title", "") or document_id
