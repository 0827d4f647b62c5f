"""How imports are kept as rows: a summary in the open, the state in one piece of compressed JSON."""

from __future__ import annotations

import zlib

from docgraph.domain.imports.record import ImportState, ImportSummary
from docgraph.plugins.stores._rows.writing import cleaned

LEVEL = 6


def ready_summary(summary: ImportSummary) -> ImportSummary:
    """The summary without what no database holds."""
    return ImportSummary.model_validate(cleaned(summary.model_dump()))


def packed(state: ImportState) -> bytes:
    """The state as it is stored; equal states give equal bytes."""
    ready = ImportState.model_validate(cleaned(state.model_dump(mode="json")))
    return zlib.compress(ready.model_dump_json().encode("utf-8", "replace"), LEVEL)


def unpacked(data: bytes) -> ImportState:
    """A stored state."""
    return ImportState.model_validate_json(zlib.decompress(data))
