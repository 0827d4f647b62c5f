"""Changes of relationships as text."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from docgraph.cli.text.output import count, line, one_line, table
from docgraph.domain.history import HistoryEntry, change_words
from docgraph.domain.imports.patch import SourcePatch
from docgraph.views.words.moments import moment

MAX_NAME = 30


def change_text(entry: HistoryEntry) -> str:
    """``reversed a —explains→ b to b —explains→ a`` on one line; an undo begins with what it undoes."""
    return one_line(change_words(entry))


def show_entries(entries: Sequence[HistoryEntry], *, dry_run: bool) -> None:
    """Write what was done, or would be."""
    for entry in entries:
        number = ("would be: ", "dim") if dry_run else (f"{entry.entry_id}  ", "dim")
        line(number, change_text(entry))
    if dry_run:
        line(("Nothing was written.", "dim"))


def show_history(entries: Sequence[HistoryEntry], *, limit: int, workspace: str) -> None:
    """Write a table of entries, the newest first."""
    if not entries:
        line(f"No relationship of {workspace} was edited.")
        return
    rows = [
        (str(e.entry_id), moment(e.at), _cut(e.by), None if e.undone_by is None else str(e.undone_by), _with_reason(e))
        for e in entries
    ]
    table(("entry", "when", "by", "undone by", "change"), rows, right=("entry", "undone by"), wrap=True)
    line("")
    more = f"; --before {entries[-1].entry_id} shows older ones" if len(entries) == limit else ""
    line((f"{count(len(entries), 'entry')} of {workspace}{more}", "dim"))


def _with_reason(entry: HistoryEntry) -> str:
    return change_text(entry) + (f" “{one_line(entry.reason)}”" if entry.reason else "")


def _cut(name: str) -> str:
    flat = one_line(name)
    return flat if len(flat) <= MAX_NAME else flat[: MAX_NAME - 1] + "…"


def show_patch(made: SourcePatch, written: Mapping[str, str]) -> None:
    """Tell on the standard error what a patch holds, and list each edit that is not in it with the reason."""
    agreed = f", {made.n_agreed:,} stated already" if made.n_agreed else ""
    said = [
        f"{made.n_patched:,} of {count(made.n_edits, 'edit')} in {count(len(made.files), 'file')}{agreed}, "
        f"{len(made.left):,} left out"
    ]
    said += [f"Wrote {one_line(path)}{f' for {one_line(who)}' if who else ''}" for path, who in written.items()]
    said += [f"left out: {edit.entry_id}  {one_line(edit.words)}: {one_line(edit.reason)}" for edit in made.left]
    for each in said:
        print(each, file=sys.stderr)
