"""The relation types of a workspace: how often, between which documents, in which direction, and what is alike."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import RelationType


def most_agree(agree: int, others: int, *, share: float, least: int) -> bool:
    """Whether those that ``agree`` are at least this ``share`` of the ``others``, and these at least ``least``."""
    return agree > 0 and others >= least and agree >= share * others


class DirectionUse(Frozen):
    """How often a type goes from one kind of document to another (``n``), and between them the other way (``n_back``).

    ``is_minority``: of the *other* relationships between the two at least 90 % of at least three go the other way.
    """

    from_doc_type: str
    to_doc_type: str
    n: int = Field(ge=0)
    n_back: int = Field(default=0, ge=0)
    is_minority: bool = False


class TypeUse(Frozen):
    """One relation type; ``known`` = the workspace's rules name it, ``off`` = plans leave it out unless asked,
    ``reasons_only`` = its relationships are reasons in plans, and bring no document in.

    ``look_alikes`` = more frequent types that are spelt or mean nearly the same, ``inverses`` = types in use that say
    the same from the other end. ``directions`` = most frequent first, then by name.
    """

    relation_type: RelationType
    n: int = Field(ge=0)
    n_reviewed: int = Field(default=0, ge=0)
    n_dangling: int = Field(default=0, ge=0)
    n_questions: int = Field(default=0, ge=0)
    known: bool = True
    off: bool = False
    reasons_only: bool = False
    look_alikes: tuple[RelationType, ...] = ()
    inverses: tuple[RelationType, ...] = ()
    directions: tuple[DirectionUse, ...] = ()


class Vocabulary(Frozen):
    """All types of a workspace, most frequent first, then by name; ``n_questions`` saved questions were planned."""

    workspace: str
    corpus_revision: str
    n_relationships: int = 0
    n_questions: int = 0
    types: tuple[TypeUse, ...] = ()
