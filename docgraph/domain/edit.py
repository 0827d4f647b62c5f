"""Changes to relationships as values: what a fix proposes and what a curator does."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from docgraph.domain.anchors import MAX_ANCHOR
from docgraph.domain.frozen import Frozen, is_none
from docgraph.domain.graph import Identifier, RelationType
from docgraph.domain.overrides import EdgeKey

MAX_HEADING = 2_000
"""Characters of a heading path."""

Action = Literal["add", "remove", "retype", "flip", "retarget", "accept", "reanchor", "restate"]


class Edit(Frozen):
    """One change to the relationship at ``key`` (from, type, to).

    ``add`` makes it, ``remove`` takes it away, ``accept`` leaves it and records that somebody looked; ``retype`` gives
    it ``relation_type``, ``retarget`` points it at ``to_document_id``, ``flip`` turns it round (and gives it
    ``relation_type`` when there is one: the name of the inverse). ``reanchor`` lets it point to the section
    ``heading`` of its target by ``to_anchor`` instead of by ``anchor``. ``restate`` stands in the history where a
    caller gave it other metadata. ``suggested`` = the id of the suggestion that an ``add`` accepts; it stays in the
    provenance.
    """

    action: Action
    key: EdgeKey
    relation_type: RelationType | None = None
    to_document_id: Identifier | None = None
    suggested: str = Field(default="", max_length=100)
    anchor: str | None = Field(default=None, min_length=1, max_length=MAX_ANCHOR, exclude_if=is_none)
    to_anchor: str | None = Field(default=None, min_length=1, max_length=MAX_ANCHOR, exclude_if=is_none)
    heading: str | None = Field(default=None, max_length=MAX_HEADING, exclude_if=is_none)

    @model_validator(mode="after")
    def _says_what_it_needs(self) -> Edit:
        if self.action == "retype" and self.relation_type is None:
            raise ValueError("retype needs relation_type")
        if self.action == "retarget" and self.to_document_id is None:
            raise ValueError("retarget needs to_document_id")
        if self.action == "reanchor" and None in (self.anchor, self.to_anchor, self.heading):
            raise ValueError("reanchor needs anchor, to_anchor and heading")
        return self

    @property
    def result(self) -> tuple[str, str, str] | None:
        """The key of the relationship afterwards; None when it is removed."""
        start, via, end = self.key
        match self.action:
            case "remove":
                return None
            case "retype":
                return (start, self.relation_type or via, end)
            case "retarget":
                return (start, via, self.to_document_id or end)
            case "flip":
                return (end, self.relation_type or via, start)
        return self.key


def edge_words(key: EdgeKey) -> str:
    """A relationship by its ids, for messages: ``ADR-003 —explains→ MS5``."""
    return f"{key[0]} —{key[1]}→ {key[2]}"
