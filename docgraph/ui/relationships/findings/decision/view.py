"""What the pane shows of a decision: the finding, its documents and evidence, and what can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Action, Edit
from docgraph.domain.finding import CheckReport, CheckResult, Decision, Finding
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.history import edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import evidence, version
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
from docgraph.views.relationships.findings.triage import common_reasons
from docgraph.views.relationships.findings.words import with_titles

LOOKED_AT = 500
"""Entries of the history whose reasons are counted."""
MAX_STARTS = 8
"""Above this many starts it is quicker to look into all relationships, which are read once a revision."""


def documents(workspace: str, ids: Iterable[str], *, revision: str) -> dict[str, StoredDocument]:
    """document_id → document; ids that are not stored are absent."""
    return _documents(workspace, revision, tuple(sorted(set(ids))))


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _documents(workspace: str, revision: str, ids: tuple[str, ...]) -> dict[str, StoredDocument]:
    del revision  # part of the key only
    return resources.docgraph(workspace).documents.by_id(ids)


def stored(workspace: str, keys: Iterable[EdgeKey], *, revision: str) -> dict[EdgeKey, Relationship]:
    """Those of these relationships that are stored, by key."""
    wanted = set(keys)
    starts = sorted({key[0] for key in wanted})
    if len(starts) > MAX_STARTS:
        return {edge.key: edge for edge in state.relationships(workspace) if edge.key in wanted}
    return {
        edge.key: edge for each in starts for edge in around(workspace, each, revision=revision) if edge.key in wanted
    }


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def around(workspace: str, document_id: str, *, revision: str) -> tuple[Relationship, ...]:
    """Every relationship at a document, by key."""
    del revision  # part of the key only
    found = resources.docgraph(workspace).relationships.list(document_id=document_id)
    return tuple(sorted(found, key=lambda edge: edge.key))


@st.cache_resource(max_entries=64, ttl="1h", show_spinner=False)
def type_counts(workspace: str, *, revision: str) -> dict[str, int]:
    """relation_type → how many."""
    del revision  # part of the key only
    return resources.docgraph(workspace).relationships.types()


def states(workspace: str, edits: Iterable[Edit], *, revision: str) -> dict[EdgeKey, str]:
    """The state of every relationship that the edits find or make, as it is now: what a save expects."""
    keys = {key for edit in edits for key in (edit.key, edit.result) if key is not None}
    there = stored(workspace, keys, revision=revision)
    return {key: edge_state(there.get(key)) for key in sorted(keys)}


def refusal(workspace: str, edits: Sequence[Edit], *, revision: str) -> str:
    """Why these edits cannot be done, as saving them would say it; empty when they can."""
    name = fingerprint([edit.model_dump(mode="json") for edit in edits])
    return _refusal(workspace, revision, name, tuple(edits))


@st.cache_resource(max_entries=512, ttl="1h", show_spinner=False)
def _refusal(workspace: str, revision: str, name: str, _edits: tuple[Edit, ...]) -> str:
    del revision, name  # part of the key only
    try:
        resources.docgraph(workspace).relationships.edit(_edits, by="preview", dry_run=True, new_types=True)
    except DocgraphError as problem:
        return problem.message
    return ""


def reasons(workspace: str, act: str, actions: Sequence[Action]) -> tuple[str, ...]:
    """The reasons given most often for this change in the workspace, else the built-in ones."""
    return _reasons(workspace, version(workspace), act, tuple(sorted(actions)))


@st.cache_resource(max_entries=64, ttl="1h", show_spinner=False)
def _reasons(workspace: str, version: str, act: str, actions: tuple[Action, ...]) -> tuple[str, ...]:
    del version  # part of the key only
    docgraph = resources.docgraph(workspace)
    dismissals = [each for each in docgraph.rules.dismissals() if each.kind == "finding"] if act == "ignore" else []
    entries = docgraph.relationships.history(limit=LOOKED_AT) if act != "ignore" else ()
    return common_reasons(act, actions, entries, dismissals)


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
        refused={each.name: _refused_because(workspace, each.edits, known, revision=revision) for each in found},
        expected=now | {key: state for key, state in seen.items() if key in now},
        stale=any(now[key] != state for key, state in seen.items() if key in now),
    )


def _ends(edits: Sequence[Edit]) -> tuple[str, ...]:
    return tuple(end for edit in edits for end in (edit.key[0], edit.key[2], edit.to_document_id or "") if end)


def _refused_because(workspace: str, edits: Sequence[Edit], known: dict[str, StoredDocument], *, revision: str) -> str:
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
