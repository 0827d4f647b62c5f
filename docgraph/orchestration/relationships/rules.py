"""What a workspace remembers of its curators: rules of checks, what they ignored or rejected, what imports contest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.boundary.records import as_record
from docgraph.boundary.signatures import checked_reason
from docgraph.curation.checking import refuse_unknown
from docgraph.domain.curation import Contested, Dismissal
from docgraph.domain.edit import edge_words
from docgraph.domain.finding import Decision, Finding, Rule
from docgraph.domain.suggestion import Suggestion
from docgraph.errors import UserError
from docgraph.orchestration.session import Namespace


class Rules(Namespace):
    """Rules of checks and dismissals of one workspace; they change no relationship and no revision."""

    def get(self) -> dict[str, Rule]:
        """check_id → stored rule; ``check()`` uses them by default.

        Rules of checks and parameters unknown to this version are left out.
        """
        return {
            check_id: rule for check_id, rule in self.session.store().rules().items() if self._is_known(check_id, rule)
        }

    def set(self, rules: Mapping[str, Rule | Mapping[str, Any]]) -> None:
        """Replace the stored rules. Raises UserError, storing nothing, for an unknown check or parameter."""
        checked = {check_id: as_record(rule, Rule) for check_id, rule in rules.items()}
        refuse_unknown(checked, self.session.adapters.checks)
        self.session.store().set_rules(checked)

    def dismiss(
        self,
        subjects: Sequence[Finding | Suggestion],
        *,
        by: str,
        reason: str = "",
        decisions: Sequence[Decision] = (),
    ) -> tuple[Dismissal, ...]:
        """Ignore findings or reject suggestions, until the text at one of their ends changes.

        A new dismissal replaces the older one about the same subject. ``decisions`` = those of the report that the
        findings belong to: the id of one withdraws them all (``withdraw``). Raises UserError without a name, and for a
        finding without a reason.
        """
        who = self.session.signed(by, "who ignores or rejects something says so, and no name is given")
        why, now = checked_reason(reason), self.session.now()
        if not why and any(isinstance(subject, Finding) for subject in subjects):
            raise UserError("a finding is ignored for a reason, and none is given", hint="say why: reason=…")
        by_finding = {finding_id: decision for decision in decisions for finding_id in decision.finding_ids}
        ends = [_ends(subject) for subject in subjects]
        with self.session.reading() as snapshot:
            there = snapshot.documents_by_id(sorted({document_id for each in ends for document_id in each}))
        hashes = {document_id: document.content_hash for document_id, document in there.items()}
        made = tuple(
            _dismissal(subject, by=who, at=now, reason=why).model_copy(
                update={
                    "content_hashes": {document_id: hashes.get(document_id, "") for document_id in end},
                    **_decided(subject, by_finding),
                }
            )
            for subject, end in zip(subjects, ends, strict=True)
        )
        if made:
            self.session.store().dismiss(made)
        return made

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Withdraw the dismissals of these findings and suggestions; returns the number.

        The id of a decision withdraws all that were ignored with it (``Dismissal.decision_id``).
        """
        if not subject_ids:
            return 0
        wanted = frozenset(subject_ids)
        of_decisions = [each.subject_id for each in self.dismissals() if each.decision_id in wanted]
        return self.session.store().withdraw(sorted(wanted.union(of_decisions)))

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All ignored findings and rejected suggestions, newest first, whether they still apply or not."""
        return self.session.store().dismissals()

    def contested(self) -> tuple[Contested, ...]:
        """Relationships whose last import contradicts a decision in force, by key; the decision applies."""
        return self.session.store().contested()

    def _is_known(self, check_id: str, rule: Rule) -> bool:
        try:
            refuse_unknown({check_id: rule}, self.session.adapters.checks)
        except UserError:
            return False
        return True


def _ends(subject: Finding | Suggestion) -> tuple[str, ...]:
    """The documents whose texts a person judged it by, by id."""
    if isinstance(subject, Suggestion):
        return tuple(sorted({subject.from_document_id, subject.to_document_id}))
    ends = {document_id for key in subject.relationships for document_id in (key[0], key[2])}
    return tuple(sorted(ends | set(subject.document_ids)))


def _decided(subject: Finding | Suggestion, decisions: Mapping[str, Decision]) -> dict[str, str]:
    """The decision that a finding is ignored with, when it is about several."""
    decision = decisions.get(subject.finding_id) if isinstance(subject, Finding) else None
    if decision is None or decision.n_findings < 2:
        return {}
    return {"decision_id": decision.decision_id, "decision_label": decision.label}


def _dismissal(subject: Finding | Suggestion, *, by: str, at: str, reason: str) -> Dismissal:
    if isinstance(subject, Finding):
        return Dismissal(
            subject_id=subject.finding_id,
            kind="finding",
            source=subject.check_id,
            sentence=subject.sentence,
            relationships=subject.relationships,
            by=by,
            at=at,
            reason=reason,
        )
    key = (subject.from_document_id, next(iter(subject.relation_types), ""), subject.to_document_id)
    return Dismissal(
        subject_id=subject.suggestion_id,
        kind="suggestion",
        source=subject.kind,
        sentence=subject.sentence or edge_words(key),
        relationships=(key,) if key[1] else (),
        by=by,
        at=at,
        reason=reason,
    )
