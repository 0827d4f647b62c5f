"""What the imports that are kept know of documents that are not where they are looked for: moved, or rejected."""

from __future__ import annotations

from docgraph.domain.imports.record import ImportState
from docgraph.ports import Store


def moved_before(store: Store) -> dict[str, str]:
    """Old id → where the document is now, as the imports that are kept know it."""
    state = _newest(store)
    return {} if state is None else dict(state.moved)


def rejected_before(store: Store) -> dict[str, dict[str, str]]:
    """Source of imports → id that the document of a rejected file would have → the reason."""
    state = _newest(store)
    return {} if state is None else dict(state.rejected)


def _newest(store: Store) -> ImportState | None:
    newest = next((each.import_id for each in store.imports() if each.comparable), 0)
    return store.import_state(newest) if newest else None
