"""What stores of curation share: rules and dismissals as they can be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.domain.curators.dismissal import Dismissal
from docgraph.domain.curators.triage import TriageEntry
from docgraph.domain.finding import Rule
from docgraph.plugins.stores._rows.writing import cleaned


def ready_rules(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """The rules by check_id, without what no database holds. Raises IngestionError."""
    ready = {cleaned(check_id): Rule.model_validate(cleaned(rule.model_dump())) for check_id, rule in rules.items()}
    return {check_id: ready[check_id] for check_id in sorted(ready)}


def ready_dismissals(dismissals: Sequence[Dismissal]) -> dict[str, Dismissal]:
    """subject_id → dismissal, without what no database holds; of two about one subject the last. Raises IngestionError.

    Content hashes stand in the order of their documents' ids.
    """
    ready = [Dismissal.model_validate(cleaned(_by_document(each).model_dump())) for each in dismissals]
    return {each.subject_id: each for each in ready}


def ready_triage(entries: Sequence[TriageEntry], *, after: int) -> tuple[TriageEntry, ...]:
    """The entries without what no database holds, numbered from ``after`` + 1. Raises IngestionError."""
    ready = (TriageEntry.model_validate(cleaned(each.model_dump())) for each in entries)
    return tuple(each.model_copy(update={"entry_id": after + place}) for place, each in enumerate(ready, 1))


def newest_first(dismissals: Sequence[Dismissal]) -> tuple[Dismissal, ...]:
    """Newest first, then by subject_id."""
    by_id = sorted(dismissals, key=lambda each: each.subject_id)
    return tuple(sorted(by_id, key=lambda each: each.at, reverse=True))


def _by_document(dismissal: Dismissal) -> Dismissal:
    hashes = dismissal.content_hashes
    return dismissal.model_copy(update={"content_hashes": {i: hashes[i] for i in sorted(hashes)}})
