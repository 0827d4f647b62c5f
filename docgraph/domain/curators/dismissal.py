"""What people decided not to act on, and what an import says against their decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, Relationship
from docgraph.domain.overrides import EdgeKey

DismissalKind = Literal["finding", "suggestion"]


class Dismissal(Frozen):
    """A finding that was ignored, or a suggestion that was rejected: who, when (ISO 8601, UTC) and why.

    ``subject_id`` = the id of the finding or the suggestion, one dismissal each. ``source`` = the check, or the kind of
    suggestion; ``sentence`` = what it said then. ``content_hashes`` = document → content hash of the texts that it was
    judged by ("" = not stored): when one of them changes, the dismissal has expired. ``decision_id`` and
    ``decision_label`` = the decision that it was ignored with, when several findings were ignored by one cause.
    """

    subject_id: str = Field(min_length=1, max_length=100)
    kind: DismissalKind
    source: str = ""
    sentence: str = ""
    relationships: tuple[EdgeKey, ...] = ()
    content_hashes: dict[Identifier, str] = Field(default_factory=dict)
    by: str
    at: str
    reason: str = ""
    decision_id: str = Field(default="", max_length=100)
    decision_label: str = ""

    def changed(self, content_hashes: Mapping[str, str]) -> tuple[str, ...]:
        """Documents whose text is another than it was judged by, by id; empty while the dismissal holds."""
        was = self.content_hashes
        return tuple(sorted(i for i in was if was[i] != content_hashes.get(i, "")))


class Contested(Frozen):
    """Where an import and a person's decision disagree; the decision stands.

    ``stated``: the import states ``relationship``, and a person took it away or made another of it (``entry_id``, the
    entry of the history). ``unstated``: a person accepted ``relationship``, and the import does not state it any more.
    ``at`` = when it was imported (ISO 8601, UTC). ``before`` and ``after`` = what the decision found and left; both
    None where no entry of the history is known.
    """

    kind: Literal["stated", "unstated"]
    relationship: Relationship
    entry_id: int = Field(default=0, ge=0)
    at: str = ""
    before: Relationship | None = None
    after: Relationship | None = None
