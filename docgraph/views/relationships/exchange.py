"""A file of relationships against what is stored, as rows that a person reads before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.edit import edge_words
from docgraph.domain.exchange import ExchangeProblem, ExchangeRow, RelationshipDiff, RowKind
from docgraph.views.words.counts import plural
from docgraph.views.words.texts import line, slug

DiffKind = Literal["error", "conflict", "add", "change", "remove", "accept", "dismissal", "triage"]

WORDS: dict[DiffKind, str] = {
    "error": "error",
    "conflict": "conflict",
    "add": "add",
    "change": "change",
    "remove": "remove",
    "accept": "accept",
    "dismissal": "ignore",
    "triage": "say",
}
"""Kind → the word beside its sign, in the order in which a person should look at them."""

DECISIONS: tuple[tuple[str, str], ...] = (
    ("Change one", "change from, type or to; leave edge and state unchanged"),
    ("Accept one", "write accept into decision, which marks it as reviewed"),
    ("Remove one", "write remove into decision"),
    ("Add one", "a new row with from, type and to; edge and state stay empty"),
)
"""What a person may do in the file, and how."""


_ASK_IN_CODE = "to allow a new type use new_types=True, or --new-types"
_ASK_HERE = "tick “Allow new types” if it is intended"


@dataclass(frozen=True)
class DiffRow:
    """One row: ``at`` = its line in the file, ``--`` when it has none; ``note`` = reason, hint or conflict."""

    kind: DiffKind
    at: str
    what: str
    note: str = ""
    column: str = ""


def rows(diff: RelationshipDiff) -> tuple[DiffRow, ...]:
    """Errors, conflicts, then what will be done, each by line."""
    found = [_problem(each) for each in diff.errors]
    found += [_conflict(each) for each in diff.conflicts]
    found += [_change(each) for each in diff.rows]
    order = list(WORDS)
    return tuple(sorted(found, key=lambda row: order.index(row.kind)))  # stable: by line within a kind


def _at(number: int) -> str:
    return f"{number:,}" if number else "--"


def _problem(each: ExchangeProblem) -> DiffRow:
    value = f"{line(each.value)!r} " if each.value else ""
    said = f"{value}{line(each.message)}".strip()
    return DiffRow("error", _at(each.line), said, line(each.hint), column=line(each.column))


def _conflict(each: ExchangeRow) -> DiffRow:
    hint = line(each.hint).replace(_ASK_IN_CODE, _ASK_HERE)
    said = f"{line(each.conflict)}; {hint}" if hint else line(each.conflict)
    return DiffRow("conflict", _at(each.line), _words(each), said)


def _change(each: ExchangeRow) -> DiffRow:
    kind: dict[RowKind, DiffKind] = {
        "add": "add",
        "change": "change",
        "remove": "remove",
        "accept": "accept",
        "dismissal": "dismissal",
        "triage": "triage",
    }
    accepted = "; accepted with it" if each.accepts and each.kind != "accept" else ""
    missing = "not in the file" if not each.line and each.kind == "remove" else ""
    note = "; ".join(part for part in (line(each.reason), missing) if part)
    return DiffRow(kind[each.kind], _at(each.line), f"{_words(each)}{accepted}", note)


def _words(each: ExchangeRow) -> str:
    if said := line(each.sentence):
        return said
    return " → ".join(line(edge_words(key)) for key in (each.before, each.after) if key is not None)


def counts(diff: RelationshipDiff) -> tuple[tuple[DiffKind, int], ...]:
    """How many rows of each kind there are, also of those that are not listed; kinds without any are left out."""
    found: dict[DiffKind, int] = {
        "error": diff.n_errors,
        "conflict": diff.n_conflicts,
        "add": diff.n_added,
        "change": diff.n_changed,
        "remove": diff.n_removed,
        "accept": diff.n_accepted,
        "dismissal": diff.n_dismissed,
        "triage": diff.n_said,
    }
    return tuple((kind, found[kind]) for kind in WORDS if found[kind])


def rest_words(diff: RelationshipDiff) -> str:
    """What the file says beside its changes: rows read, rows equal, relationships that it does not name."""
    parts = [f"{plural(diff.n_rows, 'row')} read", f"{diff.n_unchanged:,} unchanged"]
    if diff.n_missing:
        it = "it" if diff.n_missing == 1 else "they"
        fate = "go" if diff.remove_missing else "stay"
        verb = f"{fate}{'es' if fate == 'go' else 's'}" if diff.n_missing == 1 else fate
        parts.append(f"{plural(diff.n_missing, 'relationship')} not in the file: {it} {verb}")
    if diff.ignored_columns:
        named = ", ".join(line(name)[:40] for name in diff.ignored_columns[:6])
        more = len(diff.ignored_columns) - 6
        parts.append(f"columns skipped: {named}" + (f" and {more:,} more" if more > 0 else ""))
    return "; ".join(parts)


def not_listed(diff: RelationshipDiff, shown: Sequence[DiffRow]) -> int:
    """Rows that are counted but not among ``shown``."""
    listed = Counter(row.kind for row in shown)
    return sum(max(0, n - listed[kind]) for kind, n in counts(diff))


def save_words(diff: RelationshipDiff) -> str:
    """``Save: 2 added, 1 removed``: the label of the button."""
    done: tuple[tuple[int, str], ...] = (
        (diff.n_added, "added"),
        (diff.n_changed, "changed"),
        (diff.n_removed, "removed"),
        (diff.n_accepted, "accepted"),
        (diff.n_dismissed, "ignored"),
        (diff.n_said, "assignments"),
    )
    said = ", ".join(f"{n:,} {word}" for n, word in done if n)
    return f"Save: {said}" if said else "Nothing to save"


def refusal(diff: RelationshipDiff) -> str:
    """Why the file cannot be saved; empty when it can."""
    if diff.n_errors:
        noun = "row is" if diff.n_errors == 1 else "rows are"
        again = "nothing is saved from a file with errors. Correct it and upload it again."
        return f"{diff.n_errors:,} {noun} not understood: {again}"
    if not diff.n_applied:
        return "The file matches the stored data. There is nothing to save."
    return ""


def file_name(workspace: str, revision: str, kind: str) -> str:
    """``harbor-relationships-81cadb.csv``."""
    return f"{slug(workspace, 40) or 'workspace'}-relationships-{revision[:6] or 'empty'}.{kind}"
