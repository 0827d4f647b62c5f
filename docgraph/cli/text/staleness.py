"""How it looks in a terminal that the data changed since a run was saved."""

from __future__ import annotations

from docgraph.cli.text.output import line, table
from docgraph.domain.saved_run import CorpusChanges
from docgraph.views.words.staleness import ChangedRow, staleness


def show_changes(changes: CorpusChanges) -> None:
    """One line whether the data are still those of the run, then what changed in them, that of the run first."""
    found = staleness(changes)
    line((f"{found.sentence[:1].upper()}{found.sentence[1:]}.", "dim" if found.state == "fresh" else "yellow"))
    if found.remark:
        line((found.remark, "dim"))
    if found.rows:
        table(("", "name", "what"), [(row.kind, row.name, _what(row)) for row in found.rows], wrap=True)
    if found.counted:
        line((f"  {found.counted}: --json lists all", "dim"))


def _what(row: ChangedRow) -> str:
    return f"{row.what} (in this run)" if row.in_run else row.what
