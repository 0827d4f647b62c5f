"""HTML of the small parts that saved runs are shown with: exact moments, revisions, marks of their state."""

from __future__ import annotations

from docgraph.domain.saved_run import RunSummary
from docgraph.ui.frame import escape
from docgraph.ui.frame import layout as frame
from docgraph.views.words import moments as runs_words


def at(iso: str) -> str:
    """A moment to read, with the exact UTC as its title."""
    return f'<time title="{escape.html(iso)}">{escape.html(runs_words.moment(iso))}</time>'


def revision(full: str) -> str:
    """The short revision, with the whole one as its title."""
    return f'<code title="{escape.html(full)}">{escape.html(runs_words.revision(full))}</code>'


def baseline() -> str:
    """The mark of a pinned run."""
    return f'<span class="rn-chip">{frame.glyph("pin")}Baseline</span>'


def state(row: RunSummary, revision_now: str | None) -> str:
    """Marks of a run: baseline, approved, stale (``revision_now`` = None: its workspace is gone)."""
    chips = [baseline()] if row.pinned else []
    if row.approved_by:
        by = escape.html(row.approved_by)
        chips.append(f'<span class="rn-chip" title="by {by}">{frame.glyph("check")}Approved</span>')
    if revision_now is None:
        chips.append(f'<span class="rn-chip rn-chip-stale">{frame.glyph("clock")}Workspace gone</span>')
    elif revision_now != row.corpus_revision:
        said = "The data changed since this run"
        chips.append(f'<span class="rn-chip rn-chip-stale" title="{said}">{frame.glyph("clock")}Stale</span>')
    return "".join(chips)
