"""What a file of relationships would do, or did, as text."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.cli.text.output import count, heading, line, one_line
from docgraph.domain.exchange import ExchangeProblem, ExchangeRow, RelationshipDiff
from docgraph.domain.history import HistoryEntry

MAX_ROWS = 100
"""Rows of one kind that are written; --json has more."""
_SIGNS = {"add": "+", "change": "~", "remove": "-", "accept": "=", "dismissal": "i", "triage": ">"}


def show_diff(diff: RelationshipDiff, entries: Sequence[HistoryEntry], *, dry_run: bool) -> None:
    """The sentence, then rows, conflicts and errors, then what was written."""
    line((f"{one_line(diff.name)}: ", "dim"), diff.sentence)
    if diff.ignored_columns:
        line((f"ignored columns: {', '.join(map(one_line, diff.ignored_columns))}", "dim"))
    if not diff.errors:
        _list("", [_row(row) for row in diff.rows], diff.n_applied)
    _list("Conflicts", [_row(row) for row in diff.conflicts], diff.n_conflicts)
    _list("Errors", [_problem(problem) for problem in diff.errors], diff.n_errors)
    line("")
    if diff.errors:
        line("Nothing was written: fix the file first.")
    elif dry_run:
        line(("Nothing was written.", "dim"))
    elif entries:
        first, last = entries[0].entry_id, entries[-1].entry_id
        numbers = f"entry {first}" if first == last else f"entries {first} to {last}"
        line(f"Done: {numbers} of the history of {diff.workspace}.")
    elif n := diff.n_dismissed + diff.n_said:
        line(f"Done: {count(n, 'decision')} imported into {diff.workspace}.")
    else:
        line("Nothing to do.")


def _list(title: str, rows: Sequence[Sequence[str]], n: int) -> None:
    if not rows:
        return
    heading(title) if title else line("")
    for text, *asides in rows[:MAX_ROWS]:
        line(text)
        for aside in asides:
            line((aside, "dim"), indent=4)
    if n > MAX_ROWS:
        line((f"{min(len(rows), MAX_ROWS):,} of {n:,} shown; --json shows more", "dim"))


def _row(row: ExchangeRow) -> tuple[str, ...]:
    where = f"line {row.line}: " if row.line else ""
    accepted = ", accepted" if row.accepts and row.kind in ("add", "change") else ""
    reason = f" “{one_line(row.reason)}”" if row.reason else ""
    text = f"{_SIGNS[row.kind]} {where}{one_line(row.sentence)}{accepted}{reason}"
    if row.conflict:
        return (text, one_line(row.conflict), one_line(row.hint))
    return (text,)


def _problem(problem: ExchangeProblem) -> tuple[str, ...]:
    where = f"line {problem.line:,}" if problem.line else "the file"
    where += f", column {one_line(problem.column)}" if problem.column else ""
    value = f" {one_line(problem.value)!r}" if problem.value else ""
    return (f"{where}:{value} {one_line(problem.message)}", one_line(problem.hint))
