"""Rules, dismissals and contested relationships in the reference store."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docgraph.domain.curation import Contested, Dismissal, TriageEntry
from docgraph.domain.decisions import decisions, still_contested
from docgraph.domain.finding import Rule
from docgraph.plugins.stores._rows.ready import newest_first, ready_dismissals, ready_rules, ready_triage
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.memory.reading import Content


class MemoryCuration:
    """What a workspace remembers of its curators (``ports.CurationStore``)."""

    content: Content
    _lock: threading.Lock

    def may_write(self) -> bool:
        """Always: it is this process's memory."""
        return True

    def rules(self) -> dict[str, Rule]:
        """check_id → rule, as they were stored."""
        return dict(self.content.rules)

    def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones."""
        ready = ready_rules(rules)
        with self._lock:
            self.content = replace(self.content, rules=ready)

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All dismissals, newest first, then by subject_id."""
        return newest_first(self.content.dismissals.values())

    def dismiss(self, dismissals: Sequence[Dismissal]) -> None:
        """Keep them; a new one about the same subject takes the place of the old one."""
        ready = ready_dismissals(dismissals)
        with self._lock:
            self.content = replace(self.content, dismissals={**self.content.dismissals, **ready})

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Forget the dismissals of these subjects; how many there were."""
        gone = {cleaned(each) for each in subject_ids}
        with self._lock:
            there = self.content.dismissals
            kept = {i: each for i, each in there.items() if i not in gone}
            self.content = replace(self.content, dismissals=kept)
        return len(there) - len(kept)

    def triage(self) -> tuple[TriageEntry, ...]:
        """All that was said of decisions, oldest first."""
        return self.content.triage

    def say_triage(self, entries: Sequence[TriageEntry]) -> tuple[TriageEntry, ...]:
        """Keep them, each under the next ``entry_id``; as they are kept."""
        with self._lock:
            made = ready_triage(entries, after=self.content.last_triage)
            last = self.content.last_triage + len(made)
            self.content = replace(self.content, triage=(*self.content.triage, *made), last_triage=last)
        return made

    def take_back_triage(self, entry_ids: Sequence[int]) -> int:
        """Forget these entries; how many there were."""
        gone = frozenset(entry_ids)
        with self._lock:
            there = self.content.triage
            kept = tuple(each for each in there if each.entry_id not in gone)
            self.content = replace(self.content, triage=kept)
        return len(there) - len(kept)

    def contested(self) -> tuple[Contested, ...]:
        """Where imports and decisions that still stand disagree, by key."""
        content = self.content
        return still_contested(content.contested.values(), decisions(content.history), content.edges)
