"""Who takes a decision about findings on, until when, and what people say of it."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.boundary.signatures import checked_day, checked_reason
from docgraph.boundary.text import one_line
from docgraph.domain.curation import MAX_ABOUT, MAX_ASSIGNEE, TriageEntry, TriageKind
from docgraph.domain.finding import Decision
from docgraph.errors import UserError
from docgraph.orchestration.session import Namespace


class TriageLog(Namespace):
    """Assignment, due date and comments of decisions of one workspace; no relationship and no revision changes.

    ``check()`` returns them in ``Decision.triage``. Methods that write take decisions of a report, apply to each of
    them, and raise UserError without a name.
    """

    def list(self) -> tuple[TriageEntry, ...]:
        """All entries that are not withdrawn, oldest first, whether the decision is still open or not."""
        return self.session.store().triage()

    def assign(self, decisions: Sequence[Decision], to: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Assign decisions to a person; an empty ``to`` unassigns them."""
        name = one_line(to, MAX_ASSIGNEE)
        return self._say(decisions, "assigned", name, by=by)

    def due(self, decisions: Sequence[Decision], day: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Set the due date (``YYYY-MM-DD``); an empty one removes it."""
        return self._say(decisions, "due", checked_day(day), by=by)

    def comment(self, decisions: Sequence[Decision], text: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Add a comment. Raises UserError for an empty one, and for more than 2,000 characters."""
        said = checked_reason(text, "comment")
        if not said:
            raise UserError("a comment says something, and this one is empty", hint="write what others should know")
        return self._say(decisions, "comment", said, by=by)

    def decided(self, decisions: Sequence[Decision], what: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Record how decisions were made, for the count of decided ones; edits and dismissals settle them."""
        return self._say(decisions, "decided", one_line(what, MAX_ASSIGNEE), by=by)

    def withdraw(self, entry_ids: Sequence[int]) -> int:
        """Withdraw entries; returns the number. Earlier entries apply again."""
        return self.session.store().take_back_triage(list(entry_ids)) if entry_ids else 0

    def _say(self, decisions: Sequence[Decision], kind: TriageKind, text: str, *, by: str) -> tuple[TriageEntry, ...]:
        who = self.session.signed(by, "who says something of a decision signs it, and no name is given")
        now = self.session.now()
        made = [
            TriageEntry(
                decision_id=decision.decision_id,
                check_id=decision.check_id,
                label=decision.label,
                finding_ids=() if kind == "decided" else decision.finding_ids[:MAX_ABOUT],
                kind=kind,
                text=text,
                by=who,
                at=now,
            )
            for decision in decisions
        ]
        return self.session.store().say_triage(made) if made else ()
