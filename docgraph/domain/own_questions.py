"""Questions that a corpus asks of itself, and what they say of each relation type's documents in plans."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import RelationType
from docgraph.domain.type_roles import OwnFigures, TypeRole

OwnKind = Literal["document", "related"]
"""``document``: words of a sentence of one document, which alone is relevant: what a type costs. ``related``: the title
of A with words of a sentence of B, where A → B; both are relevant: what a type brings."""

MIN_RELATED = 10
"""Questions about related documents below which nothing is proposed."""
MIN_DOCUMENT = 20
"""Questions about one document below which nothing is proposed."""


class OwnQuestion(Frozen):
    """A question made out of stored texts; ``relation_type`` is that of the relationship behind a *related* one."""

    kind: OwnKind
    query: str
    relevant: tuple[str, ...]
    relation_type: str = ""


class KindResult(Frozen):
    """One kind of question: recall in percent with the type's documents and without them, and their difference."""

    kind: OwnKind
    n: int = Field(ge=0)
    better: int = Field(ge=0)
    worse: int = Field(ge=0)
    on: float
    off: float

    @property
    def points(self) -> float:
        """Percentage points of recall that the type's documents bring."""
        return self.on - self.off


class TypeResult(Frozen):
    """What generated questions say of one type: its documents in plans (on) against the same plans without them (off).

    Other types have the roles that they have. ``figures`` weigh both kinds of questions alike, whatever their numbers.
    ``from_types`` = the types whose relationships the related questions are made of: its own where it is declared or
    nothing is; else the declared ones. ``proposal`` is None where nothing is clear, or a person decided.
    """

    relation_type: RelationType
    role: TypeRole
    is_declared: bool
    from_types: tuple[RelationType, ...] = ()
    kinds: tuple[KindResult, ...] = ()
    figures: OwnFigures | None = None
    proposal: TypeRole | None = None
    why: str = ""

    @property
    def changes(self) -> bool:
        """Whether the proposal is another role than the type has."""
        return self.proposal is not None and self.proposal != self.role


class Trial(Frozen):
    """One trial of a workspace's types: ``n_asked`` of ``n_questions`` generated questions, made by ``seed``.

    Equal data, seed and number give equal questions. ``stopped`` = what was asked until then counts.
    ``trial_id`` counts from 1 in a workspace; 0 = not kept. ``at`` is ISO 8601 in UTC.
    """

    trial_id: int = Field(default=0, ge=0)
    workspace: str
    revision: str
    embedder_id: str
    seed: int
    at: str = ""
    seconds: float = 0.0
    n_questions: int = Field(ge=0)
    n_asked: int = Field(ge=0)
    stopped: bool = False
    results: tuple[TypeResult, ...] = ()

    @property
    def proposals(self) -> tuple[TypeResult, ...]:
        """Results that propose another role, by type."""
        return tuple(each for each in self.results if each.changes)


WhyNone = Literal["", "no_relationships", "no_adding_type", "no_words"]
"""Why no question can be proposed: nothing leads anywhere, no type adds documents to plans, or no text gives words."""


class ProposedQuestion(Frozen):
    """A question made of a real relationship A → B: the title of A, and what a sentence of B speaks of.

    ``sentence`` = that sentence, ``words`` = what was taken of it. ``brings`` = B is read with relationships alone.
    ``n_added`` and ``n_left`` = documents that come in by relationships, and that leave for them.
    """

    query: str
    from_document_id: str
    from_title: str
    relation_type: RelationType
    to_document_id: str
    to_title: str
    sentence: str
    words: tuple[str, ...]
    brings: bool
    n_added: int = Field(ge=0)
    n_left: int = Field(ge=0)


class Proposed(Frozen):
    """Questions to begin with; ``n_made`` were made and asked both ways, those with the most to judge come first.

    They show what relationships do. How often that helps they do not say: only judgments do.
    """

    questions: tuple[ProposedQuestion, ...] = ()
    n_made: int = Field(default=0, ge=0)
    why_none: WhyNone = ""
