"""Who takes a decision about findings on, until when, and what people say of it."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.boundary.signatures import checked_day, checked_reason
from docgraph.boundary.text import one_line
from docgraph.domain.curators.triage import MAX_ABOUT, MAX_ASSIGNEE, TriageEntry, TriageKind
from docgraph.domain.finding import Decision
from docgraph.errors import UserError
from docgraph.orchestration.session import Namespace


class TriageLog(Namespace):
    """What was said of the decisions of one workspace; it changes no relationship and moves no revision.

    ``check()`` has it in ``Decision.triage``. Every method that says something takes decisions of a report, says the
    same of each, and raises UserError when nobody says who.
    """

    def list(self) -> tuple[TriageEntry, ...]:
        """All that was said and not taken back, oldest first, whether the decision is still open or not."""
        return self.session.store().triage()

    def assign(self, decisions: Sequence[Decision], to: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Give decisions to a person; an empty ``to`` gives them to nobody."""
        name = one_line(to, MAX_ASSIGNEE)
        return self._say(decisions, "assigned", name, by=by)

    def due(self, decisions: Sequence[Decision], day: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Say until which day (``YYYY-MM-DD``) they are to be decided; an empty one takes that back."""
        return self._say(decisions, "due", checked_day(day), by=by)

    def comment(self, decisions: Sequence[Decision], text: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Say something of them. Raises UserError for no words, and for more than 2,000 characters."""
        said = checked_reason(text, "comment")
        if not said:
            raise UserError("a comment says something, and this one is empty", hint="write what others should know")
        return self._say(decisions, "comment", said, by=by)

    def decided(self, decisions: Sequence[Decision], what: str, *, by: str) -> tuple[TriageEntry, ...]:
        """Remember what was done with them, for the count of decided ones; they are settled by edits and dismissals."""
        return self._say(decisions, "decided", one_line(what, MAX_ASSIGNEE), by=by)

    def withdraw(self, entry_ids: Sequence[int]) -> int:
        """Take back what was said; how many entries there were. What was said before stands again."""
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
