"""Relationships that nobody stated and that the texts or the saved questions speak for; only a person makes them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from docgraph.domain.curation import Dismissal
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.graph import Identifier, RelationType

SuggestionKind = Literal["mention", "together"]


class Suggestion(Frozen):
    """A pair of documents without a relationship in either direction.

    ``mention``: the text of the first names the title of the other (``evidence`` = the sentence, hostile data).
    ``together``: neighbours in meaning (``similarity``, cosine) that ``n_together`` saved questions read both of.
    ``relation_types`` = types that go between such documents, most frequent first; the first is proposed. A person may
    choose another, and the direction.
    """

    suggestion_id: str = ""
    kind: SuggestionKind
    from_document_id: Identifier
    to_document_id: Identifier
    from_title: str = ""
    to_title: str = ""
    relation_types: tuple[RelationType, ...] = ()
    sentence: str = ""
    evidence: str = ""
    similarity: float | None = None
    n_together: int = Field(default=0, ge=0)
    dismissal: Dismissal | None = None

    @classmethod
    def about(cls, kind: SuggestionKind, from_document_id: str, to_document_id: str, **fields: Any) -> Suggestion:
        """A suggestion with its id computed from what it is about."""
        found = fingerprint(["suggestion", kind, from_document_id, to_document_id])[:16]
        return cls(
            suggestion_id=found, kind=kind, from_document_id=from_document_id, to_document_id=to_document_id, **fields
        )

    def edit(self, relation_type: str | None = None, *, flipped: bool = False) -> Edit:
        """The edit that accepts it. Raises ValueError when no type is given and none is proposed."""
        via = relation_type or next(iter(self.relation_types), "")
        start, end = self.from_document_id, self.to_document_id
        key = (end, via, start) if flipped else (start, via, end)
        return Edit(action="add", key=key, suggested=self.suggestion_id)


class Suggestions(Frozen):
    """Open suggestions, strongest first, and the rejected ones; ``n_pairs`` pairs were examined.

    ``n_found`` counts the open ones; at most 200 of them are listed in ``suggestions``.
    """

    workspace: str
    corpus_revision: str
    n_pairs: int = 0
    n_questions: int = 0
    n_found: int = 0
    suggestions: tuple[Suggestion, ...] = ()
    rejected: tuple[Suggestion, ...] = ()
