"""What a file of relationships would do: its rows against what is stored, in an order in which it can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from docgraph.curation.editing import moving
from docgraph.curation.exchange.assignments import Lines, said_compared, said_row
from docgraph.curation.exchange.reading import Sheet, SheetRow
from docgraph.curation.exchange.writing import NO_END, End, texts_state
from docgraph.curation.locking import Newest, nearest_words, what_happened
from docgraph.domain.curation import Dismissal, TriageEntry
from docgraph.domain.decisions import REVIEW
from docgraph.domain.edit import Edit
from docgraph.domain.exchange import MAX_LISTED, ExchangeProblem, ExchangeRow, RelationshipDiff, RowKind
from docgraph.domain.graph import Relationship
from docgraph.domain.history import edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.ports import EdgeChange


@dataclass(frozen=True)
class Stored:
    """What the rows of a file are held against.

    ``relationships`` = those that the rows name or would make; ``ends`` = the stored documents at their ends;
    ``missing`` = stored relationships that the file does not name, when they shall go; ``types`` = None: any will do.
    """

    workspace: str
    revision: str
    relationships: Mapping[EdgeKey, Relationship]
    ends: Mapping[str, End]
    types: frozenset[str] | None
    newest: Newest
    dismissals: Mapping[str, Dismissal] = field(default_factory=dict)
    triage: Sequence[TriageEntry] = ()
    missing: Sequence[Relationship] = ()
    n_missing: int = 0


Why = Callable[[], tuple[str, str]]
"""Says why a row cannot be carried out, and what to do; asked for those that are listed alone."""


def compared(sheet: Sheet, stored: Stored, *, name: str, remove_missing: bool = False) -> RelationshipDiff:
    """The file against the workspace; rows with a conflict are counted and left out of the edits."""
    if remove_missing and not (sheet.whole and sheet.revision == stored.revision):
        sheet.refuse(_not_whole(sheet))
    missing = [SheetRow(0, edge.key, edge_state(edge), "", None, False, "") for edge in stored.missing]
    rows = [*sheet.rows, *missing]
    refused = _refused(rows, stored)
    good = [row for place, row in enumerate(rows) if place not in refused]
    conflicts = [_conflict(rows[place], refused[place], stored) for place in sorted(refused)[:MAX_LISTED]]
    dismissals, same, others = _decisions(sheet, stored)
    said, said_here, otherwise = said_compared(sheet.triage, stored.triage)
    steps = _in_order(good)
    kinds = Counter(_kind(row) for row in good)
    return RelationshipDiff(
        name=name,
        workspace=stored.workspace,
        revision=stored.revision,
        whole=sheet.whole,
        remove_missing=remove_missing,
        new_types=stored.types is None,
        n_rows=sheet.n_rows,
        n_added=kinds["add"],
        n_changed=kinds["change"],
        n_removed=kinds["remove"],
        n_accepted=kinds["accept"],
        n_dismissed=len(dismissals),
        n_said=len(said),
        n_unchanged=sheet.n_unchanged + same + said_here,
        n_missing=stored.n_missing,
        n_conflicts=len(refused) + len(others) + len(otherwise),
        n_errors=sheet.n_problems,
        ignored_columns=sheet.ignored_columns,
        rows=tuple(_all_listed(good, dismissals, said, stored=stored)),
        conflicts=tuple([*conflicts, *others, *otherwise][:MAX_LISTED]),
        errors=tuple(sheet.problems),
        edits=tuple(edit for edit, _ in steps),
        reasons=tuple(reason for _, reason in steps),
        expected=_expected(good),
        texts=_texts(good, stored),
        dismissals=tuple(each for _, each in dismissals),
        triage=tuple(each for _, each in said),
    )


def needed(sheet: Sheet) -> tuple[set[EdgeKey], set[str]]:
    """The relationships, and the documents at their ends, that a comparison has to know."""
    keys = {key for row in sheet.rows for key in (row.edge, row.key) if key is not None}
    return keys, {document_id for key in keys for document_id in (key[0], key[2])}


# ---------------------------------------------------------------- conflicts


def _refused(rows: Sequence[SheetRow], stored: Stored) -> dict[int, Why]:
    """Place of a row → why it cannot be carried out; a row that would have made room for another takes that along."""
    refused = {place: refusal for place, row in enumerate(rows) if (refusal := _refusal(row, stored)) is not None}
    leaving = {row.edge for place, row in enumerate(rows) if place not in refused and _leaves(row)}
    arriving = {
        row.key: place
        for place, row in enumerate(rows)
        if place not in refused and row.key is not None and row.key != row.edge
    }
    blocked = [key for key in arriving if key in stored.relationships and key not in leaving]
    while blocked:
        key = blocked.pop()
        place = arriving.pop(key)
        refused[place] = partial(_taken, key, stored)
        edge = rows[place].edge
        if edge is not None and edge in arriving:  # it stays where it is, so nothing can come there
            blocked.append(edge)
    return refused


def _refusal(row: SheetRow, stored: Stored) -> Why | None:
    if row.edge is not None and edge_state(stored.relationships.get(row.edge)) != row.state:
        return partial(_stale, row.edge, row.state, stored)
    if row.accept and row.edge is not None and row.texts not in ("", texts_state(row.edge, stored.ends)):
        return partial(_other_texts, row.edge, stored)
    if row.key is None or row.key == row.edge:
        return None
    start, via, _ = row.key
    if start not in stored.ends:
        return partial(_no_start, start)
    if stored.types is not None and via not in stored.types and (row.edge is None or row.edge[1] != via):
        return partial(_unknown_type, via, stored.types)
    return None


def _stale(edge: EdgeKey, state: str, stored: Stored) -> tuple[str, str]:
    said = what_happened(edge, stored.relationships.get(edge), stored.newest(edge), seen=state)
    return said, "check its current state and decide again"


def _other_texts(edge: EdgeKey, stored: Stored) -> tuple[str, str]:
    said = f"a text of {_words(edge, stored)} has changed since the export"
    return said, "read both texts again, then decide"


def _no_start(document_id: str) -> tuple[str, str]:
    hint = "a relationship can lead to a missing document, but it must start at a stored one"
    return f"there is no document {document_id!r} to start a relationship at", hint


def _unknown_type(name: str, known: frozenset[str]) -> tuple[str, str]:
    hint = f"{nearest_words(name, known)}; to allow a new type use new_types=True, or --new-types"
    return f"the vocabulary has no type {name!r}", hint


def _taken(key: EdgeKey, stored: Stored) -> tuple[str, str]:
    entry = stored.newest(key)
    by = f", {entry.by} made it at {entry.at}" if entry is not None and entry.after and entry.after.key == key else ""
    return f"{_words(key, stored)} already exists{by}", "remove one of the two rows"


def _leaves(row: SheetRow) -> bool:
    return row.edge is not None and row.key != row.edge


def _not_whole(sheet: Sheet) -> ExchangeProblem:
    said = "an export of older data" if sheet.whole else "no export of all relationships"
    return ExchangeProblem(
        line=0,
        message=f"is {said}: missing rows and new rows cannot be told apart",
        hint="export everything again, or write remove as the decision",
    )


# ---------------------------------------------------------------- what is done, and in which order


def _in_order(rows: Sequence[SheetRow]) -> list[tuple[Edit, str]]:
    """Edits with their reasons: what goes, what moves (each when its place is free), what comes, what is accepted."""
    steps = [(Edit(action="remove", key=row.edge), row.reason) for row in rows if row.edge and row.key is None]
    moves = {row.edge: row for row in rows if row.edge is not None and row.key is not None and row.key != row.edge}
    late: list[tuple[Edit, str]] = []
    for move in list(moves.values()):
        if move.edge not in moves:
            continue
        chain = [move]
        while chain[-1].key in moves and moves[chain[-1].key] is not chain[0]:
            chain.append(moves[chain[-1].key])
        if chain[-1].key in moves:  # they change places: the first one goes and comes back
            steps.append((Edit(action="remove", key=_some(chain[0].edge)), chain[0].reason))
            late.append((Edit(action="add", key=_some(chain[0].key)), chain[0].reason))
            del moves[_some(chain.pop(0).edge)]
        for row in reversed(chain):
            steps += [(edit, row.reason) for edit in moving(_some(row.edge), _some(row.key))]
            del moves[_some(row.edge)]
    steps += late
    steps += [(Edit(action="add", key=row.key), row.reason) for row in rows if row.edge is None and row.key]
    steps += [(Edit(action="accept", key=row.key), row.reason) for row in rows if row.accept and row.key]
    return steps


def _expected(rows: Sequence[SheetRow]) -> tuple[tuple[EdgeKey, str], ...]:
    states = {row.key: "" for row in rows if row.key is not None}
    states |= {row.edge: row.state for row in rows if row.edge is not None}
    return tuple(sorted(states.items()))


def _texts(rows: Sequence[SheetRow], stored: Stored) -> tuple[tuple[EdgeKey, str], ...]:
    accepted = {row.key for row in rows if row.accept and row.key is not None}
    return tuple((key, texts_state(key, stored.ends)) for key in sorted(accepted))


def other_texts(changes: Sequence[EdgeChange], texts: Mapping[EdgeKey, str]) -> EdgeKey | None:
    """The first acceptance that would be of other texts than somebody saw; None = all are of these."""
    for change in changes:
        if change.edit.action != "accept" or change.after is None:
            continue
        start, end = change.after.relationship_metadata[REVIEW]["content_hashes"]
        key = change.after.key
        if texts.get(key) != texts_state(key, {key[0]: End("", start), key[2]: End("", end)}):
            return key
    return None


def _decisions(sheet: Sheet, stored: Stored) -> tuple[list[tuple[int, Dismissal]], int, list[ExchangeRow]]:
    """Dismissals that are new, how many stand already, and those that were decided otherwise meanwhile."""
    new: dict[str, tuple[int, Dismissal]] = {}
    same, others = 0, []
    for line, dismissal in sheet.dismissals:
        there = stored.dismissals.get(dismissal.subject_id)
        if there is None and dismissal.subject_id not in new:
            new[dismissal.subject_id] = (line, dismissal)
        elif there is None or there == dismissal:
            same += 1
        else:
            conflict = f"{there.by} decided it at {there.at}" + (f": “{there.reason}”" if there.reason else "")
            hint = "withdraw that decision first"
            others.append(_dismissed(line, dismissal).model_copy(update={"conflict": conflict, "hint": hint}))
    return list(new.values()), same, others


# ---------------------------------------------------------------- words


def _kind(row: SheetRow) -> RowKind:
    if row.edge is None:
        return "add"
    if row.key is None:
        return "remove"
    return "accept" if row.key == row.edge else "change"


def _listed(row: SheetRow, stored: Stored) -> ExchangeRow:
    kind = _kind(row)
    before = None if row.edge is None else _words(row.edge, stored)
    after = None if row.key is None else _words(row.key, stored)
    said = f"{before} becomes {after}" if kind == "change" else before or after or ""
    return ExchangeRow(
        line=row.line, kind=kind, before=row.edge, after=row.key, sentence=said, reason=row.reason, accepts=row.accept
    )


def _all_listed(
    rows: Sequence[SheetRow], dismissals: Sequence[tuple[int, Dismissal]], said: Lines, *, stored: Stored
) -> list[ExchangeRow]:
    """The first of what is carried out."""
    listed = [_listed(row, stored) for row in rows[:MAX_LISTED]]
    listed += [_dismissed(line, each) for line, each in dismissals[: MAX_LISTED - len(listed)]]
    return listed + [said_row(line, each) for line, each in said[: MAX_LISTED - len(listed)]]


def _conflict(row: SheetRow, why: Why, stored: Stored) -> ExchangeRow:
    conflict, hint = why()
    return _listed(row, stored).model_copy(update={"conflict": conflict, "hint": hint})


def _dismissed(line: int, dismissal: Dismissal) -> ExchangeRow:
    return ExchangeRow(line=line, kind="dismissal", sentence=dismissal.sentence, reason=dismissal.reason)


def _words(key: EdgeKey, stored: Stored) -> str:
    start, end = (stored.ends.get(document_id, NO_END).title or document_id for document_id in (key[0], key[2]))
    return f"{start} —{key[1]}→ {end}"


def _some(key: EdgeKey | None) -> EdgeKey:
    """A key that is there by the rows that were chosen."""
    assert key is not None
    return key
