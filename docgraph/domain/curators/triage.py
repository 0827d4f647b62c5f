"""Who takes a decision on, until when, and what was said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from pydantic import Field

from docgraph.domain.frozen import Frozen

TriageKind = Literal["assigned", "due", "comment", "decided"]
MAX_ABOUT, MAX_TRIAGE_TEXT, MAX_ASSIGNEE = 100, 2_000, 200
"""Findings that an entry remembers; characters of a comment and of a name."""


class TriageEntry(Frozen):
    """One thing that a person said of a decision about findings: ``text`` by its ``kind``.

    ``assigned``: who takes it on; ``due``: the day until which (ISO 8601); empty takes back what was said before.
    ``comment``: a comment. ``decided``: what was done with it. ``entry_id`` is given by the store, later ones are
    greater. ``finding_ids`` = the first findings that it was about, in the queue's order: by them it is found again
    when all but one of a class are settled. ``label`` = what the decision was called. Texts are hostile data.
    """

    entry_id: int = Field(default=0, ge=0)
    decision_id: str = Field(min_length=1, max_length=100)
    check_id: str = ""
    label: str = ""
    finding_ids: tuple[str, ...] = Field(default=(), max_length=MAX_ABOUT)
    kind: TriageKind
    text: str = Field(default="", max_length=MAX_TRIAGE_TEXT)
    by: str
    at: str


class Triage(Frozen):
    """What stands of a decision: who has it (``assignee``), the day it is ``due`` (ISO 8601), and all that was said.

    Empty = nobody, no day. ``entries`` = oldest first.
    """

    assignee: str = ""
    due: str = ""
    entries: tuple[TriageEntry, ...] = ()

    @property
    def comments(self) -> tuple[TriageEntry, ...]:
        """The comments, oldest first."""
        return tuple(entry for entry in self.entries if entry.kind == "comment")

    def is_due(self, day: str) -> bool:
        """Whether it is due on this day (ISO 8601) or was before."""
        return bool(self.due) and self.due <= day


NO_TRIAGE = Triage()


class _About(Protocol):
    @property
    def decision_id(self) -> str: ...

    @property
    def finding_ids(self) -> tuple[str, ...]: ...


def triage_of(decisions: Sequence[_About], entries: Iterable[TriageEntry]) -> dict[str, Triage]:
    """decision_id → what stands of it, for the open ``decisions`` of which something was said.

    An entry belongs to the decision that it names. Where that is not open any more, it belongs to the one that holds
    a finding that it was about: the last of a class, or the class that a finding came to; to the first of several.
    """
    every = sorted(entries, key=lambda entry: entry.entry_id)
    if not every:
        return {}
    named = {decision.decision_id for decision in decisions}
    holding: dict[str, str] = {}
    for decision in reversed(decisions):
        holding |= dict.fromkeys(decision.finding_ids, decision.decision_id)
    found: dict[str, list[TriageEntry]] = {}
    for entry in every:
        if (place := _place(entry, named, holding)) is not None:
            found.setdefault(place, []).append(entry)
    return {decision_id: _stands(said) for decision_id, said in found.items()}


def _place(entry: TriageEntry, named: set[str], holding: Mapping[str, str]) -> str | None:
    if entry.decision_id in named:
        return entry.decision_id
    if entry.kind == "decided":
        return None  # what is left of it, or came to it, was not decided
    held = (holding[each] for each in (entry.decision_id, *entry.finding_ids) if each in holding)
    return next(held, None)


def _stands(entries: Sequence[TriageEntry]) -> Triage:
    last = {entry.kind: entry.text for entry in entries}
    return Triage(assignee=last.get("assigned", ""), due=last.get("due", ""), entries=tuple(entries))


def n_decided(decisions: Iterable[_About], entries: Iterable[TriageEntry]) -> int:
    """How many decisions were decided and are not open: one that was taken back, or came again, does not count."""
    there = {decision.decision_id for decision in decisions}
    return len({entry.decision_id for entry in entries if entry.kind == "decided"} - there)
