"""What a file of relationships says against what is stored, read back before anything is written."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.curation import Dismissal, TriageEntry
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen
from docgraph.domain.overrides import EdgeKey

RowKind = Literal["add", "change", "remove", "accept", "dismissal", "triage"]
MAX_LISTED = 500
"""So many rows, conflicts and errors are listed each; all are counted."""


class ExchangeRow(Frozen):
    """One row that asks for something; ``line`` counts from 1, 0 = it is not in the file and shall go for that.

    ``before`` → ``after``: the relationship as it was exported and as the row wants it. ``sentence`` says it with
    titles (hostile data). ``accepts`` = it is reviewed with that. A row with a ``conflict`` is left out, and ``hint``
    says what to do.
    """

    line: int = Field(ge=0)
    kind: RowKind
    before: EdgeKey | None = None
    after: EdgeKey | None = None
    sentence: str = ""
    reason: str = ""
    accepts: bool = False
    conflict: str = ""
    hint: str = ""


class ExchangeProblem(Frozen):
    """What cannot be understood: at which line (from 1; 0 = the file) and column, the value, why, and what to do."""

    line: int = Field(ge=0)
    column: str = ""
    value: str = ""
    message: str
    hint: str = ""


class RelationshipDiff(Frozen):
    """A file of relationships against the workspace, read without writing; ``revision`` = the data it was held against.

    ``edits`` = everything that an import would do, in an order in which it can be done, with ``reasons`` beside them
    and the ``expected`` state of every relationship that they touch; ``texts`` = the same of the texts at the ends of
    those that are accepted. Rows with a conflict are left out of it.
    ``n_missing`` = stored relationships that the file does not name: they stay, unless ``remove_missing`` was asked
    for. ``rows``, ``conflicts`` and ``errors`` list the first 500, by line; the counts count all. A file with errors is
    not imported.
    """

    name: str = ""
    workspace: str = ""
    revision: str = ""
    whole: bool = False
    remove_missing: bool = False
    new_types: bool = False
    n_rows: int = 0
    n_added: int = 0
    n_changed: int = 0
    n_removed: int = 0
    n_accepted: int = 0
    n_dismissed: int = 0
    n_said: int = 0
    n_unchanged: int = 0
    n_missing: int = 0
    n_conflicts: int = 0
    n_errors: int = 0
    ignored_columns: tuple[str, ...] = ()
    rows: tuple[ExchangeRow, ...] = ()
    conflicts: tuple[ExchangeRow, ...] = ()
    errors: tuple[ExchangeProblem, ...] = ()
    edits: tuple[Edit, ...] = ()
    reasons: tuple[str, ...] = ()
    expected: tuple[tuple[EdgeKey, str], ...] = ()
    texts: tuple[tuple[EdgeKey, str], ...] = ()
    dismissals: tuple[Dismissal, ...] = ()
    triage: tuple[TriageEntry, ...] = ()

    @property
    def n_applied(self) -> int:
        """Rows that an import would carry out."""
        return self.n_added + self.n_changed + self.n_removed + self.n_accepted + self.n_dismissed + self.n_said

    @property
    def sentence(self) -> str:
        """``2 to add, 1 to change, 1 to remove; 1 conflict; 57 unchanged``."""
        doing = (
            (self.n_added, "to add"),
            (self.n_changed, "to change"),
            (self.n_removed, "to remove"),
            (self.n_accepted, "to accept"),
            (self.n_dismissed, "to ignore"),
            (self.n_said, "to assign"),
        )
        parts = [", ".join(f"{n:,} {word}" for n, word in doing if n) or "nothing to change"]
        if self.n_conflicts:
            parts.append(f"{self.n_conflicts:,} {'conflict' if self.n_conflicts == 1 else 'conflicts'}")
        if self.n_errors:
            parts.append(f"{self.n_errors:,} {'error' if self.n_errors == 1 else 'errors'}")
        parts.append(f"{self.n_unchanged:,} unchanged")
        if self.n_missing:
            parts.append(f"{self.n_missing:,} not in the file{'' if self.remove_missing else ', kept'}")
        return "; ".join(parts)
