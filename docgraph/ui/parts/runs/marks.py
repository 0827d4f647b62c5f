"""HTML of the small parts that saved runs are shown with: exact moments, revisions, marks of their state."""

from __future__ import annotations

from docgraph.domain.saved_run import RunSummary
from docgraph.ui.frame import escape, layout
from docgraph.views.words import moments


def at(iso: str) -> str:
    """A moment to read, with the exact UTC as its title."""
    return f'<time title="{escape.html(iso)}">{escape.html(moments.moment(iso))}</time>'


def revision(full: str) -> str:
    """The short revision, with the whole one as its title."""
    return f'<code title="{escape.html(full)}">{escape.html(moments.revision(full))}</code>'


def baseline() -> str:
    """The mark of a pinned run."""
    return f'<span class="rn-chip">{layout.glyph("pin")}Baseline</span>'


def state(row: RunSummary, revision_now: str | None) -> str:
    """Marks of a run: baseline, approved, stale (``revision_now`` = None: its workspace is gone)."""
    chips = [baseline()] if row.pinned else []
    if row.approved_by:
        by = escape.html(row.approved_by)
        chips.append(f'<span class="rn-chip" title="by {by}">{layout.glyph("check")}Approved</span>')
    if revision_now is None:
        chips.append(f'<span class="rn-chip rn-chip-stale">{layout.glyph("clock")}Workspace gone</span>')
    elif revision_now != row.corpus_revision:
        said = "The data have changed since it was saved"
        chips.append(f'<span class="rn-chip rn-chip-stale" title="{said}">{layout.glyph("clock")}Stale</span>')
    return "".join(chips)
