"""Whose a decision is: the owners of the documents that its findings start at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from docgraph.domain.finding import CheckReport, Decision, Finding
from docgraph.domain.graph import StoredDocument
from docgraph.domain.imports.fields import OWNER_FIELDS, owners_of


def with_owners(
    report: CheckReport, documents: Mapping[str, StoredDocument], *, fields: Sequence[str] = OWNER_FIELDS
) -> CheckReport:
    """The report with the owners of each decision: those of at least half of its findings, most findings first.

    A finding is its starts' owners': of its relationships, or of the documents that it is about. ``fields`` as
    ``owners_of`` takes them.
    """
    by_id = {finding.finding_id: finding for finding in report.findings}
    known: dict[str, tuple[str, ...]] = {}

    def owners(document_id: str) -> tuple[str, ...]:
        if document_id not in known:
            document = documents.get(document_id)
            known[document_id] = owners_of(document.metadata, fields) if document else ()
        return known[document_id]

    def owned(decision: Decision) -> Decision:
        counts: Counter[str] = Counter()
        for finding_id in decision.finding_ids:
            counts.update({name for start in _starts(by_id[finding_id]) for name in owners(start)})
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        names = tuple(name for name, n in most if 2 * n >= decision.n_findings)
        return decision.model_copy(update={"owners": names}) if names else decision

    return report.model_copy(update={"decisions": tuple(map(owned, report.decisions))})


def _starts(finding: Finding) -> frozenset[str]:
    return frozenset(key[0] for key in finding.relationships) or frozenset(finding.document_ids)
