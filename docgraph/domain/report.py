"""The report of an import: every source accounted for, in = stored + updated + skipped + rejected."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.imports.look import Unread
from docgraph.domain.imports.profile import Written
from docgraph.domain.imports.record import Reading
from docgraph.domain.type_roles import TypeChange

Outcome = Literal["stored", "updated", "skipped", "rejected"]
MAX_REPORTED = 10_000


class Rejected(Frozen):
    """One record of a record file that cannot be read: a one-line ``reason``, and its ``place`` ("line 12")."""

    reason: str
    place: str


class Adjusted(Frozen):
    """Something of a file that is read otherwise than it is written: a one-line ``reason``, and its ``place``."""

    reason: str
    place: str


class SourceOutcome(Frozen):
    """What became of one source: a file, or a record of a record file (``source`` names it, with line where known).

    ``updated`` = title and text are as they were, and other things that are said of the document are not: its
    relationships, metadata or place were replaced, nothing was embedded. ``change`` tells added from replaced for
    stored ones; ``reason`` is filled for every rejected one.
    """

    source: str
    outcome: Outcome
    document_id: str | None = None
    change: Literal["added", "replaced"] | None = None
    reason: str = ""


class IngestReport(Frozen):
    """Counts and the outcome of each source; ``n_in`` = ``n_stored`` + ``n_updated`` + ``n_skipped`` + ``n_rejected``.

    ``relationships`` counts edges by type, ``provenance`` by extractor; ``n_dangling`` counts edges whose target
    does not exist; ``pruned`` are documents removed because their source is gone; ``moved``: old id → new id of
    documents whose file was renamed or moved, with all that people decided about them; ``dry_run`` = nothing is stored;
    ``stopped`` = ended early, what is counted as stored is kept. ``causes`` are all rejections grouped by what they
    have in common, the rarest first; ``adjusted`` = what was read otherwise than it is written, such as a line of a
    header (the first of ``n_adjusted``); ``excluded`` = the ``n_excluded`` files and folders that ``.gitignore`` and
    patterns leave out, by pattern: they are no sources and not in ``n_in``; ``reading`` is what an import profile
    changed (None without one); ``notice`` is the first line where there is something to be wondered at; ``decided`` =
    relation types whose role in plans the import changed by default, by type; ``dialects`` = how the folder is
    written, as it was recognised.
    """

    workspace: str
    n_in: int = 0
    n_stored: int = 0
    n_updated: int = 0
    n_skipped: int = 0
    n_rejected: int = 0
    n_chunks: int = 0
    n_relationships: int = 0
    n_dangling: int = 0
    relationships: dict[str, int] = Field(default_factory=dict)
    provenance: dict[str, int] = Field(default_factory=dict)
    pruned: tuple[str, ...] = ()
    moved: dict[str, str] = Field(default_factory=dict)
    outcomes: tuple[SourceOutcome, ...] = Field(default=(), max_length=MAX_REPORTED)
    outcomes_cut: int = 0
    adjusted: tuple[Adjusted, ...] = Field(default=(), max_length=MAX_REPORTED)
    n_adjusted: int = 0
    excluded: tuple[Unread, ...] = ()
    n_excluded: int = 0
    causes: tuple[Unread, ...] = ()
    reading: Reading | None = None
    notice: str = ""
    dialects: tuple[Written, ...] = ()
    decided: tuple[TypeChange, ...] = ()
    dry_run: bool = False
    stopped: bool = False
    seconds: float = 0.0
    revision: str = ""

    @property
    def n_written(self) -> int:
        """Documents that were stored or updated, on a dry run those that would be."""
        return self.n_stored + self.n_updated

    @property
    def counts(self) -> dict[Outcome, int]:
        """Outcome → how many sources had it, in the order in which they are told; their sum is ``n_in``."""
        return {
            "stored": self.n_stored,
            "updated": self.n_updated,
            "skipped": self.n_skipped,
            "rejected": self.n_rejected,
        }
