"""What a workspace remembers of its curators beside the relationships themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.curators.dismissal import Contested, Dismissal
    from docgraph.domain.curators.triage import TriageEntry
    from docgraph.domain.finding import Rule


class CurationStore(Protocol):
    """Rules, dismissals, triage and contested relationships of one workspace.

    They move no revision: plans never read them.
    """

    def may_write(self) -> bool:
        """Whether the role of the connection may change this workspace at all."""
        ...

    def rules(self) -> dict[str, Rule]:
        """check_id → rule, as they were stored; empty when nobody stored any."""
        ...

    def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones."""
        ...

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All dismissals, newest first, then by subject_id."""
        ...

    def dismiss(self, dismissals: Sequence[Dismissal]) -> None:
        """Keep them; a new one about the same subject takes the place of the old one."""
        ...

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Forget the dismissals of these subjects; how many there were."""
        ...

    def triage(self) -> tuple[TriageEntry, ...]:
        """All that was said of decisions, oldest first."""
        ...

    def say_triage(self, entries: Sequence[TriageEntry]) -> tuple[TriageEntry, ...]:
        """Keep them, each under the next ``entry_id``; as they are kept. Numbers are not given twice."""
        ...

    def take_back_triage(self, entry_ids: Sequence[int]) -> int:
        """Forget these entries; how many there were."""
        ...

    def contested(self) -> tuple[Contested, ...]:
        """Where the last import of a document and a decision that still stands disagree, by key."""
        ...
