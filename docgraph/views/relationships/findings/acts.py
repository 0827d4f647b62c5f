"""What curators did, in one sentence for the corner of the screen and for the undo key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.edit import edge_words
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.views.relationships.history.words import Named, change_text


def done_words(entries: Sequence[HistoryEntry], *, named: Named = str) -> str:
    """``Removed a —explains→ b``; of several, the first and how many more. Holds titles and ids: hostile data."""
    if not entries:
        return "Nothing was changed"
    said = change_text(entries[0], named=named)
    more = f", and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    return f"{said[:1].upper()}{said[1:]}{more}"


def ids_in(entries: Sequence[HistoryEntry]) -> tuple[str, ...]:
    """Documents that the sentence on these entries names."""
    keys = [key for entry in entries[:1] for key in (*entry.keys, entry.edit.key)]
    return tuple(sorted({end for key in keys for end in (key[0], key[2])}))


def with_titles(message: str, keys: Iterable[EdgeKey], *, named: Named) -> str:
    """A message of the product with the relationships that it names by ids named by titles. Hostile data."""
    for key in sorted(set(keys), key=lambda each: (-len(edge_words(each)), each)):
        message = message.replace(edge_words(key), f"{named(key[0])} —{key[1]}→ {named(key[2])}")
    return message
