"""Where documents are whose files were renamed or moved, as the imports that are kept know it."""

from __future__ import annotations

from docgraph.ports import Store


def moved_before(store: Store) -> dict[str, str]:
    """Old id → where the document is now, as the imports that are kept know it."""
    newest = next((each.import_id for each in store.imports() if each.comparable), 0)
    state = store.import_state(newest) if newest else None
    return {} if state is None else dict(state.moved)
