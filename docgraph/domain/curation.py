"""What curators decide beside edits: dismissals, triage of decisions, the traceability matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, Relationship, RelationType
from docgraph.domain.overrides import EdgeKey

DismissalKind = Literal["finding", "suggestion"]


class Dismissal(Frozen):
    """A finding that was ignored, or a suggestion that was rejected: who, when (ISO 8601, UTC) and why.

    ``subject_id`` = the id of the finding or the suggestion, one dismissal each. ``source`` = the check, or the kind of
    suggestion; ``sentence`` = what it said then. ``content_hashes`` = document → content hash of the texts that it was
    judged by ("" = not stored): when one of them changes, the dismissal has expired. ``decision_id`` and
    ``decision_label`` = the decision that it was ignored with, when several findings were ignored by one cause.
    """

    subject_id: str = Field(min_length=1, max_length=100)
    kind: DismissalKind
    source: str = ""
    sentence: str = ""
    relationships: tuple[EdgeKey, ...] = ()
    content_hashes: dict[Identifier, str] = Field(default_factory=dict)
    by: str
    at: str
    reason: str = ""
    decision_id: str = Field(default="", max_length=100)
    decision_label: str = ""

    def changed(self, content_hashes: Mapping[str, str]) -> tuple[str, ...]:
        """Documents whose text is another than it was judged by, by id; empty while the dismissal holds."""
        was = self.content_hashes
        return tuple(sorted(i for i in was if was[i] != content_hashes.get(i, "")))


class Contested(Frozen):
    """Where an import and a person's decision disagree; the decision stands.

    ``stated``: the import states ``relationship``, and a person took it away or made another of it (``entry_id``, the
    entry of the history). ``unstated``: a person accepted ``relationship``, and the import does not state it any more.
    ``at`` = when it was imported (ISO 8601, UTC). ``before`` and ``after`` = what the decision found and left; both
    None where no entry of the history is known.
    """

    kind: Literal["stated", "unstated"]
    relationship: Relationship
    entry_id: int = Field(default=0, ge=0)
    at: str = ""
    before: Relationship | None = None
    after: Relationship | None = None


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


MatrixDirection = Literal["outgoing", "incoming"]
"""``outgoing`` = what the document leads to, ``incoming`` = what leads to it."""


class MatrixEnd(Frozen):
    """The other end of a relationship; a *dangling* one, which is not ``stored``, fills no hole."""

    document_id: Identifier
    stored: bool = True

    def __str__(self) -> str:
        return self.document_id if self.stored else f"{self.document_id} (not stored)"


class MatrixColumn(Frozen):
    """One relation type in one direction: how many documents have a stored end there, and how many have none."""

    relation_type: RelationType
    direction: MatrixDirection
    n_filled: int = Field(ge=0)
    n_holes: int = Field(ge=0)

    @property
    def name(self) -> str:
        """``traces_to →`` for what a document leads to, ``← verifies`` for what leads to it."""
        return f"{self.relation_type} →" if self.direction == "outgoing" else f"← {self.relation_type}"

    @property
    def sentence(self) -> str:
        """``traces_to →: 38 of 40 have one, 2 holes``."""
        holes = "no hole" if not self.n_holes else f"{self.n_holes:,} hole{'s' if self.n_holes > 1 else ''}"
        return f"{self.name}: {self.n_filled:,} of {self.n_filled + self.n_holes:,} have one, {holes}"


class MatrixRow(Frozen):
    """One document; ``cells`` = the other ends, a cell for each column in their order, the ends by id.

    ``holes`` = the columns, counted from 0, in which no end is stored.
    """

    document_id: Identifier
    title: str
    doc_type: str = ""
    cells: tuple[tuple[MatrixEnd, ...], ...] = ()
    holes: tuple[int, ...] = ()


class TraceabilityMatrix(Frozen):
    """Documents (``rows``, by id) against relation types by direction (``columns``, by type, outgoing first).

    ``doc_type`` = the rows are documents of this type alone; None = all documents are.
    """

    workspace: str
    corpus_revision: str
    doc_type: str | None = None
    columns: tuple[MatrixColumn, ...] = ()
    rows: tuple[MatrixRow, ...] = ()

    @property
    def n_with_holes(self) -> int:
        """How many documents have a hole in at least one column."""
        return sum(1 for row in self.rows if row.holes)

    def with_holes(self) -> TraceabilityMatrix:
        """The same columns and their counts over the rows that have a hole alone."""
        return self.model_copy(update={"rows": tuple(row for row in self.rows if row.holes)})
