"""What the imports that are kept know of documents that are not where they are looked for: moved, or rejected."""

from __future__ import annotations

from docgraph.domain.imports.record import ImportState
from docgraph.ports import Store


def newest_state(store: Store) -> ImportState:
    """What the workspace held after the newest import that can be compared; an empty state where there is none."""
    newest = next((each.import_id for each in store.imports() if each.comparable), 0)
    return (store.import_state(newest) if newest else None) or ImportState()
