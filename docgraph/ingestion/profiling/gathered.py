"""What was read of a folder when it was looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.ingestion.profiling.heads import Head
from docgraph.ingestion.profiling.sidecars import Beside


@dataclass
class Gathered:
    """What was read of a folder: heads by name, sidecars' fields by the name of their document, faults."""

    heads: dict[str, Head] = field(default_factory=dict)
    fields: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    sidecars: dict[str, list[Beside]] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)
    name: str = ""
    """What the folder itself is called."""
    elsewhere: tuple[str, ...] = ()
    """Addresses at which other projects are read, as the folder itself says."""
    n_bytes: int = 0
    stopped: bool = False

    def all_fields(self, name: str) -> dict[str, Any]:
        """A document's own fields and those of its sidecar."""
        head = self.heads.get(name)
        return {**self.fields.get(name, {}), **(head.fields if head else {})}
