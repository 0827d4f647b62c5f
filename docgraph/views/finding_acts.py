"""What curators did, in one sentence for the corner of the screen and for the undo key."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.history import HistoryEntry, change_words


def done_words(entries: Sequence[HistoryEntry]) -> str:
    """``Removed a —explains→ b``; of several, the first and how many more. Holds ids: hostile data."""
    if not entries:
        return "Nothing was changed"
    said = change_words(entries[0])
    more = f", and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    return f"{said[:1].upper()}{said[1:]}{more}"
