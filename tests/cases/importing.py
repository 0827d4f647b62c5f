"""The shortest way to import a case's folder into a store in memory, and to say what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import docgraph
from docgraph.domain.report import IngestReport
from docgraph.orchestration.docgraph import Docgraph

Profile = Literal["auto"] | None
PROFILES: tuple[Profile, ...] = (None, "auto")
"""Every case holds however the folder is imported: as it lies, and after a look at it."""


@dataclass(frozen=True)
class Case:
    """A folder that was imported."""

    dg: Docgraph
    report: IngestReport

    @property
    def edges(self) -> set[tuple[str, str, str]]:
        """Every relationship as (source, type, target)."""
        return {edge.key for edge in self.dg.relationships.list()}

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """Every relationship as (source, target), whatever its type."""
        return {(source, target) for source, _, target in self.edges}

    @property
    def titles(self) -> dict[str, str]:
        """Every document's title, by its id."""
        return {document.document_id: document.title for document in self.dg.documents.list()}

    def findings(self, check: str = "") -> set[tuple[str, str]]:
        """What the checks found, of one check or of all: (check, sentence)."""
        found = self.dg.check().findings
        return {(each.check_id, each.sentence) for each in found if check in {"", each.check_id}}


@contextmanager
def imported(folder: Path, *, profile: Profile = None) -> Iterator[Case]:
    """The folder, imported with every loader and extractor that docgraph has."""
    with docgraph.connect(store="memory", workspace="case") as dg:
        yield Case(dg, dg.ingest(folder, profile=profile))
