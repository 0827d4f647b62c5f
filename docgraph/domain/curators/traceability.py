"""A traceability matrix: what every document leads to and what leads to it, by type, and where nothing does."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, RelationType

MatrixDirection = Literal["outgoing", "incoming"]
"""``outgoing`` = what the document leads to, ``incoming`` = what leads to it."""


class MatrixEnd(Frozen):
    """The other end of a relationship; a *dangling* one, which is not ``stored``, fills no hole."""

    document_id: Identifier
    stored: bool = True

    def __str__(self) -> str:
        return self.document_id if self.stored else f"{self.document_id} (not stored)"


class MatrixColumn(Frozen):
    """One relation type in one direction: how many documents have a stored end there, and how many have none."""

    relation_type: RelationType
    direction: MatrixDirection
    n_filled: int = Field(ge=0)
    n_holes: int = Field(ge=0)

    @property
    def name(self) -> str:
        """``traces_to →`` for what a document leads to, ``← verifies`` for what leads to it."""
        return f"{self.relation_type} →" if self.direction == "outgoing" else f"← {self.relation_type}"

    @property
    def sentence(self) -> str:
        """``traces_to →: 38 of 40 have one, 2 holes``."""
        holes = "no hole" if not self.n_holes else f"{self.n_holes:,} hole{'s' if self.n_holes > 1 else ''}"
        return f"{self.name}: {self.n_filled:,} of {self.n_filled + self.n_holes:,} have one, {holes}"


class MatrixRow(Frozen):
    """One document; ``cells`` = the other ends, a cell for each column in their order, the ends by id.

    ``holes`` = the columns, counted from 0, in which no end is stored.
    """

    document_id: Identifier
    title: str
    doc_type: str = ""
    cells: tuple[tuple[MatrixEnd, ...], ...] = ()
    holes: tuple[int, ...] = ()


class TraceabilityMatrix(Frozen):
    """Documents (``rows``, by id) against relation types by direction (``columns``, by type, outgoing first).

    ``doc_type`` = the rows are documents of this type alone; None = all documents are.
    """

    workspace: str
    corpus_revision: str
    doc_type: str | None = None
    columns: tuple[MatrixColumn, ...] = ()
    rows: tuple[MatrixRow, ...] = ()

    @property
    def n_with_holes(self) -> int:
        """How many documents have a hole in at least one column."""
        return sum(1 for row in self.rows if row.holes)

    def with_holes(self) -> TraceabilityMatrix:
        """The same columns and their counts over the rows that have a hole alone."""
        return self.model_copy(update={"rows": tuple(row for row in self.rows if row.holes)})
